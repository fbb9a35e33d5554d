import type { EndpointName } from '../../nodes/ParcelShipping/transport/contract';
import { endpointOf } from '../../nodes/ParcelShipping/transport/endpoints';
import type { ServiceError } from '../../nodes/ParcelShipping/transport/errors';
import { readResponse } from '../../nodes/ParcelShipping/transport/response';

const readFrom = (name: EndpointName, status: number, body: unknown, headers = {}) =>
	readResponse(
		endpointOf(name),
		{ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
		0,
	);
const read = (status: number, body: unknown, headers = {}) =>
	readFrom('findCarriers', status, body, headers);

const factsOf = (...given: Parameters<typeof read>) => {
	try {
		read(...given);
	} catch (thrown) {
		return (thrown as ServiceError).facts;
	}
	throw new Error('The response was expected to be an error');
};

/** The result, or what is wrong with the response. */
const outcomeOf = (name: EndpointName, body: unknown, status = 200) => {
	try {
		return readFrom(name, status, body).result;
	} catch (thrown) {
		const { message, description } = (thrown as ServiceError).facts;
		return `${message}. ${description}`;
	}
};

const HEADER = { 'content-type': 'application/json', 'x-correlation-id': 'from-header' };

test.each<[number, unknown]>([
	[400, ''],
	[404, ''],
	[500, ''],
	[200, { result: null, correlationId: '' }],
	[200, '<html></html>'],
])('the correlation ID of an error is found in the header: %i %j', (status, body) => {
	expect(factsOf(status, body, HEADER).correlationId).toBe('from-header');
	expect(factsOf(status, body)).not.toHaveProperty('correlationId');
});

test.each<[given: object, headers: object, correlationId: string | undefined]>([
	[{ correlationId: 'from-body' }, HEADER, 'from-body'],
	[{}, HEADER, 'from-header'],
	[{}, { 'x-correlation-id': '' }, undefined],
	[{}, {}, undefined],
])('the correlation ID of a success is read from %j and %j', (given, headers, correlationId) => {
	const id = correlationId === undefined ? {} : { correlationId };
	expect(read(200, { result: [], ...given }, headers)).toEqual({ result: [], ...id });
});

test.each<[EndpointName, unknown, string]>([
	['findCarriers', [], 'The response is a list.'],
	['findCarriers', 'null', 'The response is null.'],
	['findCarriers', '7', 'The response is a number.'],
	['findCarriers', {}, '"result" is missing.'],
	['findCarriers', { result: null }, '"result" is null.'],
	['findCarriers', { result: {} }, '"result" is an object.'],
	['findCarriers', { result: { data: [] } }, '"result" is an object.'],
	['findCarriers', { result: [[]] }, '"result"[0] is a list.'],
	['findCarriers', { result: [{ code: 'ANT' }, { code: null }] }, '"result"[1] has no "code".'],
	['trackShipments', { result: [null] }, '"result"[0] is null.'],
	['findPrinters', { result: { data: 1 } }, '"result" is an object.'],
	['getBatch', { result: [] }, '"result" is a list.'],
	['getBatch', { result: {} }, '"result" has no "id".'],
	['findShipments', { result: [] }, '"result" is a list.'],
	['findShipments', { result: { data: [] } }, '"result.total" is missing.'],
	['findShipments', { result: { data: [], total: -1 } }, '"result.total" is a number.'],
	['findShipments', { result: { data: [], total: 0.5 } }, '"result.total" is a number.'],
	['findShipments', { result: { total: 0 } }, '"result.data" is missing.'],
	['findShipments', { result: { data: [{}], total: 1 } }, '"result.data"[0] has no "id".'],
	['sendToPrinter', { result: 1 }, 'Unexpected response. "result" is a number.'],
	['findCarriers', { result: null, message: 'Locked' }, 'The service said: Locked.'],
	[
		'sendToPrinter',
		{ result: 'No paper' },
		'No paper. The response has no usable result: "result" is',
	],
])('a response in another shape is an error: %s: %j', (name, body, problem) => {
	expect(outcomeOf(name, body)).toContain(problem);
});

test.each<[EndpointName, unknown, unknown]>([
	['findShipments', { data: [], total: 0 }, { data: [], total: 0 }],
	['getShipment', { id: 1 }, [{ id: 1 }]],
	['findPrinters', { data: [{ name: 'A' }], total: 1 }, [{ name: 'A' }]],
	['trackShipments', [{ events: null }, { events: [1] }], [{ events: [] }, { events: [1] }]],
	['trackShipments', [{ events: [{ type: 1 }] }], [{ events: [{ type: 1 }] }]],
	['sendToPrinter', false, false],
])('%s: the result %j is accepted and becomes %j', (name, result, expected) => {
	expect(outcomeOf(name, { result, errors: [] })).toEqual(expected);
});

test('a response in another shape is not requested again', () => {
	const { mayHaveActed, isTransient = false } = factsOf(200, { result: null });
	expect([mayHaveActed, isTransient]).toEqual([true, false]);
});

const ROWS = [{ statusCode: 200, code: 'ANT' }];

test.each<[EndpointName, number, unknown[], string]>([
	['findCarriers', 299, ROWS, ''],
	['findCarriers', 300, ROWS, 'The service redirects to'],
	['findCarriers', 199, ROWS, 'The service refused'],
	['findCarriers', 400, ROWS, 'The service refused'],
	// A refused creation may contain rows of shipments that were created.
	['createShipments', 400, ROWS, ''],
	['createShipments', 400, [], 'The service refused'],
])('%s with the status %i and the rows %j: %j', (name, status, result, error) => {
	const expected = error === '' ? result : expect.stringContaining(error);
	expect(outcomeOf(name, { result }, status)).toEqual(expected);
});

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
		isTransient,
		cause: isTransient ? 'temporarily-unavailable' : 'configuration-invalid',
	});
});

