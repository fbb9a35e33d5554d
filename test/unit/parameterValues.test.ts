import { DateTime, Settings } from 'luxon';

import { readBoolean, readDay, readNumber } from '../../nodes/ParcelShipping/parameterValues';

const read = (value: unknown) => readNumber(value, 'Default Weight', { isWhole: false });

test.each(['month', -1, NaN, {}, true])('an option of %j is refused', (value) => {
	expect(() => read(value)).toThrow('Invalid Default Weight');
});

test.each([
	['true', true],
	[' TRUE ', true],
	['', false],
	[undefined, false],
])('a switch of %j means %s', (value, expected) => {
	expect(readBoolean(value, 'Dry Run')).toBe(expected);
});

test.each(['yes', 1, 0, {}])('a switch of %j is refused with its caption', (value) => {
	expect(() => readBoolean(value, 'Dry Run')).toThrow('Invalid Dry Run');
});

const PRAGUE = 'Europe/Prague';
const TOKYO = 'Asia/Tokyo';
const NEW_YORK = 'America/New_York';
const NIGHT = '2026-11-20T23:30:00Z';

// The zone of the server must not matter. In this zone it is another day most of the time.
beforeAll(() => {
	Settings.defaultZone = 'Pacific/Kiritimati';
});

test.each<[string, unknown, string, string | undefined]>([
	['the date picker', '2026-11-20T00:00:00', PRAGUE, '2026-11-20'],
	['evening in UTC, morning in Prague', NIGHT, PRAGUE, '2026-11-21'],
	['morning in UTC, evening in New York', '2026-11-20T02:00:00.000Z', NEW_YORK, '2026-11-19'],
	['an offset after a space', '2026-11-20 00:30:00 +09:00', PRAGUE, '2026-11-20'],
	['the end of the day', '2026-11-20T24:00:00', PRAGUE, '2026-11-20'],
	['the night that the clocks go forward', '2025-03-30T02:30:00', PRAGUE, '2025-03-30'],
	["n8n's $now", DateTime.fromISO(NIGHT, { zone: TOKYO }), TOKYO, '2026-11-21'],
	['a DateTime of another zone', DateTime.fromISO(NIGHT, { zone: 'utc' }), PRAGUE, '2026-11-21'],
	['a JavaScript Date', new Date(NIGHT), PRAGUE, '2026-11-21'],
	['nothing', undefined, PRAGUE, undefined],
])('a date is sent as the calendar day that the user sees: %s', (_, value, timezone, day) => {
	expect(readDay(value, 'Created From', timezone)).toBe(day);
});

test.each<unknown[]>([
	['20.11.2026', '11/20/2026', 'yesterday', '2026', '2026-13-01', '2026-02-30'],
	['2026-02-30 8:30', '2026-13-01T00:00:00+01:00', '2026-11-20 - 2026-11-25', '2026-11-20x'],
	[1_795_000_000_000, true, {}],
	[new Date('no date'), DateTime.invalid('for the test')],
])('invalid dates are an error that names their field: %p, %p', (...values) => {
	for (const value of values) {
		expect(() => readDay(value, 'Created To', PRAGUE)).toThrow(/^Invalid Created To: /);
	}
});
