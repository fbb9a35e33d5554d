import { takePeriodEvents, updatePeriods } from '../../../nodes/ParcelShipping/tracking/periods';
import type { WatchedShipment } from '../../../nodes/ParcelShipping/tracking/state';
import type { TrackingEvent } from '../../../nodes/ParcelShipping/transport/contract';
import { shipmentOf, watchOf } from '../../support/watched';

/** A moment in June 2026: 10 is the start of the day, 10.5 is noon. */
const at = (day: number) => Date.parse('2026-06-01T00:00:00Z') + (day - 1) * 86_400_000;
const HOUR = 1 / 24;

const limits = { noMovement: 2, waitingForPickup: 2 };
const watch = watchOf({ limits, timezone: 'UTC' });
const periodsFrom = { noMovement: 0, waitingForPickup: 0 };

/** An event of a category, at a day if it has a date. */
const on = (category: string, day?: number) =>
	({
		category,
		date: day === undefined ? '' : new Date(at(day)).toISOString().slice(0, 19),
		delivered: category === 'Delivered',
	}) as TrackingEvent;

/** Some services send this for a missing date. */
const dated0001 = (category: string) =>
	({ ...on(category), date: '0001-01-01T00:00:00' }) as TrackingEvent;

const transit = (day: number) => on('Transit', day);
const ready = (day: number) => on('TransitReady', day);
const returned = (day: number) => on('DeliveredBack', day);

/** A poll at a day, and the events in its response. */
const poll = (day: number, ...events: TrackingEvent[]) => ({ nowMs: at(day), events });

type Poll = ReturnType<typeof poll>;

/** A shipment after these responses, and the events of the trigger as `category day`. */
function play(polls: Poll[], first: Partial<WatchedShipment> = {}, from = periodsFrom) {
	let shipment = shipmentOf(1, first);
	const known = new Set<string>();
	const reported: string[] = [];
	for (const { nowMs, events } of polls) {
		const unknown = events.filter((event) => !known.has(JSON.stringify(event)));
		const comparison = { nowMs, timezone: 'UTC', idTimezone: 'UTC', limits };
		const periods = updatePeriods(shipment, events, new Set(unknown), comparison);
		const marks = shipment.marks + 'x'.repeat(unknown.length);
		shipment = { ...shipment, marks, ...(periods ? { periods } : {}) };
		delete shipment.newSince;
		for (const event of unknown) known.add(JSON.stringify(event));
		const state = { shipments: [shipment], periodsFrom: from };
		const taken = takePeriodEvents(state, watch, nowMs);
		[shipment] = taken.shipments as [WatchedShipment];
		for (const { event } of taken.newEvents) {
			const { category, since } = event as { category: string; since?: string };
			reported.push(`${category} ${Number(since?.slice(8, 10))}`);
		}
	}
	const { running = {} } = shipment.periods ?? {};
	const unreported = Object.entries(running).filter(([, period]) => period?.isReported === false);
	return {
		since: Object.fromEntries(unreported.map(([type, period]) => [type, period?.since])),
		reported,
	};
}

test('a shipment that stands still for two days is reported once, and again after it has moved', () => {
	const moved = poll(11, transit(8), transit(11));
	const { reported } = play([poll(8, transit(8)), poll(10), poll(10.5), moved, poll(13)]);
	expect(reported).toEqual(['NoMovement 8', 'NoMovement 11']);
});

test('a standstill that was reported before the first event is not reported again with it', () => {
	const { reported } = play([poll(8), poll(10), poll(10.5, transit(7)), poll(11, transit(7))]);
	expect(reported).toEqual(['NoMovement 8']);
});

test('a shipment that waits at the pickup point for two days is reported once, also after a reminder', () => {
	const reminded = poll(11, ready(8), ready(11));
	const { reported } = play([poll(8, ready(8)), poll(10), reminded, poll(14)]);
	expect(reported).toEqual(['NoMovement 8', 'WaitingForPickup 8', 'NoMovement 11']);
});

