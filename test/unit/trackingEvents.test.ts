import type { TrackingEvent } from '../../nodes/ParcelShipping/transport/contract';
import { byDate, dateTimeOf, dayBefore, momentOf } from '../../nodes/ParcelShipping/tracking/dates';
import { isWanted } from '../../nodes/ParcelShipping/tracking/eventKinds';
import { eventIdOf, isMarked, markOf } from '../../nodes/ParcelShipping/tracking/identity';

import { omit } from 'lodash';
import { Settings } from 'luxon';

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
	eventIdOf(carrier, number, { ...event, ...changes });

describe('The identity of an event', () => {
	test.each<[string, object]>([
		['other words for the customer', { name: 'Taken over' }],
		['other words of the system', { nameSystem: 'In depot' }],
		['a flag that is corrected', { delivered: true }],
		['a field that nobody has heard of', { place: 'Praha' }],
		['spaces around', { code: ' 310 ' }],
	])('stays the same with %s', (_, changes) => {
		expect(id(changes)).toBe(id());
	});

	test.each<[string, object]>([
		['date', { date: '2026-01-14T09:31:08' }],
		['code', { code: '311' }],
		['category', { category: 'TransitOnTheWay' }],
		['item', { item: null }],
		["carrier's code", { carrierCode: 'A-03' }],
		['type', { type: 'Other' }],
	])('differs with another %s', (_, changes) => {
		expect(id(changes)).not.toBe(id());
	});

	test('belongs to one shipment of one carrier', () => {
		expect(new Set([id(), id({}, 'BEAVER'), id({}, 'ANT', '002')]).size).toBe(3);
	});

	test('is not confused by parts that run into each other', () => {
		expect(id({ code: '3', category: '10' })).not.toBe(id({ code: '31', category: '0' }));
	});

	test('takes a value that is missing for one that is null', () => {
		expect(eventIdOf('ANT', '001', omit(event, 'item'))).toBe(id({ item: null }));
	});

	test('is there whatever stands in the place of a text, so that one odd event stops no poll', () => {
		const odd: unknown[] = [{ toString: 1 }, { valueOf: null }, ['310'], 310, true];
		const ids = odd.map((code) => id({ code }));
		expect(new Set(ids).size).toBe(odd.length);
	});

	test('is this one, on every server and in every version', () => {
		expect(id()).toBe('tueuARbZ9F106M5PBOFwsG');
	});

	test('has a mark of six characters, which is found among others, but not across two of them', () => {
		const ids = ['abcdefXX', 'ghijklXX', 'mnopqrXX'];
		const known = ids.map(markOf).join('');
		expect(known).toBe('abcdefghijklmnopqr');
		expect(ids.map((id) => isMarked(known, id))).toEqual([true, true, true]);
		expect(isMarked(known, 'defghiXX')).toBe(false);
		expect(isMarked('', 'abcdefXX')).toBe(false);
	});
});

describe('A date without a zone', () => {
	afterEach(() => {
		Settings.now = () => Date.now();
	});

	// Luxon would decide by the season of the day on which it is asked.
	test.each(['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'])(
		'is read the same on %s, also in the nights in which clocks change',
		(today) => {
			Settings.now = () => Date.parse(today);
			expect(dateTimeOf('2025-10-26T02:30:00', 'Europe/Prague')).toBe('2025-10-26T02:30:00+02:00');
			expect(dateTimeOf('2025-03-30T02:30:00', 'Europe/Prague')).toBe('2025-03-30T03:30:00+02:00');
			expect(dateTimeOf('2025-04-06T02:10:00', 'Australia/Lord_Howe')).toBe(
				'2025-04-06T02:10:00+10:30',
			);
			expect(dateTimeOf('2025-04-06T01:45:00', 'Australia/Lord_Howe')).toBe(
				'2025-04-06T01:45:00+11:00',
			);
		},
	);

	test.each<[unknown, string | null]>([
		['2026-01-14T09:31:07', '2026-01-14T09:31:07+01:00'],
		['2026-01-14T09:31:07.250', '2026-01-14T09:31:07.250+01:00'],
		['2026-01-14 09:31:07', '2026-01-14T09:31:07+01:00'],
		['2026-01-14', '2026-01-14T00:00:00+01:00'],
		['2026-01-14T09:31:07Z', '2026-01-14T10:31:07+01:00'],
		['2026-01-14T09:31:07-05:00', '2026-01-14T15:31:07+01:00'],
		['2026-13-14T09:31:07', null],
		['soon', null],
		['2026', null],
		['', null],
		[null, null],
		[1768379467, null],
	])('%p becomes %p', (date, dateTime) => {
		expect(dateTimeOf(date, 'Europe/Prague')).toBe(dateTime);
		expect(momentOf(date, 'Europe/Prague') === undefined).toBe(dateTime === null);
	});

	test('comes last in order when there is none', () => {
		const dates = ['soon', '2026-01-02T00:00:00', '', '2026-01-01T23:59:59', undefined];
		expect(dates.map((date) => ({ date })).sort(byDate)).toEqual([
			{ date: '2026-01-01T23:59:59' },
			{ date: '2026-01-02T00:00:00' },
			{ date: 'soon' },
			{ date: '' },
			{ date: undefined },
		]);
	});

	test('the window begins on a day of the zone', () => {
		const nowMs = Date.parse('2026-06-10T23:00:00Z');
		expect(dayBefore(nowMs, 30, 'UTC')).toBe('2026-05-11');
		expect(dayBefore(nowMs, 30, 'Europe/Prague')).toBe('2026-05-12');
	});
});

describe('The kinds of events that are wanted', () => {
	test.each<[string[], Partial<TrackingEvent>, boolean]>([
		[[], {}, true],
		[['all'], {}, true],
		[['delivered', 'all'], {}, true],
		[['delivered'], { delivered: true }, true],
		[['delivered'], { category: 'delivered' }, false],
		[['canceled'], { canceled: true }, true],
		[['canceled'], { delivered: true }, false],
		[['TransitCarrier'], { category: 'TransitCarrier' }, true],
		[['transitcarrier'], { category: 'TransitCarrier' }, true],
		[['TransitCarrier'], { category: 'TransitOnTheWay' }, false],
		[['Customs'], { category: 'Customs' }, true],
		[['Customs'], {}, false],
	])('%j and %j: %s', (kinds, given, wanted) => {
		expect(isWanted(given, kinds)).toBe(wanted);
	});
});
