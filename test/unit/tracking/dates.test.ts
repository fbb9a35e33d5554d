import {
	dateTimeOf,
	momentOf,
	secondOf,
	sortByDate,
} from '../../../nodes/ParcelShipping/tracking/dates';

import fc from 'fast-check';
import { DateTime, Settings } from 'luxon';

// Luxon alone would decide by the current season.
test.each(['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'])(
	'a date without an offset means the same moment when read on %s, even in the night of a clock change',
	(today) => {
		Settings.now = () => Date.parse(today);
		const read = (date: string, zone: string) => dateTimeOf(`2025-${date}`, zone)?.slice(5);
		expect(read('10-26T02:30:00', 'Europe/Prague')).toBe('10-26T02:30:00+02:00');
		expect(read('03-30T02:30:00', 'Europe/Prague')).toBe('03-30T03:30:00+02:00');
		expect(read('04-06T02:10:00', 'Australia/Lord_Howe')).toBe('04-06T02:10:00+10:30');
		expect(read('04-06T01:45:00', 'Australia/Lord_Howe')).toBe('04-06T01:45:00+11:00');
		Settings.now = () => Date.now();
	},
);

test.each<[unknown, string | null]>([
	['2026-01-14T09:31:07', '2026-01-14T09:31:07+01:00'],
	['2026-01-14T09:31:07.250', '2026-01-14T09:31:07.250+01:00'],
	['2026-01-14 09:31:07', '2026-01-14T09:31:07+01:00'],
	['2026-01-14', '2026-01-14T00:00:00+01:00'],
	['2026-01-14T09:31:07Z', '2026-01-14T10:31:07+01:00'],
	['2026-01-14T09:31:07-05:00', '2026-01-14T15:31:07+01:00'],
	['soon', null],
	['2026', null],
	['', null],
	// Some services send this for a missing date.
	['0001-01-01T00:00:00', null],
	['0001-01-01T00:00:00Z', null],
	['0001-01-01', null],
	['1970-01-02', '1970-01-02T00:00:00+01:00'],
	[null, null],
	[1768379467, null],
])('%p becomes %p', (date, dateTime) => {
	expect(dateTimeOf(date, 'Europe/Prague')).toBe(dateTime);
	expect(momentOf(date, 'Europe/Prague') === undefined).toBe(dateTime === null);
});

test('dates are sorted by their moments, with or without an offset, and missing ones are last', () => {
	const sorted = [
		'2026-01-14T10:00:00+03:00',
		'2026-01-14T08:15:00.1234567Z',
		'2026-01-14T09:30:00',
		'2026-01-14T09:30:00.5',
		'soon',
		'',
		undefined,
	];
	const mixed = [3, 4, 2, 1, 5, 0, 6].map((index) => ({ event: { date: sorted[index] } }));
	expect(sortByDate(mixed, 'Europe/Prague').map(({ event }) => event.date)).toEqual(sorted);
});

test('the fast reading of many dates gives the same moments, also around clock changes', () => {
	const zone = fc.constantFrom('Europe/Prague', 'Australia/Lord_Howe', 'America/New_York', 'UTC');
	const changes = ['2026-03-29', '2026-10-25', '2026-04-05', '2026-10-04', '2026-11-01'];
	const around = fc
		.tuple(fc.constantFrom(...changes), fc.integer({ min: -90_000, max: 90_000 }))
		.map(([day, seconds]) => DateTime.fromISO(day, { zone: 'UTC' }).plus({ seconds }));
	const format = fc.constantFrom(
		"yyyy-MM-dd'T'HH:mm:ss",
		"yyyy-MM-dd'T'HH:mm:ss.SSS",
		'yyyy-MM-dd HH:mm',
		"yyyy-MM-dd'T'HH:mm:ss'Z'",
		"yyyy-MM-dd'T'HH:mm:ss.'1234567+02:00'",
		'yyyy-MM-dd',
		"yyyy-'13'-dd'T'HH:mm:ss",
	);
	fc.assert(
		fc.property(zone, around, format, (name, moment, pattern) => {
			const date = moment.toFormat(pattern);
			const slow = momentOf(date, name)?.toMillis();
			expect(secondOf(date, name)).toBe(slow && Math.floor(slow / 1000) * 1000);
		}),
		{ numRuns: 2_000 },
	);
	for (const date of [null, '0001-01-01T00:00:00', '0001-01-01T00:00:00Z', '0001-01-01'])
		expect(secondOf(date, 'UTC')).toBeUndefined();
});