test.each<[string, Poll[], number | undefined]>([
	['with the latest event', [poll(10.5, transit(10), on('Created', 9))], 10],
	['with the first response if no event has a date', [poll(10.5, on('Transit'))], 10.5],
	['with the latest date if one event has none', [poll(10.5, on('Customs'), transit(10))], 10],
	[
		'with the poll if a new event has no date',
		[
			poll(10.5, transit(10)),
			poll(11, transit(10), on('Customs')),
			poll(12, on('Customs'), on('Created', 9)),
		],
		11,
	],
	[
		'with the poll if a new event has the year 1',
		[poll(10.5, transit(10)), poll(11, transit(10), dated0001('Transit'))],
		11,
	],
	// It can happen during the poll, and the clock of the carrier can be fast.
	['with its date, up to an hour ahead', [poll(10, transit(10 + HOUR))], 10 + HOUR],
	['with the poll if it is later than that', [poll(10, transit(12)), poll(10.5, transit(12))], 10],
	['not again with a late event', [poll(10.5, transit(10)), poll(11, transit(9))], 10],
	['with the first response without an event', [poll(10), poll(10.5)], 10],
	[
		'with the latest event, if the first responses have none',
		[poll(10), poll(10.5, transit(9))],
		9,
	],
	['never after the delivery', [poll(10.5, on('Delivered', 10))], undefined],
	['never after the cancellation', [poll(10.5, on('Cancel', 10))], undefined],
	[
		'never after a return, also with another event of that second',
		[poll(10.5, returned(10), transit(10))],
		undefined,
	],
	[
		'never after a return, also with a later notice',
		[poll(10.5, returned(10)), poll(11.5, returned(10), on('Customs', 11))],
		undefined,
	],
	[
		'when a returned shipment is sent again',
		[poll(10.5, returned(10)), poll(11.5, returned(10), transit(11))],
		11,
	],
])('a standstill begins %s', (_, responses, day) => {
	expect(play(responses).since.noMovement).toBe(day && at(day));
});

test.each<[string, Poll[], number | undefined]>([
	['not before', [poll(10.5, transit(10))], undefined],
	['with the first event', [poll(10.5, ready(10), ready(9.5))], 9.5],
	[
		'with the first event, if another response has only a late one',
		[poll(10.5, ready(10)), poll(11, ready(9.5))],
		9.5,
	],
	[
		'with the delivery to the pickup point',
		[poll(10.5, transit(9), on('DeliveredPickup', 10))],
		10,
	],
	['not if it has left since', [poll(10.5, ready(9), on('DeliveringBack', 10))], undefined],
	[
		'not if it leaves in the same second',
		[poll(10.5, ready(10)), poll(11, ready(10), transit(10))],
		undefined,
	],
	[
		'in the second of a scan that comes before it in an ascending response',
		[poll(10.5, transit(9), transit(10), ready(10)), poll(11, ready(10), transit(10), transit(9))],
		10,
	],
	[
		'in the second of a scan that comes before it, with the newest first',
		[poll(10.5, ready(10), transit(10), transit(9))],
		10,
	],
	[
		'not if it leaves in that second, with the newest first',
		[poll(10.5, transit(10), ready(10), transit(9))],
		undefined,
	],
	[
		'not in that second if the response is in another order',
		[poll(10.5, transit(9), ready(10), transit(10), transit(8))],
		undefined,
	],
	[
		'not in that second if nothing says which order it is',
		[poll(10.5, transit(10), ready(10))],
		undefined,
	],
	[
		'not if it leaves in that second, in an ascending response',
		[poll(10.5, transit(9), ready(10), transit(10))],
		undefined,
	],
	[
		'again at the next pickup point',
		[poll(9.5, ready(9)), poll(11.5, ready(9), transit(10), ready(11))],
		11,
	],
	[
		'not again if a response leaves out the departure',
		[
			poll(9.5, ready(9)),
			poll(10.5, ready(9), on('TransitCarrier', 10)),
			poll(11.5, ready(9), on('Customs', 11)),
		],
		undefined,
	],
	[
		'not with a late event from before the departure',
		[poll(10.5, transit(10)), poll(11, ready(9))],
		undefined,
	],
	[
		'with the poll if the event has the year 1',
		[poll(9.5, on('TransitCarrier', 9)), poll(10, dated0001('TransitReady'))],
		10,
	],
	[
		'not with a late event if the departure had no date',
		[
			poll(9.5, ready(9)),
			poll(11, ready(9), on('Transit')),
			poll(12, ready(9), on('Transit'), ready(10)),
		],
		undefined,
	],
	[
		'with a reminder if a late departure was before it',
		[poll(9.5, ready(8), ready(9)), poll(10, ready(9), transit(8.5))],
		9,
	],
	[
		'on the day of the last scan, if it comes later and neither has a time',
		[poll(10.5, transit(10)), poll(10.6, transit(10), ready(10)), poll(11, transit(10), ready(10))],
		10,
	],
	['and goes on in a problem', [poll(9.5, ready(9)), poll(10.5, on('Error', 10))], 9],
])('waiting for pickup begins %s', (_, responses, day) => {
	expect(play(responses).since.waitingForPickup).toBe(day && at(day));
});

