import { readBoolean, readNumber } from '../../nodes/ParcelShipping/parameterValues';

const read = (value: unknown) => readNumber(value, 'Default Weight', 30);

test.each([
	['7', 7],
	['', 30],
	[undefined, 30],
])('an option of %j means %i', (value, expected) => {
	expect(read(value)).toBe(expected);
});

test.each(['month', -1, NaN, {}, [7], true])('an option of %j is refused', (value) => {
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
