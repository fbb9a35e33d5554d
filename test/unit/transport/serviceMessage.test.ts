import { serviceMessageOf, toSentence } from '../../../nodes/ParcelShipping/transport/response';

const ENTITY = { errorCode: 404, message: 'Entity not found', reference: '16948' };
const POSTAL_CODE = {
	errorCode: 'InvalidUserInputError',
	message: 'String must contain at least 3 character(s)',
	reference: '0 -> receiver -> address -> postalCode',
};
const BY_FIELD = { recPhone: ['is missing', 'is required'], '$[0].price': ['is no number'] };

test.each<[unknown, string | undefined]>([
	['Phone is missing.', 'Phone is missing'],
	['Wait ...', 'Wait ...'],
	[['Phone is missing.', 'Zip is invalid.'], 'Phone is missing; Zip is invalid'],
	[['Same', 'Same'], 'Same'],
	[ENTITY, 'Entity not found (16948)'],
	[{ ...ENTITY, reference: null }, 'Entity not found'],
	[{ errorCode: 'InvalidInput', message: null, reference: '' }, 'errorCode: InvalidInput'],
	[[POSTAL_CODE], 'String must contain at least 3 character(s) (receiver address postalCode)'],
	[BY_FIELD, 'recPhone: is missing; recPhone: is required; $[0].price: is no number'],
	['{"message":"Wrong zip"}', 'Wrong zip'],
	['{half', '{half'],
	// Between two words, so that a secret is not cut in two.
	['Wrong '.repeat(200), `${'Wrong '.repeat(83).trim()}…`],
	['x'.repeat(600), undefined],
])('An error of the service reads as a sentence: %j', (value, sentence) => {
	expect(toSentence(value)).toBe(sentence);
});

test('An empty error is no sentence', () => {
	const empty = ['  ', '[]', null, [], {}, [null, '', []]];
	expect(empty.map((value) => toSentence(value))).toEqual(empty.map(() => undefined));
});

test('A response that is just a text is the message, unless it is a page or was cut off', () => {
	expect(serviceMessageOf('Token missing')).toBe('Token missing');
	const page = '<html><title>404</title></html>';
	const others = [page, '{"message":"N', '"Half a te', 'x'.repeat(301), '', 7];
	expect(others.map((body) => serviceMessageOf(body))).toEqual(others.map(() => undefined));
});

test.each(['No', ''])('An error in an error that says %j is not read again and again', (said) => {
	let reads = 0;
	let error: object = {
		get message() {
			reads++;
			return said;
		},
	};
	for (let level = 0; level < 16; level++) error = { errors: error };
	expect(toSentence(error)).toBe(said || undefined);
	expect(reads).toBeLessThan(5);
});

const TITLE = 'One or more validation errors occurred.';

test.each<[string, unknown, string | undefined]>([
	['in message', { message: 'No' }, 'No'],
	['in error', { error: 'No' }, 'No'],
	['in error as an object', { error: { message: 'No' } }, 'No'],
	['in a list of errors', { result: null, errors: [{ errorCode: 1, message: 'No' }] }, 'No'],
	[
		'by field',
		{ title: TITLE, errors: { length: ['Too long'] } },
		`length: Too long; ${TITLE.slice(0, -1)}`,
	],
	['in both', { message: 'No.', errors: { length: ['Too long'] } }, 'No; length: Too long'],
	['in detail', { title: 'Not Found', detail: 'No batch 7' }, 'No batch 7; Not Found'],
	['in the title', { title: 'Not Found', status: 404 }, 'Not Found'],
	['nowhere if errors is empty', { result: [], errors: [] }, undefined],
	['nowhere in a list', ['No'], undefined],
	['nowhere in an empty body', undefined, undefined],
])('The message of a response is found %s', (_, body, message) => {
	expect(serviceMessageOf(body)).toBe(message);
});