test.each<{ name: string; first: Partial<WatchedShipment>; began: number; isReported: boolean }>([
	{ name: 'before publishing', first: { newSince: at(10) }, began: 7, isReported: false },
	{ name: 'with Existing Events', first: { newSince: 0 }, began: 7, isReported: true },
	{ name: 'and was over before', first: { newSince: at(9.5) }, began: 7, isReported: false },
	{ name: 'and was over at that moment', first: { newSince: at(9) }, began: 7, isReported: true },
	{ name: 'and was over later', first: { newSince: at(10) }, began: 9, isReported: true },
])('a period that began $name is reported: $isReported', ({ first, began, isReported }) => {
	const responses = [10, 11].map((day) => poll(day, ready(began)));
	const { reported, since } = play(responses, first);
	const expected = isReported ? [`NoMovement ${began}`, `WaitingForPickup ${began}`] : [];
	expect({ reported, since }).toEqual({ reported: expected, since: {} });
});

test('a period whose type was selected later is reported if it was over after that', () => {
	const selected = { noMovement: at(10), waitingForPickup: at(10) };
	const report = (...responses: Poll[]) => play(responses, {}, selected).reported;
	expect(report(poll(10.2, transit(8.1)))).toEqual(['NoMovement 8']);
	expect(report(poll(10.2, transit(7.9)))).toEqual([]);
});

test('a period that began before publishing is not taken as reported before its type is selected', () => {
	const comparison = { nowMs: at(10), timezone: 'UTC', idTimezone: 'UTC' };
	const limits = { noMovement: 2 };
	const first = shipmentOf(1, { newSince: at(10) });
	const periods = updatePeriods(first, [ready(9)], new Set(), { ...comparison, limits });
	expect(periods?.running.waitingForPickup).toEqual({ since: at(9), isReported: false });
});

describe('The events of the trigger itself', () => {
	const still = (day: number) => ({
		running: { noMovement: { since: at(day), isReported: false } },
	});
	const inactive = (id = 1, changes: Partial<WatchedShipment> = {}) =>
		shipmentOf(id, { periods: still(8), ...changes });
	const take = (shipments: WatchedShipment[], day: number, max?: number) =>
		takePeriodEvents({ shipments, periodsFrom }, watch, at(day), max);

	test('come once, exactly when the days are over, and say whether they are the first and the latest', () => {
		expect(take([inactive()], 10 - 1 / 86_400_000).newEvents).toEqual([]);
		const taken = take([inactive(1, { latestAt: at(11) })], 10);
		const event = { date: '2026-06-10T00:00:00Z', code: '', type: 'Trigger', delivered: false };
		expect(taken.newEvents).toMatchObject([{ event, isFirstOfGroup: true, isLatest: false }]);
		expect(take(taken.shipments, 20).newEvents).toEqual([]);
		const again = take([{ ...(taken.shipments[0] as WatchedShipment), periods: still(12) }], 20);
		expect(again.newEvents).toMatchObject([{ isFirstOfGroup: false, isLatest: true }]);
	});

	test('have the same ID with another number of days, and in every version', () => {
		const named = [1, 3].map((noMovement) => {
			const state = { shipments: [inactive()], periodsFrom };
			const changed = { ...watch, limits: { noMovement } };
			const [newEvent] = takePeriodEvents(state, changed, at(20)).newEvents;
			return [newEvent?.event.name, newEvent?.eventId];
		});
		const eventId = 'PZpfnW7Dgx4rJW9gbB4Z5x';
		expect(named).toEqual([
			['No event for 1 day', eventId],
			['No event for 3 days', eventId],
		]);
		const later = take([inactive(1, { periods: still(9) })], 20);
		expect(later.newEvents[0]?.eventId).not.toBe(eventId);
	});

	test('do not exist for shipments that are not watched, have ended or are finished', () => {
		const others = [
			{ listed: 'unlisted' as const },
			{ endedAt: at(9) },
			{ status: 'finished' as const },
		];
		const shipments = others.map((changes) => inactive(1, changes));
		expect(take(shipments, 20).newEvents).toEqual([]);
	});

	test('that exceed the limit of an execution follow with the next poll', () => {
		const all = [1, 2, 3].map((id) => inactive(id));
		const first = take(all, 20, 2);
		const second = take(first.shipments, 20, 2);
		const idsOf = ({ newEvents }: typeof first) => newEvents.map(({ shipment }) => shipment.id);
		expect([idsOf(first), idsOf(second)]).toEqual([[1, 2], [3]]);
	});

	test('do not exist for a period that was over before the type was selected', () => {
		const selected = { shipments: [inactive()], periodsFrom: { noMovement: at(10.1) } };
		const taken = takePeriodEvents(selected, watch, at(20));
		expect(taken.newEvents).toEqual([]);
		expect(take(taken.shipments, 21).newEvents).toEqual([]);
	});

	test('leave nothing in the state if no type is selected', () => {
		const state = { shipments: [inactive()], periodsFrom: {} };
		expect(takePeriodEvents(state, watchOf(), at(20)).shipments).toEqual([shipmentOf(1)]);
	});
});
