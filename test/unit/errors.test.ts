import {
	describeError,
	type ErrorFacts,
	ItemError,
	mayHaveActed,
	reasonOf,
	ServiceError,
} from '../../nodes/ParcelShipping/transport/errors';

const errorOf = (facts: Partial<ErrorFacts>) =>
	new ServiceError({
		message: 'The service could not complete the request (500)',
		description: '',
		endpoint: '',
		mayHaveActed: false,
		isTransient: false,
		...facts,
	});

describe('The reason for a missing response', () => {
	test("contains the service's own words once", () => {
		const details = { serviceMessage: 'No stock' };
		expect(reasonOf(describeError(errorOf({ details })))).toBe(
			'The service could not complete the request (500). The service said: No stock',
		);
		expect(
			reasonOf(describeError(errorOf({ details, message: 'The service said: No stock' }))),
		).toBe('The service said: No stock');
	});

	test('is the message of the error if the service said nothing', () => {
		expect(reasonOf(describeError(errorOf({})))).toBe(
			'The service could not complete the request (500)',
		);
		expect(reasonOf(describeError(new Error('Broken')))).toBe('Broken');
	});
});

test('only an error of the service can say that nothing was done', () => {
	expect(mayHaveActed(errorOf({}))).toBe(false);
	expect(mayHaveActed(errorOf({ mayHaveActed: true }))).toBe(true);
	expect(mayHaveActed(new ItemError('Canceled late', ''))).toBe(true);
	expect(mayHaveActed(new Error('Broken'))).toBe(true);
});
