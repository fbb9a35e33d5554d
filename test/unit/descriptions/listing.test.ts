import { readLimit } from '../../../nodes/ParcelShipping/descriptions/listing';

const read = (parameters: Record<string, unknown>) => {
	const getNodeParameter = (name: string, _: number, fallback: unknown) =>
		name in parameters ? parameters[name] : fallback;
	return readLimit({ getNodeParameter } as never, 0);
};

test.each([
	[{}, 50],
	[{ limit: 7 }, 7],
	[{ limit: '7' }, 7],
	[{ limit: undefined }, 50],
	[{ limit: 7, returnAll: true }, Infinity],
	[{ limit: 7, returnAll: 'false' }, 7],
])('the parameters %j mean %d records', (parameters, expected) => {
	expect(read(parameters)).toBe(expected);
});

test.each([0, -1, 1.5, 'abc', NaN])('a limit of %j is refused', (limit) => {
	expect(() => read({ limit })).toThrow('Invalid Limit');
});
