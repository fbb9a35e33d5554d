import { type EndpointName, endpoints } from '../../../nodes/ParcelShipping/transport/endpoints';
import type { ItemError } from '../../../nodes/ParcelShipping/transport/errors';
import { readResponse } from '../../../nodes/ParcelShipping/transport/response';

const readFrom = (name: EndpointName, status: number, body: unknown, headers = {}) =>
	readResponse(endpoints[name], `${endpoints[name].title} (POST ${endpoints[name].path})`, {
		statusCode: status,
		headers,
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
const read = (status: number, body: unknown, headers = {}) =>
	readFrom('findCarriers', status, body, headers);

type FailedFacts = { description: string } & Record<string, unknown>;

const factsOf = (...given: Parameters<typeof read>) => factsOfError(() => read(...given));

const factsOfError = (work: () => unknown) => {
	try {
		work();
	} catch (thrown) {
		const { message, description, details, facts } = thrown as ItemError;
		return { message, description, details, ...details, ...facts } as FailedFacts;
	}
	throw new Error('The response was expected to be an error');
};

/** The result, or what is wrong with the response. */
const outcomeOf = (name: EndpointName, body: unknown, status = 200) => {
	try {
		return readFrom(name, status, body).result;
	} catch (thrown) {
		const { message, description } = thrown as ItemError;
		return `${message}. ${description}`;
	}
};

test.each<[EndpointName, unknown, string]>([
	...[[], 'null', '7', {}, { result: null }, { result: { data: 1 } }].map(
		(body): [EndpointName, unknown, string] => ['findCarriers', body, '"result" is not a list.'],
	),
	['findCarriers', { result: {} }, '"result"[0] has no "code".'],
	['findCarriers', { result: [[]] }, '"result"[0] is not a record.'],
	['findCarriers', { result: [{ code: 'ANT' }, { code: null }] }, '"result"[1] has no "code".'],
	['getBatch', { result: [] }, '"result" is not a record.'],
	['handOverShipments', { result: null }, '"result" is not a record.'],
	['getBatch', { result: {} }, '"result" has no "id".'],
	['findShipments', { result: Array(100).fill({ id: 1 }) }, '"result" is not a page.'],
	// A list may be only a part of the page.
	['findShipments', { result: [{ id: 1 }] }, '"result" is not a page.'],
	['findShipments', { result: { total: 0 } }, '"result" is not a page.'],
	...[undefined, '100', -1, 0.5, 1e11, 1e21].map((total): [EndpointName, unknown, string] => [
		'findShipments',
		{ result: { data: [], total } },
		'"result".total is not a number of records.',
	]),
	...['1.5', '1e400', '-3', '12345678901234567890', '"x"', '[[]]'].map(
		(id): [EndpointName, unknown, string] => [
			'findBatches',
			`{"result":{"data":[{"id":${id}}],"total":1}}`,
			'"result"[0] has an invalid "id".',
		],
	),
	['findShipments', { result: { data: [{}], total: 1 } }, '"result"[0] has no "id".'],
	['sendToPrinter', { result: 1 }, 'Unexpected response. "result" is not a boolean.'],
	['findCarriers', { result: [], errors: ['Locked'] }, 'The provider said: Locked.'],
	['findCarriers', { result: null, message: 'Locked' }, 'The provider said: Locked.'],
	['sendToPrinter', { result: 'No paper' }, 'No paper. The response has no usable result.'],
])('a response in another shape is an error: %s: %j', (name, body, problem) => {
	expect(outcomeOf(name, body)).toContain(problem);
});

test.each<[EndpointName, unknown, unknown]>([
	['findShipments', { data: [null], total: 0 }, { data: [], total: 0 }],
	['findCarriers', { data: [], total: 0 }, []],
	['getShipment', { id: 1 }, [{ id: 1 }]],
	['findPrinters', { data: [{ name: 'A' }], total: 1 }, [{ name: 'A' }]],
	['trackShipments', [{ events: [{ type: 1 }] }], [{ events: [{ type: 1 }] }]],
	['trackShipments', [null, { events: [] }], [{ events: [] }]],
	['createShipments', [null, { statusCode: 200 }], [{ statusCode: 200 }]],
	['sendToPrinter', false, false],
])('%s: the result %j is accepted and becomes %j', (name, result, expected) => {
	expect(outcomeOf(name, { result, errors: [] })).toEqual(expected);
});

const ROWS = [{ statusCode: 200, code: 'ANT' }];

test.each<[EndpointName, number, unknown[], string]>([
	['findCarriers', 299, ROWS, ''],
	['findCarriers', 300, ROWS, 'The provider redirects to'],
	['findCarriers', 199, ROWS, 'The provider refused'],
	['findCarriers', 400, ROWS, 'The provider refused'],
	// A refused creation may contain rows of shipments that were created.
	['createShipments', 400, ROWS, ''],
	['createShipments', 400, [], 'The provider refused'],
])('%s with the status %i and the rows %j: %j', (name, status, result, error) => {
	const expected = error === '' ? result : expect.stringContaining(error);
	expect(outcomeOf(name, { result }, status)).toEqual(expected);
});

test.each<[EndpointName, number, mayHaveActed: boolean]>([
	['createShipments', 400, true],
	['createShipments', 422, true],
	['cancelShipments', 400, true],
	// Without rows in such a response, the status says it all.
	['sendToPrinter', 400, false],
	['createShipments', 401, false],
	['createShipments', 429, false],
])(
	'%s with the status %i and a response that was cut off may have acted: %s',
	(name, status, expected) => {
		const facts = factsOfError(() => readFrom(name, status, '{"result":[{"id":10'));
		expect(facts.mayHaveActed).toBe(expected);
	},
);

test.each([
	['  <!DOCTYPE html>', false],
	['<html lang="en">', false],
	['<?xml version="1.0"?>', false],
	['{"result": [', true],
	['see <html>', true],
	['', true],
])('a request whose response is %j instead of JSON may be repeated: %s', (body, isTransient) => {
	expect(factsOf(200, body)).toMatchObject({
		endpoint: 'List carriers (POST /Carrier/Find)',
		status: 200,
		mayHaveActed: true,
		cause: isTransient ? 'temporarily-unavailable' : 'configuration-invalid',
	});
});

/** What an error says about the request: it was not carried out, or may have been. */
const REFUSED = { mayHaveActed: false };
const UNKNOWN = { mayHaveActed: true };

test.each([
	{ statuses: [400, 407, 409, 499], ...REFUSED, cause: undefined },
	{ statuses: [401], ...REFUSED, cause: 'credential-invalid' },
	{ statuses: [403], ...REFUSED, cause: 'configuration-invalid' },
	{ statuses: [429], ...REFUSED, cause: 'rate-limited' },
	{ statuses: [503], retryAfter: '2', ...UNKNOWN, cause: 'temporarily-unavailable' },
	{ statuses: [408, 500, 503, 504], ...UNKNOWN, cause: 'temporarily-unavailable' },
	{ statuses: [500], retryAfter: '2', ...UNKNOWN, cause: 'temporarily-unavailable' },
	{ statuses: [302, 399], ...UNKNOWN, cause: 'configuration-invalid' },
])('what an error means for the request: %j', ({ statuses, ...others }) => {
	const { retryAfter = '', ...expected } = others as { retryAfter?: string };
	for (const status of statuses) {
		const facts = factsOf(status, '', { 'retry-after': retryAfter });
		const { mayHaveActed, cause, endpoint, retryAfterMs } = facts;
		expect({ mayHaveActed, cause }).toEqual(expected);
		expect(endpoint).toBe('List carriers (POST /Carrier/Find)');
		expect([facts.status, retryAfterMs]).toEqual([status, retryAfter === '' ? undefined : 2_000]);
	}
});

test('a 503 with Retry-After proves that nothing was done only if the service itself has sent it', () => {
	const isRefusal = (body: unknown) => !factsOf(503, body, { 'retry-after': '2' }).mayHaveActed;
	expect(isRefusal({ message: 'Maintenance' })).toBe(true);
	// A gateway that has stopped waiting for the service sends such a page.
	expect([isRefusal('<?xml version="1.0"?><html></html>'), isRefusal('')]).toEqual([false, false]);
});

test.each<[string, number, unknown]>([
	['an empty 404', 404, ''],
	['an empty 405', 405, ''],
	['405 with any text', 405, { message: 'Only for merchants' }],
	['a web page', 404, '<!doctype html><title>404</title>'],
	['plain text', 404, '404 page not found'],
	['the words of a gateway', 404, { message: 'The requested resource was not found.' }],
	['problem details', 404, { title: 'Not Found', status: 404 }],
	['an empty envelope', 404, { result: null, errors: [] }],
	['an empty result', 404, { result: {}, errors: [] }],
	['the name of the path', 404, { message: 'Cannot POST /api/Package/Create' }],
	['the method and the path', 404, { message: 'Route POST:/api/Package/Create' }],
	['a missing endpoint', 404, { message: 'Unknown endpoint' }],
])('nothing is at a path for certain after %s', (_, status, body) => {
	expect(factsOf(status, body).isMissingEndpoint).toBe(true);
});

test.each<[string, number, unknown]>([
	['another status', 400, ''],
	['a record that is not found', 404, { message: 'No order 7' }],
	['a reference', 404, { errors: [{ message: 'Not found', reference: '7' }] }],
])('something may be at a path after %s', (_, status, body) => {
	expect(factsOf(status, body)).not.toMatchObject({ isMissingEndpoint: true });
});

test.each<[string, number, unknown]>([
	['a response that was cut off', 404, '{"result":[{"id":10'],
	['a list that was cut off', 404, ' [{"id":10'],
	['a list', 404, []],
	['a list', 405, [{ statusCode: 200 }]],
])('a creation may have been carried out after %s (%i %j)', (_, status, body) => {
	expect(factsOfError(() => readFrom('createShipments', status, body)).mayHaveActed).toBe(true);
});
