import { compareEvents, LATE_EVENTS_MS } from '../../nodes/ParcelShipping/tracking/compare';
import { eventIdOf, markOf, marksOf } from '../../nodes/ParcelShipping/tracking/events';
import { ACTIVE_MS } from '../../nodes/ParcelShipping/tracking/select';
import { toMinute, type WatchedShipment, without } from '../../nodes/ParcelShipping/tracking/state';
import type { TrackingEvent } from '../../nodes/ParcelShipping/transport/contract';
import { shipmentOf } from '../support/watched';

import { omit } from 'lodash';

const HOUR_MS = 3_600_000;
const timezone = 'Europe/Prague';
/** 11:00:00 in Prague. */
const startedAt = Date.parse('2026-06-10T09:00:00.700Z');
const nowMs = startedAt + HOUR_MS;

const eventOf = (code: string, date: string, changes: Partial<TrackingEvent> = {}) =>
	({ code, date, category: 'TransitCarrier', item: '001', ...changes }) as TrackingEvent;
const created = (date: string) => eventOf('100', date, { category: 'Created', item: null });

const unrequested = shipmentOf(1, { listed: 'now', newSince: startedAt });

const newCodes = (events: TrackingEvent[], shipment = unrequested, baselineSince?: number) =>
	compareEvents(shipment, events, {
		nowMs,
		timezone,
		...(baselineSince === undefined ? {} : { baselineSince }),
	}).newEvents.map(({ event }) => event.code);

describe('In the first response for a shipment', () => {
	const history = [
		created('2026-06-09T08:00:00'),
		eventOf('1', '2026-06-10T10:59:59'),
		eventOf('2', '2026-06-10T11:00:00'),
		eventOf('3', '2026-06-10T11:30:00'),
		eventOf('4', ''),
	];

	test('no event is new in the poll in which watching starts', () => {
		expect(newCodes(history, unrequested, startedAt)).toEqual([]);
	});

	test('events dated since the start are new if the shipment could not be requested then', () => {
		expect(newCodes(history)).toEqual(['2', '3']);
	});

	test('events that are still pending stay new if the filters change', () => {
		expect(newCodes(history, unrequested, nowMs)).toEqual(['2', '3']);
	});

	test('every event is new if the user wants existing events', () => {
		const all = [...history, eventOf('5', '0001-01-01T00:00:00')];
		expect(newCodes(all, { ...unrequested, newSince: 0 }, startedAt)).toHaveLength(6);
	});

	test('every event is new if the shipment was created since the start', () => {
		const later = [
			created('2026-06-10T11:00:00'),
			eventOf('1', '2026-06-10T00:00:00'),
			eventOf('2', ''),
		];
		expect(newCodes(later)).toEqual(['1', '100', '2']);
	});

	test('an event of another category without an item number says nothing about the creation', () => {
		const later = [eventOf('1', '2026-06-10T11:10:00', { item: null }), eventOf('2', '')];
		expect(newCodes(later)).toEqual(['1']);
	});

	test('a creation without an item number counts like one whose item is null', () => {
		const later = [omit(created('2026-06-10T11:00:00'), 'item'), eventOf('2', '')];
		expect(newCodes(later as TrackingEvent[])).toEqual(['100', '2']);
	});

	test("a carrier's event of the category Created does not mean that the shipment was created", () => {
		const later = [
			eventOf('100', '2026-06-10T11:10:00', { category: 'Created' }),
			eventOf('2', ''),
		];
		expect(newCodes(later)).toEqual(['100']);
	});
});

