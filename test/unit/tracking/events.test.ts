import { eventGroups, periodTypes } from '../../../nodes/ParcelShipping/tracking/eventGroups';
import {
	eventGroupOf,
	eventIdOf,
	groupBit,
	hasEventType,
	markOf,
	marksOf,
	type NewEvent,
	selectEvents,
} from '../../../nodes/ParcelShipping/tracking/events';
import type { TrackingEvent } from '../../../nodes/ParcelShipping/transport/contract';

const of = (category: unknown, flags = {}) =>
	({ category, delivered: false, canceled: false, ...flags }) as Partial<TrackingEvent>;
const [delivered, canceled] = [{ delivered: true }, { canceled: true }];

test.each<[string | null, unknown[]]>([
	['created', ['Created', 0, '0', 'Ordered', 1]],
	['handedOver', ['TransitPickup', 21, 'TransitCarrier', 23]],
	['inTransit', ['Transit', 20, 'TransitOnTheWay', 'transitontheway']],
	['readyForPickup', ['TransitReady', 22, ' TransitReady ', 'DeliveredPickup', 101]],
	['delivered', ['Delivered', 'DeliveredAddress', 100, 102]],
	['returning', ['DeliveringBack', 30]],
	['returned', ['DeliveredBack', 31]],
	['canceled', ['Cancel', 'Canceled', 'CancelRecepient', 'CancelSender', 'CancelCarrier', 11]],
	['problem', ['Error', 'ErrorRecepient', 'ErrorRecipient', 'ErrorSender', 'ERRORCARRIER', 43]],
	[null, ['Customs', 99, '', null, undefined, 'null', {}]],
])('the event group is %s for the categories %j', (group, categories) => {
	const groups = categories.map((category) => eventGroupOf(of(category)));
	expect(groups).toEqual(categories.map(() => group));
});

test('the groups of a saved state mean the same in later versions', () => {
	const categories = ['NoMovement', 'WaitingForPickup', 'Canceled', 'Created', 'Delivered'];
	const others = ['TransitCarrier', 'Transit', 'Error', 'TransitReady', 'DeliveredBack'];
	const bits = [...categories, ...others, 'DeliveringBack', 'Customs'].map((category) =>
		groupBit(eventGroupOf(of(category))),
	);
	expect(bits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 0]);
	const all = Object.values({ ...eventGroups, ...periodTypes }).map(({ bit }) => bit);
	expect(new Set(all).size).toBe(all.length);
});

test.each<[string[], Partial<TrackingEvent>, boolean]>([
	[[], {}, true],
	[['all'], of('Customs'), true],
	[['delivered', 'all'], {}, true],
	[['delivered'], of('Customs', delivered), true],
	[['delivered'], of('DeliveredAddress'), true],
	[['delivered'], of('DeliveredPickup', delivered), true],
	[['readyForPickup'], of('DeliveredPickup', delivered), false],
	[['delivered'], of('DeliveredBack', delivered), false],
	[['returned'], of('DeliveredBack', delivered), true],
	[['canceled'], of('TransitOnTheWay', canceled), true],
	[['canceled'], of('Delivered', delivered), false],
	[['ReadyForPickup'], of(22), true],
	[['inTransit'], of('TransitReady'), false],
	[['transitready'], of(22), true],
	[['TransitReady'], of('Transit'), false],
	[['22'], of('TransitReady'), true],
	[['Customs'], of('customs'), true],
	[['Customs'], of(''), false],
	[[''], of(''), false],
])('the event types %j include %j: %s', (types, event, isIncluded) => {
	expect(hasEventType(event, types)).toBe(isIncluded);
});

test('a repeated event of a group is left out only if the user wants the first of each group', () => {
	const event = of('Delivered');
	const first = { event, isFirstOfGroup: true, isLatest: true } as NewEvent;
	const other = { ...first, event: of('Customs') } as NewEvent;
	const events = [first, { ...first, isFirstOfGroup: false }, other];
	const [all, isFirstOnly] = [{ eventTypes: ['delivered'], isFirstOnly: false }, true];
	expect(selectEvents(events, all)).toEqual(events.slice(0, 2));
	expect(selectEvents(events, { ...all, isFirstOnly })).toEqual([first]);
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
	const idOf = (changes: object = {}, carrier = 'ANT', number = '001') =>
		eventIdOf(carrier, number, { ...event, ...changes }, 'Europe/Prague');

	test('is the same on every server and in every version', () => {
		expect(idOf()).toBe('dRlJkRnDKJYYepdFqUuE6R');
	});

	test.each<[string, object]>([
		['another text for the customer', { name: 'Taken over' }],
		['another text of the system', { nameSystem: 'In depot' }],
		['a corrected flag', { delivered: true }],
		['an unknown field', { place: 'Praha' }],
		['surrounding spaces', { code: ' 310 ' }],
		['the number of the category', { category: 23 }],
		['the number of the category as text', { category: '23' }],
		['another casing of the category', { category: 'transitcarrier' }],
		['another type', { type: 'Notification' }],
		['an offset in the date', { date: '2026-01-14T09:31:07+01:00' }],
		['the date in UTC', { date: '2026-01-14T08:31:07Z' }],
		['other decimals of the second', { date: '2026-01-14T09:31:07.1234567' }],
		['decimals and an offset', { date: '2026-01-14T09:31:07.1234567+01:00' }],
		['a space in the date', { date: '2026-01-14 09:31:07' }],
	])('stays the same with %s', (_, changes) => {
		expect(idOf(changes)).toBe(idOf());
	});

	test.each<[string, object]>([
		['date', { date: '2026-01-14T09:31:08' }],
		['moment', { date: '2026-01-14T09:31:07+02:00' }],
		['day without a time', { date: '2026-01-14' }],
		['code', { code: '311' }],
		['category', { category: 'TransitOnTheWay' }],
		['item', { item: null }],
		["carrier's code", { carrierCode: 'A-03' }],
		['split of the same characters', { code: '31', category: '0TransitCarrier' }],
	])('differs with another %s', (_, changes) => {
		expect(idOf(changes)).not.toBe(idOf());
	});

	test('is the same for an unknown category in any casing', () => {
		const customs = ['Customs', 'customs', ' CUSTOMS '].map((category) => idOf({ category }));
		expect(new Set(customs).size).toBe(1);
	});

	test('stays the same for a missing date, however it is written', () => {
		const missing = ['T00:00:00', 'T00:00:00Z', 'T00:00:00.0000000+00:00', ' 00:00:00'];
		const ids = missing.map((time) => idOf({ date: `0001-01-01${time}` }));
		expect(new Set(ids).size).toBe(1);
	});

	test('differs between shipments and carriers', () => {
		expect(new Set([idOf(), idOf({}, 'BEAVER'), idOf({}, 'ANT', '002')]).size).toBe(3);
	});

	test('exists for values that are not text, and is the same for a missing value and null', () => {
		expect(idOf({ item: undefined })).toBe(idOf({ item: null }));
		const codes: unknown[] = [{ toString: 1 }, { valueOf: null }, ['310'], 310, true];
		expect(new Set(codes.map((code) => idOf({ code }))).size).toBe(5);
	});

	test('has a mark of six characters, which is found among others but not across two of them', () => {
		const known = ['abcdefXX', 'ghijklXX', 'mnopqrXX'].map(markOf).join('');
		expect(known).toBe('abcdefghijklmnopqr');
		expect([...marksOf(known)]).toEqual(['abcdef', 'ghijkl', 'mnopqr']);
		expect(marksOf('').size).toBe(0);
	});
});
