import { readTriggerForm } from '../../../nodes/ParcelShipping/descriptions/triggerForm';

/** Reads a form with these parameters. */
const read = (parameters: Record<string, unknown>) => {
	const getNodeParameter = (name: string, fallback: unknown) => parameters[name] ?? fallback;
	return readTriggerForm({ getNodeParameter, getTimezone: () => 'Europe/Prague' } as never);
};

test.each([
	[{}, true],
	[{ simplify: false, includeShipment: false }, false],
	[{ simplify: 'false', includeShipment: ' False ' }, false],
	[{ simplify: 'true', includeShipment: 'true' }, true],
])('the switches %j are read as %s', (parameters, expected) => {
	expect(read(parameters).watch).toMatchObject({ isSimple: expected, includeShipment: expected });
});

test('a maximum of parallel requests that is no number is refused', () => {
	expect(read({ options: { maxConcurrency: '2' } }).maxConcurrency).toBe(2);
	expect(read({}).maxConcurrency).toBe(4);
	expect(() => read({ options: { maxConcurrency: 'many' } })).toThrow('Invalid Max Concurrency');
});
