import { readBoolean, readNumber } from '../../nodes/ParcelShipping/parameterValues';
import { searchStart } from '../../nodes/ParcelShipping/records';

const read = (value: unknown) => readNumber(value, 'Lookback Days', 30);

test.each([
	['7', 7],
	[0, 0],
	['', 30],
	[undefined, 30],
])('an option of %j means %i', (value, expected) => {
	expect(read(value)).toBe(expected);
});

test.each(['month', -1, NaN, {}, [7], true])(
	'an option of %j is refused with its caption',
	(value) => {
		expect(() => read(value)).toThrow('Invalid Lookback Days');
	},
);

test.each([
	['true', true],
	[' TRUE ', true],
	[false, false],
	['', false],
	[undefined, false],
])('a switch of %j means %s', (value, expected) => {
	expect(readBoolean(value, 'Dry Run')).toBe(expected);
});

test.each(['yes', 1, 0, {}])('a switch of %j is refused with its caption', (value) => {
	expect(() => readBoolean(value, 'Dry Run')).toThrow('Invalid Dry Run');
});

test('a number of days before all dates is the beginning of a search, and no error', () => {
	const nowMs = Date.parse('2026-11-20T12:00:00Z');
	expect(searchStart(nowMs, 30)).toBe('2026-10-20');
	expect(searchStart(nowMs, 1e9)).toBe(searchStart(nowMs, 3650));
});
