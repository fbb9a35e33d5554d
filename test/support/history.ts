import fc from 'fast-check';

import { SERVICE_KINDS } from './services';

// What happens to the trigger, the service and the shipments in a random history.

type Of<Generator> = Generator extends fc.Arbitrary<infer Value> ? Value : never;

/** Categories that the sandbox writes alike in every dialect. */
export const MOVING = ['TransitCarrier', 'TransitOnTheWay', 'TransitReady'];

const serviceType = fc.constantFrom('ANT-HOME', 'BEAVER-PARCEL', 'SNAIL-PALLET', 'DODO-DAY');
const pieceCount = fc.constantFrom(1, 1, 1, 2);
const shipment = fc.nat({ max: 7 });
const selection = fc.constantFrom('all', 'all', 'moving');
const minutes = fc.oneof(
	{ weight: 4, arbitrary: fc.integer({ min: 1, max: 20 }) },
	{ weight: 2, arbitrary: fc.integer({ min: 21, max: 600 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 601, max: 3_000 }) },
);
const minutesOld = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(0) },
	{ weight: 3, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
	{ weight: 1, arbitrary: fc.constant(null) },
);

/** Each code has one category. Two codes are two events in one second. */
export const CATEGORIES: Record<string, string> = {
	...{ 340: 'TransitOnTheWay', 341: 'TransitOnTheWay', 350: 'TransitReady' },
	...{ 900: 'Delivered', 920: 'DeliveredBack' },
};
const codes = fc.constantFrom(
	...[['340'], ['340'], ['340'], ['350'], ['350'], ['350']],
	...[['340', '341'], ['350', '341'], ['900'], ['920'], ['920']],
);

/** `rowFails` and `limited` change a correct response: one row failed, and events are omitted. */
const faultOf = <Kind>(kind: fc.Arbitrary<Kind>) =>
	fc.record({
		kind,
		operation: fc.constantFrom('trackShipments', 'findShipments', 'getShipment', '*'),
		times: fc.integer({ min: 1, max: 5 }),
	});
const FAILURES = ['status', 'rateLimit', 'halfBody', 'reset', 'latency', 'rowFails'] as const;
const fault = faultOf(fc.constantFrom(...FAILURES, 'html', 'limited'));
export type AnyFault = Of<typeof fault>;

function stepOf<const What extends string, Fields = object>(
	weight: number,
	what: What,
	fields = {} as { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) {
	const parts = fc.tuple(minutes, fc.record(fields) as fc.Arbitrary<Fields>);
	return { weight, arbitrary: parts.map(([wait, other]) => ({ what, minutes: wait, ...other })) };
}

const how = fc.constantFrom('update', 'activate', 'afterPause', 'duringPoll', 'duringPoll');
const step = fc.oneof(
	stepOf(12, 'poll'),
	stepOf(2, 'overlappingPolls'),
	stepOf(4, 'kill', { isDuringPoll: fc.boolean() }),
	stepOf(4, 'republish', { how, isRenamed: fc.boolean() }),
	stepOf(2, 'select', { selection }),
	stepOf(4, 'create', { serviceType, pieceCount }),
	stepOf(10, 'event', { shipment, minutesOld, codes }),
	stepOf(2, 'repeat', { shipment }),
	stepOf(1, 'cancel', { shipment }),
	stepOf(2, 'refuse', { shipment, isNamed: fc.boolean() }),
	stepOf(3, 'fault', { fault }),
	stepOf(3, 'heal'),
	stepOf(1, 'settle'),
);
export type Step = Of<typeof step>;

const records = fc.record({
	mode: fc.constantFrom('default', 'durable'),
	service: fc.constantFrom(...SERVICE_KINDS),
	/** Hours between two events that the service adds by itself. */
	stepHours: fc.constantFrom(6, 40),
	startFrom: fc.constantFrom('now', 'now', 'existing'),
	watch: fc.constantFrom('account', 'account', 'carrier', 'list'),
	freshness: fc.constantFrom('balanced', 'balanced', 'everyPoll'),
	selection,
	/** The days of No Movement and Waiting for Pickup; null if they are not selected. */
	limits: fc.option(
		fc.record({ noMovement: fc.constantFrom(1, 2), waitingForPickup: fc.constant(1) }),
		{ freq: 2 },
	),
	/** Two of them are just before a daylight saving change. */
	publishedAt: fc.constantFrom('2026-03-28T09:00Z', '2026-06-10T09:00Z', '2026-10-24T09:00Z'),
	existing: fc.array(
		fc.record({ serviceType, pieceCount, hoursAgo: fc.integer({ min: 1, max: 40 }) }),
		{ maxLength: 4 },
	),
	faultsAtStart: fc.oneof(
		{ weight: 3, arbitrary: fc.constant([]) },
		{ weight: 1, arbitrary: fc.array(faultOf(fc.constantFrom(...FAILURES)), { maxLength: 2 }) },
	),
	steps: fc.array(step, { minLength: 3, maxLength: 30 }),
});
export type History = Of<typeof records>;

/** The service may refuse a list in which nothing exists. Publishing then fails and says so. */
export const histories = records.filter(
	({ watch, existing }) => watch !== 'list' || existing.length > 0,
);