test.each([
	['<title>Sign in</title>', 'page ("Sign in").'],
	['<title lang="en">\n Sign in\n</title>', 'page ("Sign in").'],
	['<TITLE>Sign in</TITLE>', 'page ("Sign in").'],
	['<title> </title>', 'page.'],
	[`<title>${'x'.repeat(121)}</title>`, 'page.'],
])('a web page is named by its title: %j', (title, expected) => {
	const { description } = factsOf(200, `<html><head>${title}</head></html>`);
	expect(description).toContain(`It may be a login or maintenance ${expected}`);
});

const UNAVAILABLE = 'temporarily-unavailable';
const INVALID = 'configuration-invalid';

test.each<[number, string, boolean, boolean, string | undefined]>([
	[302, '', true, false, INVALID],
	[399, '', true, false, INVALID],
	[400, '', false, false, undefined],
	[401, '', false, false, 'credential-invalid'],
	[403, '', false, false, INVALID],
	[408, '', true, true, UNAVAILABLE],
	[409, '', false, false, undefined],
	[429, '', false, true, 'rate-limited'],
	[499, '', false, false, undefined],
	[500, '', true, true, UNAVAILABLE],
	[500, '2', true, true, UNAVAILABLE],
	[503, '', true, true, UNAVAILABLE],
	[503, '2', false, true, UNAVAILABLE],
	[504, '', true, true, UNAVAILABLE],
])(
	'after %i with Retry-After "%s", the request may have been carried out: %s, is repeated: %s',
	(...given) => {
		const [status, retryAfter, mayHaveActed, isTransient, cause] = given;
		const facts = factsOf(status, '', { 'retry-after': retryAfter });
		const endpoint = 'List carriers (POST /Carrier/Find)';
		const expected = { endpoint, status, mayHaveActed, isTransient };
		expect({ isTransient: false, ...facts }).toMatchObject(expected);
		expect(facts.cause).toBe(cause);
		expect(facts.retryAfterMs).toBe(retryAfter === '' ? undefined : 2_000);
	},
);

test('a 503 with Retry-After says that the service is temporarily unavailable', () => {
	expect(factsOf(503, { message: 'Maintenance' }, { 'retry-after': '2' })).toMatchObject({
		message: 'The service is temporarily unavailable (503)',
		description: 'Run the workflow again later. The service said: Maintenance.',
		details: { serviceMessage: 'Maintenance' },
	});
	expect(factsOf(400, '')).not.toHaveProperty('details');
});

test.each([
	['https://login.example.com/?next=1', 'https://login.example.com'],
	['/login', 'another page'],
	[undefined, 'another page'],
])('a redirect to %s names %s, and is not followed', (location, target) => {
	expect(factsOf(302, '', location === undefined ? {} : { location })).toMatchObject({
		message: `The service redirects to ${target}`,
		description:
			"Redirects are not followed, so that the credential is sent nowhere else. Check 'Base URL' of the credential.",
	});
});

test.each<[boolean, string, number, unknown]>([
	[true, 'an empty 404', 404, ''],
	[true, 'an empty 405', 405, ''],
	[true, '405 with any text', 405, { message: 'Only for merchants' }],
	[true, 'a web page', 404, '<!doctype html><title>404</title>'],
	[true, 'plain text', 404, '404 page not found'],
	[true, 'the words of a gateway', 404, { message: 'The requested resource was not found.' }],
	[true, 'problem details', 404, { title: 'Not Found', status: 404 }],
	[true, 'an empty envelope', 404, { result: null, errors: [] }],
	[true, 'an empty result', 404, { result: {}, errors: [] }],
	[true, 'the name of the path', 404, { message: 'Cannot POST /api/Package/Create' }],
	[true, 'the method and the path', 404, { message: 'Route POST:/api/Package/Create' }],
	[true, 'a missing endpoint', 404, { message: 'Unknown endpoint' }],
	[false, 'another status', 400, ''],
	[false, 'a record that is not found', 404, { message: 'No order 7' }],
	[false, 'a reference', 404, { errors: [{ message: 'Not found', reference: '7' }] }],
	[false, 'a response that was cut off', 404, '{"result":[{"id":10'],
	[false, 'a list that was cut off', 404, ' [{"id":10'],
	[false, 'a list', 404, []],
	[false, 'rows', 404, { result: [{ code: 'ANT' }] }],
	[false, 'a 405 with rows', 405, { result: [{ code: 'ANT' }] }],
])('nothing is at a path for certain (%s) after %s', (isMissing, _, status, body) => {
	expect(factsOf(status, body).isMissingEndpoint).toBe(isMissing || undefined);
});