describe('In later answers', () => {
	const requested = () =>
		compareEvents(unrequested, [eventOf('1', '2026-06-10T08:00:00')], { nowMs, timezone }).shipment;

	test('every event that is not known is new, whatever its date, oldest first', () => {
		const events = [
			eventOf('4', ''),
			eventOf('3', '2026-06-10T11:30:00'),
			eventOf('1', '2026-06-10T08:00:00'),
			eventOf('2', '2020-01-01T00:00:00'),
		];
		expect(newCodes(events, requested())).toEqual(['2', '3', '4']);
	});

	test('a repeated event is new only once, with its first text', () => {
		const one = eventOf('2', '2026-06-10T11:00:00', { name: 'First' });
		const repeated = [one, { ...one, name: 'Second' }];
		const { newEvents } = compareEvents(requested(), repeated, { nowMs, timezone });
		expect(newEvents.map(({ event }) => event.name)).toEqual(['First']);
	});

	test('a shipment that was refused before is requested normally again', () => {
		const refused = { ...requested(), refusedSince: nowMs, nextRequestAt: nowMs };
		const { shipment } = compareEvents(refused, [], { nowMs, timezone });
		expect(shipment).toEqual({ ...requested(), nextRequestAt: expect.any(Number) as number });
		expect(shipment).not.toHaveProperty('newSince');
	});

	test('a new event is news for two hours, whatever its date, and no longer', () => {
		const late = eventOf('2', '2020-01-01T00:00:00');
		const { shipment } = compareEvents(requested(), [late], { nowMs, timezone });
		expect(shipment).toMatchObject({ activeUntil: toMinute(nowMs + ACTIVE_MS) });
		expect(shipment).not.toHaveProperty('nextRequestAt');
		const later = compareEvents(shipment, [late], { nowMs: nowMs + ACTIVE_MS, timezone });
		expect(later.shipment).not.toHaveProperty('activeUntil');
		expect(later.shipment).toHaveProperty('nextRequestAt');
	});

	test('a shipment notes its last movement if the user wants to know of standstills', () => {
		const limits = { noMovement: 3 };
		const event = eventOf('1', '2026-06-10T11:00:00');
		const { shipment } = compareEvents(requested(), [event], { nowMs, timezone, limits });
		expect(shipment).toMatchObject({
			id: unrequested.id,
			periods: { movedAt: Date.parse('2026-06-10T09:00:00Z') },
		});
	});

	test('an event that is missing from one answer stays known', () => {
		const { shipment } = compareEvents(requested(), [], { nowMs, timezone });
		expect(newCodes([eventOf('1', '2026-06-10T08:00:00')], shipment)).toEqual([]);
	});
});

describe('A shipment that was delivered or canceled', () => {
	const requested = without(unrequested, 'newSince');
	const answerAt = (ms: number, shipment: WatchedShipment, events: TrackingEvent[]) =>
		compareEvents(shipment, events, { nowMs: ms, timezone }).shipment;

	test.each([{ delivered: true }, { canceled: true }])('%j is requested every hour', (end) => {
		const inTurn = { ...requested, nextRequestAt: nowMs };
		const after = answerAt(nowMs, inTurn, [eventOf('9', '2026-06-10T12:00:00', end)]);
		expect(after).toMatchObject({ endedAt: nowMs, nextRequestAt: toMinute(nowMs + HOUR_MS) });
	});

	test('is finished 72 hours after its last new event, and not before', () => {
		const end = [eventOf('9', '2026-06-10T12:00:00', { delivered: true })];
		const ended = answerAt(nowMs, requested, end);
		const last = answerAt(nowMs + 72 * HOUR_MS - 1, ended, end);
		expect(last).toMatchObject({ isFinished: false, endedAt: nowMs });
		const finished = answerAt(nowMs + 72 * HOUR_MS, last, end);
		expect(finished).toMatchObject({ isFinished: true, endedAt: nowMs });
		expect(finished).not.toHaveProperty('nextRequestAt');
		expect(LATE_EVENTS_MS).toBe(72 * HOUR_MS);
	});

	test.each([
		['2026-06-10T11:30:00', Date.parse('2026-06-10T09:30:00Z')],
		['2026-06-11T12:00:00', nowMs],
		['', nowMs],
	])('before its first answer, at "%s", waits for late events from then on', (date, endedAt) => {
		const end = eventOf('9', date, { delivered: true });
		expect(answerAt(nowMs, unrequested, [end])).toMatchObject({ endedAt, isFinished: false });
	});

	test('is not over after an event of another kind', () => {
		const after = answerAt(nowMs, requested, [eventOf('9', '2026-06-10T12:00:00')]);
		expect(after).not.toHaveProperty('endedAt');
		expect(after).not.toHaveProperty('nextRequestAt');
	});

	test('is finished after three days without new events; a new event restarts the three days', () => {
		const end = eventOf('9', '2026-06-10T12:00:00', { delivered: true });
		const late = eventOf('8', '2026-06-10T11:00:00');
		const ended = answerAt(nowMs, requested, [end]);
		const corrected = answerAt(nowMs + LATE_EVENTS_MS - 1, ended, [end, late]);
		expect(corrected.isFinished).toBe(false);
		const waiting = answerAt(nowMs + LATE_EVENTS_MS + HOUR_MS, corrected, [end, late]);
		expect(waiting.isFinished).toBe(false);
		const finished = answerAt(nowMs + 2 * LATE_EVENTS_MS, waiting, [end, late]);
		expect(finished).toMatchObject({ isFinished: true, known: '' });
	});

	test('is finished at once if it ended long before its first answer', () => {
		const end = eventOf('9', '2026-06-01T12:00:00', { delivered: true });
		expect(answerAt(nowMs, unrequested, [end])).toMatchObject({ isFinished: true });
	});
});

