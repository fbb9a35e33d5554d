import { readTriggerForm } from '../../../nodes/ParcelShipping/descriptions/triggerForm';

/** Reads a form with these parameters. */
const read = (parameters: Record<string, unknown>) => {
	const getNodeParameter = (name: string, fallback: unknown) => parameters[name] ?? fallback;
	return readTriggerForm({ getNodeParameter, getTimezone: () => 'Europe/Prague' } as never);
};

test.each([
	[{}, true, false],
	[{ simplify: 'false', oncePerOrder: 'true' }, false, true],
])('the switches %j are read as %s and %s', (parameters, isSimple, isOncePerOrder) => {
	expect(read(parameters)).toMatchObject({ isSimple, isOncePerOrder });
});

test('the days of a period count, also if the period is not selected', () => {
	expect(read({}).days).toEqual({ noMovement: 5, waitingForPickup: 3 });
	const days = { noMovement: 2, waitingForPickup: 3 };
	expect(read({ daysWithoutMovement: '2' }).days).toEqual(days);
	expect(() => read({ daysWithoutMovement: 0 })).toThrow('Invalid Days Without Movement: 0');
});
