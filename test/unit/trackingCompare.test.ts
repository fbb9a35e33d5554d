import { compareEvents } from '../../nodes/ParcelShipping/tracking/compare';
import { type WatchedShipment, without } from '../../nodes/ParcelShipping/tracking/state';
import type { TrackingEvent } from '../../nodes/ParcelShipping/transport/contract';
import { shipmentOf } from '../support/watched';

import { omit } from 'lodash';

const HOUR_MS = 3_600_000;
const timezone = 'Europe/Prague';
/** 11:00:00 in Prague. */
const startedAt = Date.parse('2026-06-10T09:00:00.700Z');
const nowMs = startedAt + HOUR_MS;

/** `time` is the local time on the day of the start, or another date. */
const eventOf = (code: string, time: string, changes: Partial<TrackingEvent> = {}) => {
	const date = /^\d\d:\d\d$/.test(time) ? `2026-06-10T${time}:00` : time;
	return { code, date, category: 'TransitCarrier', item: '001', ...changes } as TrackingEvent;
};
const created = (time: string) => eventOf('100', time, { category: 'Created', item: null });

const unrequested = shipmentOf(1, { listed: 'now', newSince: startedAt });
const compare = (shipment: WatchedShipment, events: TrackingEvent[], changes = {}) =>
	compareEvents(shipment, events, { nowMs, timezone, ...changes });
const newCodes = (...parameters: Parameters<typeof compare>) =>
	compare(...parameters).newEvents.map(({ event }) => event.code);

const history = [
	created('2026-06-09T08:00:00'),
	eventOf('1', '2026-06-10T10:59:59'),
	eventOf('2', '11:00'),
	eventOf('3', '11:30'),
	eventOf('4', ''),
];
const withoutItem = omit(created('11:00'), 'item') as TrackingEvent;

type Start = { baselineSince?: number; newSince?: number };

test.each<[string, Start, TrackingEvent[], string[]]>([
	['none in the poll in which watching starts', { baselineSince: startedAt }, history, []],
	['those since the start if it could not be requested then', {}, history, ['2', '3']],
	['those that still were if the filters changed', { baselineSince: nowMs }, history, ['2', '3']],
	[
		'all if the user wants existing events',
		{ baselineSince: startedAt, newSince: 0 },
		[...history.slice(1), eventOf('5', '0001-01-01T00:00:00')],
		['5', '1', '2', '3', '4'],
	],
	[
		'all if the shipment was created since the start, oldest first',
		{},
		[created('11:00'), eventOf('1', '00:00'), eventOf('2', '')],
		['1', '100', '2'],
	],
	[
		'all if it was created since the start, without a field for the item',
		{},
		[withoutItem, eventOf('2', '')],
		['100', '2'],
	],
	[
		'those since the start if only an event of another category has no item',
		{},
		[eventOf('1', '11:10', { item: null }), eventOf('2', '')],
		['1'],
	],
	[
		'those since the start if the carrier says Created of an item',
		{},
		[eventOf('100', '11:10', { category: 'Created' }), eventOf('2', '')],
		['100'],
	],
])(
	'new events in the first response for a shipment: %s',
	(_, { newSince = startedAt, ...comparison }, events, codes) => {
		expect(newCodes({ ...unrequested, newSince }, events, comparison)).toEqual(codes);
	},
);

describe('In later responses', () => {
	const first = eventOf('1', '08:00');
	const { shipment: requested } = compare(unrequested, [first]);

	test('every event that is not known is new, whatever its date, oldest first', () => {
		const late = eventOf('2', '2020-01-01T00:00:00');
		const events = [eventOf('4', ''), eventOf('3', '11:30'), first, late];
		expect(newCodes(requested, events)).toEqual(['2', '3', '4']);
	});

	test('a repeated event is new only once, with its first text', () => {
		const one = eventOf('2', '11:00', { name: 'First' });
		const { newEvents } = compare(requested, [one, { ...one, name: 'Second' }]);
		expect(newEvents.map(({ event }) => event.name)).toEqual(['First']);
	});

	test('an event that is missing from one response stays known', () => {
		const { shipment } = compare(requested, []);
		expect(newCodes(shipment, [first])).toEqual([]);
	});

	test('a shipment that was refused before is requested with the others again', () => {
		const refused = { ...requested, refusedSince: nowMs, nextRequestAt: nowMs };
		const { shipment } = compare(refused, []);
		expect(shipment).toEqual({ ...requested, nextRequestAt: expect.any(Number) as number });
		expect(shipment).not.toHaveProperty('newSince');
	});

	test('a shipment is recently active for two hours after a new event, whatever its date', () => {
		const late = eventOf('2', '2020-01-01T00:00:00');
		const { shipment } = compare(requested, [late]);
		const twoHoursLater = Date.parse('2026-06-10T12:00:00Z');
		expect(shipment).toMatchObject({ activeUntil: twoHoursLater });
		expect(shipment).not.toHaveProperty('nextRequestAt');
		const later = compare(shipment, [late], { nowMs: twoHoursLater });
		expect(later.shipment).not.toHaveProperty('activeUntil');
		expect(later.shipment).toHaveProperty('nextRequestAt');
	});

	test('the last movement is noted if the user selected No Movement', () => {
		expect(requested).not.toHaveProperty('periods');
		const notice = eventOf('1', '11:00', { category: 'Customs' });
		const { shipment } = compare(requested, [notice], { limits: { noMovement: 3 } });
		const movedAt = Date.parse('2026-06-10T09:00:00Z');
		const periods = { movedAt, isQuietReported: false, isWaitReported: false };
		expect(shipment.periods).toEqual(periods);
	});
});

