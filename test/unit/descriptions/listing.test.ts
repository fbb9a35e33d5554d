import { readLimit } from '../../../nodes/ParcelShipping/descriptions/listing';

const contextWith = (parameters: Record<string, unknown>) => {
	const getNodeParameter = (name: string, _: number, fallback: unknown) =>
		name in parameters ? parameters[name] : fallback;
	return { getNodeParameter, getNode: () => ({ type: 'parcelShipping' }) } as never;
};

const read = (parameters: Record<string, unknown>) => readLimit(contextWith(parameters), 0);

test.each([
	[{}, 50],
	[{ limit: '7' }, 7],
	[{ limit: 7, returnAll: true }, Infinity],
])('the parameters %j mean %d records', (parameters, expected) => {
	expect(read(parameters)).toBe(expected);
});

test.each([0, -1, 1.5, 'abc', NaN])('a limit of %j is refused', (limit) => {
	expect(() => read({ limit })).toThrow('Invalid Limit');
});
