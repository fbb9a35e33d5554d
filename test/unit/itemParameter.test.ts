import { readNumber } from '../../nodes/ParcelShipping/itemParameter';

const read = (value: unknown) => readNumber(value, 'Lookback Days', 30);

test.each([
	[7, 7],
	['7', 7],
	[0, 0],
	['0', 0],
	['', 30],
	[null, 30],
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