/** An event as `code time category`. Without a time, it has no date. */
const eventsOf = (texts: string) =>
	texts.split(', ').map((text) => {
		const [code = '', time = '', category = 'Delivered'] = text.split(' ');
		return eventOf(code, time === '-' ? '' : time, { category });
	});

test.each<[string, string, string]>([
	['the oldest of its group is the first', '2 11:20, 1 11:10', '1 first, 2 latest'],
	['one of another group is also the first', '1 11:10, 2 11:20 Transit', '1 first, 2 first latest'],
	['one of no group is always the first', '1 11:10 X, 2 11:20 X', '1 first, 2 first latest'],
	[
		'an emitted one is the first, though an older one comes late',
		'2 11:20 | 1 11:10',
		'2 first latest, 1',
	],
	[
		'an older one of another group comes late',
		'2 11:20 | 1 11:10 Transit',
		'2 first latest, 1 first',
	],
	['one from before the start is the first', '1 10:00, 2 11:10', '2 latest'],
	[
		'a response leaves out the others',
		'2 11:20 | 3 11:30 Transit | 4 11:25',
		'2 first latest, 3 first latest, 4',
	],
	['two of the same second are the latest', '1 11:10, 2 11:10', '1 first latest, 2 latest'],
	[
		'one without a date is the latest',
		'1 11:10 | 2 -, 3 11:20 Transit',
		'1 first latest, 3 first latest, 2 latest',
	],
])('which event is the first of its group or the latest: %s', (_, responses, expected) => {
	let shipment = unrequested;
	const flagged = responses.split(' | ').flatMap((texts) => {
		const compared = compare(shipment, eventsOf(texts));
		({ shipment } = compared);
		return compared.newEvents.map(({ event, isFirstOfGroup, isLatest }) =>
			[event.code, ...(isFirstOfGroup ? ['first'] : []), ...(isLatest ? ['latest'] : [])].join(' '),
		);
	});
	expect(flagged.join(', ')).toBe(expected);
});

describe('A shipment that was delivered or canceled', () => {
	const requested = without(unrequested, 'newSince');
	const end = eventOf('9', '12:00', { delivered: true });
	/** The shipment after a response that comes some hours later. */
	const after = (hours: number, shipment: WatchedShipment, events = [end]) =>
		compare(shipment, events, { nowMs: nowMs + hours * HOUR_MS }).shipment;

	test.each([{ delivered: true }, { canceled: true }])('%j is requested every hour', (flag) => {
		const inTurn = { ...requested, nextRequestAt: nowMs };
		const nextRequestAt = Date.parse('2026-06-10T11:00:00Z');
		const ended = after(0, inTurn, [eventOf('9', '12:00', flag)]);
		expect(ended).toMatchObject({ endedAt: nowMs, nextRequestAt });
	});

	test('is finished 72 hours after its last new event, and not before', () => {
		const ended = after(0, requested);
		const last = after(72 - 1 / HOUR_MS, ended);
		expect(last).toMatchObject({ isFinished: false, endedAt: nowMs });
		const finished = after(72, last);
		expect(finished).toMatchObject({ isFinished: true, endedAt: nowMs, known: '' });
		expect(finished).not.toHaveProperty('nextRequestAt');

		const corrected = after(71, ended, [end, eventOf('8', '11:00')]);
		expect(after(142, corrected).isFinished).toBe(false);
		expect(after(143, corrected).isFinished).toBe(true);
	});

	test.each<[string, string, number, boolean]>([
		['an earlier moment', '11:30', Date.parse('2026-06-10T09:30:00Z'), false],
		['a moment in the future', '2026-06-11T12:00:00', nowMs, false],
		['no date', '', nowMs, false],
		['a moment long ago', '2026-06-01T12:00:00', Date.parse('2026-06-01T10:00:00Z'), true],
	])('before its first response ended at that moment: %s', (_, time, endedAt, isFinished) => {
		const ended = after(0, unrequested, [eventOf('9', time, { delivered: true })]);
		expect(ended).toMatchObject({ endedAt, isFinished });
	});

	test('is not over after an event of another kind', () => {
		const moving = after(0, requested, [eventOf('9', '12:00')]);
		expect(moving).not.toHaveProperty('endedAt');
		expect(moving).not.toHaveProperty('nextRequestAt');
	});
});
