import { eventGroupOf } from '../../../nodes/ParcelShipping/tracking/eventGroups';
import {
	happenedBy,
	type HistoryEvent,
	isOver,
	lastAt,
	localTime,
	markOf,
	momentOf,
	newOnes,
	readEvents,
	readPeriods,
	type SentEvent,
	withOffset,
} from '../../../nodes/ParcelShipping/tracking/history';

// What the trigger decides from a response, as tables.

const PRAGUE = { zone: 'Europe/Prague', idZone: 'Europe/Prague' };
const DAYS = { noMovement: 5, waitingForPickup: 3 };
/** 11:00 in Prague. */
const nowMs = Date.parse('2026-06-10T09:00:00Z');
const moment = momentOf(nowMs, PRAGUE, DAYS);

const NEW = { carrier: 'ANT', number: '001', addedOn: 20_614, marks: '', latest: '' };

/** Categories by short names. With a flag, the event says more than its category. */
const SENT: Record<string, SentEvent> = {
	created: { category: 'Created' },
	ordered: { category: 'Ordered' },
	accepted: { category: 'TransitCarrier' },
	moving: { category: 'TransitOnTheWay' },
	ready: { category: 'TransitReady' },
	atPoint: { category: 'DeliveredPickup', delivered: false },
	pickedUp: { category: 'DeliveredPickup', delivered: true },
	delivered: { category: 'Delivered', delivered: true },
	canceled: { category: 'CancelSender', canceled: true },
	returning: { category: 'DeliveringBack' },
	returned: { category: 'DeliveredBack', delivered: true },
	problem: { category: 'ErrorRecepient' },
	weather: { category: 'Weather' },
};

/** `moving 09 12:30` is an event of June 9. Without a date, it has none. */
function sent(texts: string): SentEvent[] {
	return texts
		.split(',')
		.map((text) => text.trim())
		.filter((text) => text !== '')
		.map((text, at) => {
			const [name = '', day, time = '08:00'] = text.split(' ');
			return { code: `${name} ${at}`, date: day ? `2026-06-${day}T${time}:00` : '', ...SENT[name] };
		});
}

const read = (texts: string, shipment = NEW) => readEvents(sent(texts), shipment, moment);

/** The shipment after a response with these events, all of which are known then. */
function after(texts: string) {
	const history = read(texts);
	const periods = readPeriods(history, NEW, moment);
	const marks = [...history, ...periods].map(({ id }) => markOf(id)).join('');
	return { ...NEW, marks, latest: lastAt(happenedBy(history, moment)) };
}

const nameOf = ({ event }: HistoryEvent) => String(event.code || event.category).split(' ')[0];

describe('The ID of an event', () => {
	const event = {
		...{ date: '2026-06-09T10:00:00', code: '340', category: 'TransitOnTheWay', item: '001' },
		...{ name: 'On the way', carrierCode: '7', delivered: false },
	};
	const idOf = (changes: object, shipment = NEW, zones = PRAGUE) =>
		readEvents([{ ...event, ...changes }], shipment, momentOf(nowMs, zones, DAYS))[0]?.id;

	test.each<[string, object]>([
		['reword it', { name: 'In other words' }],
		['correct a flag', { delivered: true }],
		['add decimals to the date', { date: '2026-06-09T10:00:00.0000000' }],
		['add an offset to the date', { date: '2026-06-09T08:00:00Z' }],
		['write the date with a space', { date: '2026-06-09 10:00' }],
		['write the code as a number', { code: 340 }],
		['write the category in another case', { category: 'transitontheway' }],
	])('stays the same if a provider begins to %s', (_, changes) => {
		expect(idOf(changes)).toBe(idOf({}));
	});

	test.each<[string, object]>([
		['second', { date: '2026-06-09T10:00:01' }],
		['code', { code: '341' }],
		['category', { category: 'Weather' }],
		['piece', { item: '002' }],
		['code of the carrier', { carrierCode: '8' }],
	])('is another one for another %s', (_, changes) => {
		expect(idOf(changes)).not.toBe(idOf({}));
	});

	test('is another one for another shipment and another carrier', () => {
		expect(idOf({}, { ...NEW, number: '002' })).not.toBe(idOf({}));
		expect(idOf({}, { ...NEW, carrier: 'BEAVER' })).not.toBe(idOf({}));
	});
});

test.each<[string, string | null]>([
	['delivered', 'delivered'],
	['atPoint', 'readyForPickup'],
	['pickedUp', 'delivered'],
	['canceled', 'canceled'],
	['returned', 'returned'],
	['problem', 'problem'],
	['weather', null],
])('an event of the kind %s is in the group %s', (name, group) => {
	expect(eventGroupOf(SENT[name] ?? {})).toBe(group);
});

