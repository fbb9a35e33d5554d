import fc from 'fast-check';

import type { Fault } from '../../sandbox';
import type { HostMode } from './poll';
import { SERVICE_KINDS, type ServiceKind } from './services';

/** Something that happens to the trigger or the service, some minutes after the previous step. */
export type Step = { minutes: number } & (
	| { what: 'tick' | 'overlappingTicks' | 'kill' | 'killDuringTick' | 'bootWithoutService' }
	| { what: 'republish'; how: 'update' | 'activate' | 'afterPause' | 'duringTick'; rename: boolean }
	| { what: 'select'; selection: Selection }
	| { what: 'create'; serviceType: string; pieceCount: number }
	| { what: 'event'; shipment: number; minutesOld: number | null; kinds: EventKind[] }
	| { what: 'repeat'; shipment: number }
	| { what: 'cancel'; shipment: number }
	| { what: 'carrier'; carrier: string; shuffled: boolean; repeated: boolean; lateHours: number }
	| { what: 'refuse'; shipment: number; isNamed: boolean }
	| { what: 'fault'; fault: AnyFault }
	/** The service is healthy again. `settle` also polls until everything must have come. */
	| { what: 'heal' | 'settle' }
);

export type EventKind = [code: string, category: string];

/** The last three change a correct response: other texts, a failed row, omitted events. */
export const FAULT_KINDS = [
	...(['status', 'rateLimit', 'halfBody', 'reset', 'latency', 'html'] as const),
	...(['reworded', 'rowFails', 'limited'] as const),
];

export interface AnyFault {
	kind: (typeof FAULT_KINDS)[number];
	on: Fault['operation'];
	times: number;
}

/** Categories, in the spelling that the sandbox has in every dialect. */
export const MOVING = ['TransitCarrier', 'TransitOnTheWay', 'TransitReady'];
export type Selection = 'all' | 'moving';

export const STEP_HOURS = [6, 40] as const;

const serviceType = fc.constantFrom('ANT-HOME', 'BEAVER-PARCEL', 'SNAIL-PALLET', 'DODO-DAY');
const pieceCount = fc.constantFrom(1, 1, 1, 2);
const shipment = fc.nat({ max: 7 });
const selection = fc.constantFrom<Selection[]>('all', 'all', 'moving');
const faultOf = (kinds: ReadonlyArray<AnyFault['kind']>): fc.Arbitrary<AnyFault> =>
	fc.record({
		kind: fc.constantFrom(...kinds),
		on: fc.constantFrom('trackShipments', 'trackShipments', 'findShipments', 'getShipment', '*'),
		times: fc.integer({ min: 1, max: 5 }),
	});
const minutes = fc.oneof(
	{ weight: 4, arbitrary: fc.integer({ min: 1, max: 20 }) },
	{ weight: 2, arbitrary: fc.integer({ min: 21, max: 600 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 601, max: 3_000 }) },
);

/** A code has one category. The last ones have two events in one second. */
const kinds = fc.oneof(
	{ weight: 5, arbitrary: fc.constant<EventKind[]>([['340', 'TransitOnTheWay']]) },
	{ weight: 4, arbitrary: fc.constant<EventKind[]>([['350', 'TransitReady']]) },
	{ weight: 1, arbitrary: fc.constant<EventKind[]>([['900', 'Delivered']]) },
	{ weight: 1, arbitrary: fc.constant<EventKind[]>([['920', 'DeliveredBack']]) },
	{
		weight: 2,
		arbitrary: fc.constantFrom<EventKind[][]>(
			[
				['340', 'TransitOnTheWay'],
				['341', 'TransitOnTheWay'],
			],
			[
				['350', 'TransitReady'],
				['341', 'TransitOnTheWay'],
			],
		),
	},
);

const minutesOld = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(0) },
	{ weight: 3, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
	{ weight: 1, arbitrary: fc.constant(null) },
);

