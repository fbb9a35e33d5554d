import {
	messageOf,
	serviceMessageOf,
	toSentence,
} from '../../nodes/ParcelShipping/transport/serviceMessage';

describe('An error of the service reads as a sentence', () => {
	test.each<[unknown, string | undefined]>([
		['Phone is missing', 'Phone is missing'],
		['Phone is missing.', 'Phone is missing'],
		['Wait ...', 'Wait ...'],
		['  ', undefined],
		['[]', undefined],
		[null, undefined],
		[[], undefined],
		[{}, undefined],
		[[null, '', []], undefined],
		[['Phone is missing.', 'Zip is invalid.'], 'Phone is missing; Zip is invalid'],
		[['Same', 'Same'], 'Same'],
		[
			{ errorCode: 404, message: 'Entity not found', reference: '16948' },
			'Entity not found (16948)',
		],
		[{ errorCode: 404, message: 'Entity not found', reference: null }, 'Entity not found'],
		[{ errorCode: 'InvalidUserInputError', message: null, reference: '' }, 'InvalidUserInputError'],
		[
			[
				{
					errorCode: 'InvalidUserInputError',
					message: 'String must contain at least 3 character(s)',
					reference: '0 -> receiver -> address -> postalCode',
				},
			],
			'receiver address postal code: String must contain at least 3 character(s)',
		],
		[
			{ recPhone: ['is missing', 'is required'], '$[0].price': ['is no number'] },
			'rec phone: is missing; is required; price: is no number',
		],
		['{"message":"Wrong zip"}', 'Wrong zip'],
		['{half', '{half'],
		['x'.repeat(600), `${'x'.repeat(499)}…`],
	])('%j', (value, sentence) => {
		expect(toSentence(value)).toBe(sentence);
	});
});

describe('The message of a response that is just a text', () => {
	test.each<[unknown, string | undefined]>([
		['Token missing', 'Token missing'],
		[{ message: 'No' }, 'No'],
		['<html><title>404</title></html>', undefined],
		['{"message":"N', undefined],
		['"Half a te', undefined],
		['x'.repeat(301), undefined],
		['', undefined],
		[7, undefined],
	])('%j', (body, message) => {
		expect(messageOf(body)).toBe(message);
	});
});

describe('The message of a response is found', () => {
	test.each<[string, unknown, string | undefined]>([
		['in message', { message: 'No' }, 'No'],
		['in error', { error: 'No' }, 'No'],
		['in error as an object', { error: { message: 'No' } }, 'No'],
		['in a list of errors', { result: null, errors: [{ errorCode: 1, message: 'No' }] }, 'No'],
		[
			'in ProblemDetails, by field',
			{ title: 'One or more validation errors occurred.', errors: { length: ['Too long'] } },
			'length: Too long',
		],
		[
			'in ProblemDetails without fields',
			{ title: 'Not Found', detail: 'No batch 7' },
			'No batch 7',
		],
		['in the title', { title: 'Not Found', status: 404 }, 'Not Found'],
		['nowhere if errors is empty', { result: [], errors: [] }, undefined],
		['nowhere in a list', ['No'], undefined],
		['nowhere in an empty body', undefined, undefined],
	])('%s', (_, body, message) => {
		expect(serviceMessageOf(body)).toBe(message);
	});

	test('never as JSON', () => {
		const bodies = [{ errors: [[{ message: { text: 'No' } }]] }, { message: { a: { b: ['No'] } } }];
		for (const body of bodies) expect(serviceMessageOf(body)).not.toMatch(/[{}[\]"]/);
	});
});