test.each<[unknown, string]>([
	['2026-06-10T09:31:07', '2026-06-10T09:31:07'],
	['2026-06-10T09:31:07.1234567', '2026-06-10T09:31:07'],
	['2026-06-10', '2026-06-10T00:00:00'],
	['2026-06-10T07:31:07Z', '2026-06-10T09:31:07'],
	['2026-06-10T03:31:07-0400', '2026-06-10T09:31:07'],
	['2026-13-10T07:31:07Z', ''],
	['0001-01-01T00:00:00', ''],
	[null, ''],
])('the date %j is %j in the zone', (date, expected) => {
	expect(localTime(date, 'Europe/Prague')).toBe(expected);
});

test.each([
	['2026-06-10T09:31:07', '2026-06-10T09:31:07+02:00'],
	// It occurs twice: the first one counts.
	['2025-10-26T02:30:00', '2025-10-26T02:30:00+02:00'],
	// It does not exist.
	['2025-03-30T02:30:00', '2025-03-30T03:30:00+02:00'],
	['', null],
])('the local time %j is %j on every server', (local, expected) => {
	expect(withOffset(local, 'Europe/Prague')).toBe(expected);
});

test.each<[string, string, string]>([
	['oldest first, without a date last', 'problem, moving 09, created 08', 'created moving problem'],
	[
		'in one second, the delivery last',
		'delivered 09, ready 09, moving 09',
		'moving ready delivered',
	],
])('events are sorted: %s', (_, texts, expected) => {
	expect(read(texts).map(nameOf).join(' ')).toBe(expected);
});

test('an event that a response repeats comes once, with its first text', () => {
	const [event = {}] = sent('moving 09');
	const repeated = [
		{ ...event, name: 'First' },
		{ ...event, name: 'Second' },
	];
	expect(readEvents(repeated, NEW, moment).map((each) => each.event.name)).toEqual(['First']);
});

/** The names of the unknown events with a flag. */
const flagged = (flag: 'isFirstOfGroup' | 'isLatest', before: string, now: string) =>
	read(now, after(before))
		.filter((each) => !each.isKnown && each[flag])
		.map(nameOf)
		.join(' ');

test.each<[string, string, string, string]>([
	['the first one', '', 'created 08, delivered 09', 'created delivered'],
	['one of two', '', 'delivered 08, delivered 09', 'delivered'],
	['none if one is known', 'delivered 09', 'delivered 09, delivered 10', ''],
	['none if a later one is known', 'delivered 09', 'delivered 09, delivered 08', ''],
	['all without a group', '', 'weather 08, weather 09', 'weather weather'],
])('the first event of its group is %s', (_, before, now, expected) => {
	// The code has the position in the response, so a known event keeps its place.
	expect(flagged('isFirstOfGroup', before, now)).toBe(expected);
});

test.each<[string, string, string, string]>([
	['the last one', '', 'created 08, moving 09', 'moving'],
	['both of one second', '', 'moving 09, problem 09', 'moving problem'],
	['none if a later one is known', 'delivered 09', 'delivered 09, moving 08', ''],
	['none if a later known one is missing', 'delivered 09', 'moving 08', ''],
	['one without a date', '', 'moving 09, problem', 'moving problem'],
	[
		'a planned one, and the last one that happened',
		'',
		'moving 09, delivered 12',
		'moving delivered',
	],
])('the latest event is %s', (_, before, now, expected) => {
	expect(flagged('isLatest', before, now)).toBe(expected);
});

test.each<[string, string, boolean]>([
	['on its way', 'created 08, moving 09', false],
	['at the pickup point', 'created 08, atPoint 09', false],
	['delivered', 'created 08, delivered 09', true],
	['picked up', 'created 08, atPoint 08, pickedUp 09', true],
	['canceled', 'created 08, canceled 09', true],
	['back at the sender', 'created 07, returning 08, returned 09', true],
	['delivered, with a later scan', 'created 08, delivered 09, moving 10', true],
	[
		'canceled, and announced to the carrier later',
		'created 08, canceled 09, ordered 09 10:00',
		true,
	],
	['canceled and created again with its number', 'created 08, canceled 09, created 10', false],
	['created again and delivered', 'created 07, canceled 08, created 09, delivered 10', true],
	['delivered without a date', 'created 08, delivered', true],
	['to be delivered tomorrow', 'created 08, delivered 11', false],
])('a shipment that is %s (%j) is over: %s', (_, texts, expected) => {
	expect(isOver(read(texts), moment)).toBe(expected);
});

