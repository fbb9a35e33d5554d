import fc from 'fast-check';

import type { Fault } from '../../sandbox';
import type { DayLimits } from './periodLog';
import type { HostMode } from './poll';
import { SERVICE_KINDS, type ServiceKind } from './services';

/** Something that happens to the trigger or the service, some minutes after the previous step. */
export type Step = { minutes: number } & (
	| { what: 'tick' | 'overlappingTicks' | 'kill' | 'killDuringTick' | 'republishDuringTick' }
	| { what: 'republish'; how: 'update' | 'activate' | 'afterAPause' }
	| { what: 'bootWithoutService' }
	| { what: 'create'; service: string; pieceCount: number }
	| { what: 'event'; shipment: number; event: AddedEvent }
	| { what: 'repeat'; shipment: number; isReworded: boolean }
	| { what: 'cancel'; shipment: number }
	| { what: 'poison'; shipment: number; isNamed: boolean }
	| { what: 'carrier'; carrier: string; shuffled: boolean; repeated: boolean; lateHours: number }
	| { what: 'refuse'; shipment: number; isNamed: boolean }
	| { what: 'fault'; fault: FaultKind; on: Fault['operation']; times: number }
);

export interface AddedEvent {
	/** Age of the event in minutes. null for an event without a date. */
	minutesOld: number | null;
	code: string;
	category: string;
}

/** The last three change a correct response: other texts, a failed row, omitted events. */
export type FaultKind =
	| 'status500'
	| 'rateLimit'
	| 'halfBody'
	| 'reset'
	| 'html'
	| 'slow'
	| 'reworded'
	| 'rowFails'
	| 'limited';

export const STEP_HOURS = [6, 40] as const;

export type StepHours = (typeof STEP_HOURS)[number];

export interface History {
	mode: HostMode;
	startFrom: 'now' | 'existing';
	watch: 'filtered' | 'list';
	freshness: 'balanced' | 'everyPoll';
	service: ServiceKind;
	/** Hours between two events that the service adds by itself. */
	stepHours: StepHours;
	/** The days of No Movement and Waiting for Pickup; null if they are not selected. */
	limits: DayLimits | null;
	/** Time of publishing. Some values are just before a daylight saving change. */
	publishedAt: string;
	existing: Array<{ service: string; pieceCount: number; hoursAgo: number }>;
	/** Faults while the workflow is published. */
	atPublishing: Array<{ fault: FaultKind; on: Fault['operation']; times: number }>;
	steps: Step[];
}

const service = fc.constantFrom('ANT-HOME', 'BEAVER-PARCEL', 'SNAIL-PALLET', 'DODO-DAY');
const pieceCount = fc.constantFrom(1, 1, 1, 2);
const shipment = fc.nat({ max: 7 });
const minutes = fc.oneof(
	{ weight: 4, arbitrary: fc.integer({ min: 1, max: 20 }) },
	{ weight: 2, arbitrary: fc.integer({ min: 21, max: 600 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 601, max: 3_000 }) },
);
const on = fc.constantFrom<Fault['operation'][]>(
	'trackShipments',
	'trackShipments',
	'findShipments',
	'getShipment',
	'*',
);
const failing = fc.constantFrom<FaultKind[]>('status500', 'rateLimit', 'halfBody', 'reset', 'slow');
/** Excludes omitted events: the next poll would correctly emit them as new. */
const atFirst = fc.oneof(failing, fc.constantFrom<FaultKind[]>('rowFails', 'reworded'));
const times = fc.integer({ min: 1, max: 5 });

const event: fc.Arbitrary<AddedEvent> = fc.record({
	minutesOld: fc.oneof(
		{ weight: 3, arbitrary: fc.constant(0) },
		{ weight: 3, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
		{ weight: 1, arbitrary: fc.constant(null) },
	),
	code: fc.constantFrom('340', '341'),
	category: fc.oneof(
		{ weight: 4, arbitrary: fc.constant('TransitOnTheWay') },
		{ weight: 5, arbitrary: fc.constant('TransitReady') },
		{
			weight: 1,
			arbitrary: fc.constantFrom('Delivered', 'DeliveredBack', 'DeliveringBack', 'Error'),
		},
	),
});

type Without<T> = T extends unknown ? Omit<T, 'minutes'> : never;

const what = fc.oneof<Array<{ weight: number; arbitrary: fc.Arbitrary<Without<Step>> }>>(
	{ weight: 12, arbitrary: fc.constant({ what: 'tick' }) },
	{ weight: 2, arbitrary: fc.constant({ what: 'overlappingTicks' }) },
	{ weight: 2, arbitrary: fc.constant({ what: 'kill' }) },
	{ weight: 1, arbitrary: fc.constant({ what: 'killDuringTick' }) },
	{ weight: 1, arbitrary: fc.constant({ what: 'republishDuringTick' }) },
	{ weight: 1, arbitrary: fc.constant({ what: 'bootWithoutService' }) },
	{
		weight: 2,
		arbitrary: fc.record({
			what: fc.constant('republish' as const),
			how: fc.constantFrom('update' as const, 'activate' as const, 'afterAPause' as const),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({ what: fc.constant('create' as const), service, pieceCount }),
	},
	{ weight: 8, arbitrary: fc.record({ what: fc.constant('event' as const), shipment, event }) },
	{
		weight: 2,
		arbitrary: fc.record({
			what: fc.constant('repeat' as const),
			shipment,
			isReworded: fc.boolean(),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ what: fc.constant('cancel' as const), shipment }) },
	{
		weight: 1,
		arbitrary: fc.record({
			what: fc.constant('poison' as const),
			shipment,
			isNamed: fc.boolean(),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			what: fc.constant('carrier' as const),
			carrier: fc.constantFrom('ANT', 'BEAVER', 'SNAIL', 'DODO'),
			shuffled: fc.boolean(),
			repeated: fc.boolean(),
			lateHours: fc.constantFrom(0, 3, 12),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			what: fc.constant('refuse' as const),
			shipment,
			isNamed: fc.boolean(),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			what: fc.constant('fault' as const),
			fault: fc.oneof(failing, fc.constantFrom('html', 'reworded', 'rowFails', 'limited')),
			on,
			times,
		}),
	},
);

export const histories: fc.Arbitrary<History> = fc.record({
	mode: fc.constantFrom('default', 'durable'),
	startFrom: fc.constantFrom('now', 'now', 'existing'),
	watch: fc.constantFrom('filtered', 'filtered', 'list'),
	freshness: fc.constantFrom('balanced', 'balanced', 'everyPoll'),
	service: fc.constantFrom(...SERVICE_KINDS),
	stepHours: fc.constantFrom(...STEP_HOURS),
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
		fc.record({ service, pieceCount, hoursAgo: fc.integer({ min: 1, max: 40 }) }),
		{
			maxLength: 4,
		},
	),
	atPublishing: fc.oneof(
		{ weight: 3, arbitrary: fc.constant<History['atPublishing']>([]) },
		{ weight: 1, arbitrary: fc.array(fc.record({ fault: atFirst, on, times }), { maxLength: 2 }) },
	),
	steps: fc.array(
		fc.tuple(minutes, what).map(([pause, rest]) => ({ ...rest, minutes: pause }) as Step),
		{ minLength: 3, maxLength: 30 },
	),
});