describe('The ID of an event', () => {
	const event: TrackingEvent = {
		date: '2026-01-14T09:31:07',
		category: 'TransitCarrier',
		code: '310',
		name: 'The carrier has the shipment',
		nameSystem: 'Accepted at depot',
		type: 'Event',
		item: '0012345678901234567890',
		delivered: false,
		canceled: false,
		carrierCode: 'A-02',
	};
	const id = (changes: object = {}, carrier = 'ANT', number = '001') =>
		eventIdOf(carrier, number, { ...event, ...changes }, 'Europe/Prague');

	test.each<[string, object]>([
		['another text for the customer', { name: 'Taken over' }],
		['another text of the system', { nameSystem: 'In depot' }],
		['a corrected flag', { delivered: true }],
		['an unknown field', { place: 'Praha' }],
		['surrounding spaces', { code: ' 310 ' }],
		['an offset in the date', { date: '2026-01-14T09:31:07+01:00' }],
		['the date in UTC', { date: '2026-01-14T08:31:07Z' }],
		['other decimals of the second', { date: '2026-01-14T09:31:07.1234567' }],
		['decimals and an offset', { date: '2026-01-14T09:31:07.1234567+01:00' }],
		['a space in the date', { date: '2026-01-14 09:31:07' }],
	])('stays the same with %s', (_, changes) => {
		expect(id(changes)).toBe(id());
	});

	test.each<[string, object]>([
		['date', { date: '2026-01-14T09:31:08' }],
		['moment', { date: '2026-01-14T09:31:07+02:00' }],
		['day without a time', { date: '2026-01-14' }],
		['code', { code: '311' }],
		['category', { category: 'TransitOnTheWay' }],
		['item', { item: null }],
		["carrier's code", { carrierCode: 'A-03' }],
		['type', { type: 'Other' }],
	])('differs with another %s', (_, changes) => {
		expect(id(changes)).not.toBe(id());
	});

	test('differs between shipments and carriers', () => {
		expect(new Set([id(), id({}, 'BEAVER'), id({}, 'ANT', '002')]).size).toBe(3);
	});

	test('differs if the same characters are split into other fields', () => {
		expect(id({ code: '3', category: '10' })).not.toBe(id({ code: '31', category: '0' }));
	});

	test('is the same for a missing value and for null', () => {
		expect(eventIdOf('ANT', '001', omit(event, 'item'), 'Europe/Prague')).toBe(id({ item: null }));
	});

	test('exists for values that are not text', () => {
		const odd: unknown[] = [{ toString: 1 }, { valueOf: null }, ['310'], 310, true];
		const ids = odd.map((code) => id({ code }));
		expect(new Set(ids).size).toBe(odd.length);
	});

	test('is the same on every server and in every version', () => {
		expect(id()).toBe('tueuARbZ9F106M5PBOFwsG');
	});

	test('has a mark of six characters, which is found among other marks but not across two of them', () => {
		const ids = ['abcdefXX', 'ghijklXX', 'mnopqrXX'];
		const known = ids.map(markOf).join('');
		expect(known).toBe('abcdefghijklmnopqr');
		expect(ids.map((each) => marksOf(known).has(markOf(each)))).toEqual([true, true, true]);
		expect(marksOf(known).has(markOf('defghiXX'))).toBe(false);
		expect(marksOf('').has(markOf('abcdefXX'))).toBe(false);
	});
});