const periodsOf = (texts: string, shipment = NEW, at = moment) =>
	readPeriods(readEvents(sent(texts), shipment, at), shipment, at);

test.each<[string, string, string]>([
	['an event yesterday', 'moving 09', ''],
	['the last event six days ago', 'created 03, moving 04', 'NoMovement'],
	['an arrival four days ago', 'moving 05, ready 06', 'WaitingForPickup'],
	['an arrival six days ago', 'moving 03, ready 04', 'NoMovement WaitingForPickup'],
	['a problem since the arrival', 'ready 05, problem 09', 'WaitingForPickup'],
	['a departure since the arrival', 'ready 04, moving 09', ''],
	['a second arrival after a departure', 'ready 04, moving 08, ready 09', ''],
	['a second scan at the pickup point', 'ready 05, ready 09', 'WaitingForPickup'],
	['an arrival in the second of another scan', 'moving 06, atPoint 06', 'WaitingForPickup'],
	['a delivery', 'ready 03, delivered 04', ''],
	['a delivery without a date', 'ready 04, delivered', ''],
	['a return on the day of the arrival', 'atPoint 04, returned 04', ''],
	['a planned delivery', 'moving 04, delivered 12', 'NoMovement'],
	['an event without a date', 'moving 04, problem', 'NoMovement'],
])('with %s (%j), the periods that are over are %j', (_, texts, expected) => {
	const categories = periodsOf(texts).map(({ event }) => event.category);
	expect(categories.join(' ')).toBe(expected);
});

describe('A period', () => {
	test('says since when, for how many days, and when these were over', () => {
		const [{ event, at } = { event: {}, at: '' }] = periodsOf('moving 04');
		expect(event).toMatchObject({
			...{ since: '2026-06-04T08:00:00+02:00', date: '2026-06-09T08:00:00+02:00', days: 5 },
			name: 'No Movement for 5 days',
		});
		expect(at).toBe('2026-06-09T08:00:00');
	});

	test('of a shipment without events begins with the day on which it was found', () => {
		const later = momentOf(Date.parse('2026-06-15T22:00:00Z'), PRAGUE, DAYS);
		expect(periodsOf('', NEW, later)).toMatchObject([
			{ event: { since: '2026-06-10T23:59:59+02:00' } },
		]);
	});

	test('keeps its ID when another zone becomes known', () => {
		const idIn = (zone: string) => {
			const at = momentOf(nowMs, { ...PRAGUE, zone }, DAYS);
			const event = { date: '2026-06-04T06:00:00Z', category: 'Transit' };
			return readPeriods(readEvents([event], NEW, at), NEW, at)[0]?.id;
		};
		expect(idIn('America/New_York')).toBe(idIn('Europe/Prague'));
	});

	test('is known after it was reported, although the user has changed the days', () => {
		const shorter = momentOf(nowMs, PRAGUE, { ...DAYS, noMovement: 2 });
		expect(periodsOf('moving 04', after('moving 04'), shorter)).toMatchObject([{ isKnown: true }]);
	});

	test('comes again after another event, and is not the first one then', () => {
		const later = momentOf(Date.parse('2026-06-20T09:00:00Z'), PRAGUE, DAYS);
		expect(periodsOf('moving 04', NEW)).toMatchObject([{ isFirstOfGroup: true }]);
		expect(periodsOf('moving 04, moving 10', after('moving 04'), later)).toMatchObject([
			{ isKnown: false, isFirstOfGroup: false },
		]);
	});

	test('does not come with a response that lacks the latest event', () => {
		expect(periodsOf('moving 04', after('moving 04, moving 09'))).toEqual([]);
		expect(periodsOf('', after('moving 04'))).toEqual([]);
	});
});

test.each<[string, string, string | undefined, string]>([
	['all after the first response', 'created 01, moving 09', undefined, 'created moving'],
	['all with existing events', 'created 01, moving 09', '', 'created moving'],
	['those since the start', 'created 08, moving 10', '2026-06-10T00:00:00', 'moving'],
	['those of the second of the start', 'moving 10', '2026-06-10T08:00:00', 'moving'],
	[
		'all if it was created since then',
		'moving 09, created 10',
		'2026-06-10T00:00:00',
		'moving created',
	],
	[
		'those since the start if it was created before as well',
		'created 08, canceled 09, created 10',
		'2026-06-10T00:00:00',
		'created',
	],
	['none without a date', 'problem', '2026-06-10T00:00:00', ''],
])('new are %s', (_, texts, since, expected) => {
	expect(newOnes(read(texts), since).map(nameOf).join(' ')).toBe(expected);
});
