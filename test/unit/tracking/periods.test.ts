import { compareEvents } from '../../../nodes/ParcelShipping/tracking/compare';
import { takePeriodEvents, unreportedSince } from '../../../nodes/ParcelShipping/tracking/periods';
import { dayOf, type WatchedShipment } from '../../../nodes/ParcelShipping/tracking/state';
import type { PeriodType } from '../../../nodes/ParcelShipping/tracking/eventGroups';
import type { TrackingEvent } from '../../../nodes/ParcelShipping/transport/contract';
import { shipmentOf, watchOf } from '../../support/watched';

import { mapValues } from 'lodash';

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
	const reported: string[] = [];
	for (const { nowMs, events } of polls) {
		const comparison = { nowMs, timezone: 'UTC', idTimezone: 'UTC', limits };
		({ shipment } = compareEvents(shipment, events, comparison));
		const state = { shipments: [shipment], periodsFrom: from };
		const taken = takePeriodEvents(state, watch, nowMs);
		[shipment] = taken.shipments as [WatchedShipment];
		for (const { event } of taken.newEvents) {
			const { category, since } = event as { category: string; since?: string };
			reported.push(`${category} ${Number(since?.slice(8, 10))}`);
		}
	}
	const since = mapValues(limits, (_, type) => unreportedSince(shipment, type as PeriodType));
	return { since, reported };
}

test('a shipment that stands still for two days is reported once, and again after it has moved', () => {
	const moved = poll(11, transit(8), transit(11));
	const { reported } = play([poll(8, transit(8)), poll(10), poll(10.5), moved, poll(13)]);
	expect(reported).toEqual(['NoMovement 8', 'NoMovement 11']);
});

test('a standstill that was reported before the first event is not reported again with it', () => {
	const polls = [poll(8), poll(10), poll(10.5, transit(7)), poll(11, transit(7))];
	const { reported } = play(polls, { addedDay: dayOf(at(7)) });
	expect(reported).toEqual(['NoMovement 8']);
});

test('a shipment that waits at the pickup point for two days is reported once, also after a reminder', () => {
	const reminded = poll(11, ready(8), ready(11));
	const { reported } = play([poll(8, ready(8)), poll(10), reminded, poll(14)]);
	expect(reported).toEqual(['NoMovement 8', 'WaitingForPickup 8', 'NoMovement 11']);
});

test.each<[string, Poll[], number | undefined]>([
	['with the latest event', [poll(10.5, transit(10), on('Created', 9))], 10],
	['at the end of the day if no event has a date', [poll(10.5, on('Transit'))], 11],
	['with the latest date if one event has none', [poll(10.5, on('Customs'), transit(10))], 10],
	[
		'not with a new event that has no date',
		[poll(10.5, transit(10)), poll(11, transit(10), on('Customs'))],
		10,
	],
	['not with an event that has the year 1', [poll(10.5, dated0001('Transit'))], 11],
	// It can happen during the poll, and the clock of the carrier can be fast.
	['with its date, up to an hour ahead', [poll(10, transit(10 + HOUR))], 10 + HOUR],
	['not with an event that is planned', [poll(10.5, transit(10), transit(12))], 10],
	[
		'with an event that looked planned when it came, once it has happened',
		[poll(10, transit(9), transit(10.2)), poll(10.5, transit(9), transit(10.2))],
		10.2,
	],
	['not again with a late event', [poll(10.5, transit(10)), poll(11, transit(9))], 10],
	['at the end of the day without an event', [poll(10), poll(10.5)], 11],
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
	['not if it was returned in the same second', [poll(10.5, ready(10), returned(10))], undefined],
	['in the second of another scan', [poll(10.5, ready(10)), poll(11, ready(10), transit(10))], 10],
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
	['not with an event that has the year 1', [poll(10, dated0001('TransitReady'))], undefined],
	['not with an event that is planned', [poll(10, ready(11))], undefined],
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
	expect({ reported, since }).toEqual({
		reported: expected,
		since: mapValues(since, () => undefined),
	});
});

test('a period whose type was selected later is reported if it was over after that', () => {
	const selected = { noMovement: at(10), waitingForPickup: at(10) };
	const report = (...responses: Poll[]) => play(responses, {}, selected).reported;
	expect(report(poll(10.2, transit(8.1)))).toEqual(['NoMovement 8']);
	expect(report(poll(10.2, transit(7.9)))).toEqual([]);
});

test('a period that began before publishing is not taken as reported before its type is selected', () => {
	const comparison = { nowMs: at(10), timezone: 'UTC', idTimezone: 'UTC' };
	const first = shipmentOf(1, { newSince: at(10) });
	const selected = { ...comparison, limits: { noMovement: 2 } };
	const { shipment } = compareEvents(first, [ready(9)], selected);
	expect(unreportedSince(shipment, 'waitingForPickup')).toBe(at(9));
});

describe('The events of the trigger itself', () => {
	const inactive = (id = 1, changes: Partial<WatchedShipment> = {}) =>
		shipmentOf(id, { latestAt: at(8), ...changes });
	const take = (shipments: WatchedShipment[], day: number, max?: number) =>
		takePeriodEvents({ shipments, periodsFrom }, watch, at(day), max);

	test('come once, exactly when the days are over, and say whether they are the first and the latest', () => {
		expect(take([inactive()], 10 - 1 / 86_400_000).newEvents).toEqual([]);
		const taken = take([inactive()], 10);
		const event = { date: '2026-06-10T00:00:00Z', code: '', type: 'Trigger', delivered: false };
		expect(taken.newEvents).toMatchObject([{ event, isFirstOfGroup: true, isLatest: true }]);
		expect(take(taken.shipments, 20).newEvents).toEqual([]);
		const again = take([{ ...(taken.shipments[0] as WatchedShipment), latestAt: at(12) }], 20);
		expect(again.newEvents).toMatchObject([{ isFirstOfGroup: false, isLatest: true }]);
		const waiting = take([inactive(1, { readyAt: at(8), latestAt: at(11) })], 12);
		expect(waiting.newEvents).toMatchObject([{ isFirstOfGroup: true, isLatest: false }]);
	});

	test('have the same ID with another number of days, and in every version', () => {
		const named = [1, 3].map((noMovement) => {
			const state = { shipments: [inactive()], periodsFrom };
			const changed = { ...watch, limits: { noMovement } };
			const [newEvent] = takePeriodEvents(state, changed, at(20)).newEvents;
			return [newEvent?.event.name, newEvent?.eventId];
		});
		const eventId = 'WEH_dn7c_UEGqNmI5B-EUa';
		expect(named).toEqual([
			['No event for 1 day', eventId],
			['No event for 3 days', eventId],
		]);
		const later = take([inactive(1, { latestAt: at(9) })], 20);
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
});