/** A kind of step with its weight and its fields. */
function stepOf<What extends Step['what']>(
	weight: number,
	what: What,
	fields: Record<string, fc.Arbitrary<unknown>> = {},
) {
	const arbitrary = fc.record({ minutes, what: fc.constant(what), ...fields });
	return { weight, arbitrary: arbitrary as unknown as fc.Arbitrary<Step> };
}

const step = fc.oneof(
	stepOf(12, 'tick'),
	stepOf(2, 'overlappingTicks'),
	stepOf(2, 'kill'),
	stepOf(1, 'killDuringTick'),
	stepOf(1, 'bootWithoutService'),
	stepOf(4, 'republish', {
		how: fc.constantFrom('update', 'activate', 'afterPause', 'duringTick', 'duringTick'),
		rename: fc.boolean(),
	}),
	stepOf(2, 'select', { selection }),
	stepOf(4, 'create', { serviceType, pieceCount }),
	stepOf(10, 'event', { shipment, minutesOld, kinds }),
	stepOf(2, 'repeat', { shipment }),
	stepOf(1, 'cancel', { shipment }),
	stepOf(1, 'carrier', {
		carrier: fc.constantFrom('ANT', 'BEAVER', 'SNAIL', 'DODO'),
		shuffled: fc.boolean(),
		repeated: fc.boolean(),
		lateHours: fc.constantFrom(0, 3, 12),
	}),
	stepOf(2, 'refuse', { shipment, isNamed: fc.boolean() }),
	stepOf(3, 'fault', { fault: faultOf(FAULT_KINDS) }),
	stepOf(3, 'heal'),
	stepOf(1, 'settle'),
);

/** Excludes a login page, which n8n reports, and omitted events, which would look new afterwards. */
const atFirst = FAULT_KINDS.filter((kind) => kind !== 'html' && kind !== 'limited');

export interface History {
	mode: HostMode;
	service: ServiceKind;
	/** Hours between two events that the service adds by itself. */
	stepHours: (typeof STEP_HOURS)[number];
	startFrom: 'now' | 'existing';
	watch: 'account' | 'carrier' | 'list';
	freshness: 'balanced' | 'everyPoll';
	selection: Selection;
	/** The days of No Movement and Waiting for Pickup; null if they are not selected. */
	limits: { noMovement: number; waitingForPickup: number } | null;
	/** Some are just before a daylight saving change. */
	publishedAt: string;
	existing: Array<{ serviceType: string; pieceCount: number; hoursAgo: number }>;
	atPublishing: AnyFault[];
	steps: Step[];
}

const records: fc.Arbitrary<History> = fc.record({
	mode: fc.constantFrom('default', 'durable'),
	service: fc.constantFrom(...SERVICE_KINDS),
	stepHours: fc.constantFrom(...STEP_HOURS),
	startFrom: fc.constantFrom('now', 'now', 'existing'),
	watch: fc.constantFrom('account', 'account', 'carrier', 'list'),
	freshness: fc.constantFrom('balanced', 'balanced', 'everyPoll'),
	selection,
	limits: fc.constantFrom(
		null,
		{ noMovement: 1, waitingForPickup: 1 },
		{ noMovement: 2, waitingForPickup: 1 },
	),
	publishedAt: fc.constantFrom(
		'2026-03-28T09:00:00Z',
		'2026-06-10T09:00:00Z',
		'2026-10-24T09:00:00Z',
	),
	existing: fc.array(
		fc.record({ serviceType, pieceCount, hoursAgo: fc.integer({ min: 1, max: 40 }) }),
		{ maxLength: 4 },
	),
	atPublishing: fc.oneof(
		{ weight: 3, arbitrary: fc.constant<AnyFault[]>([]) },
		{ weight: 1, arbitrary: fc.array(faultOf(atFirst), { maxLength: 2 }) },
	),
	steps: fc.array(step, { minLength: 3, maxLength: 30 }),
});

export const histories = records.map((history): History => {
	// The service may refuse a list in which nothing exists. Publishing then fails and says so.
	const isNothing = history.watch === 'list' && history.existing.length === 0;
	return isNothing ? { ...history, watch: 'account' } : history;
});
