import type { EndpointName } from '../../nodes/ParcelShipping/transport/contract';
import { endpointOf } from '../../nodes/ParcelShipping/transport/endpoints';
import type { ServiceError } from '../../nodes/ParcelShipping/transport/errors';
import { readResponse } from '../../nodes/ParcelShipping/transport/response';

const read = (status: number, body: unknown, headers: Record<string, string> = {}) =>
	readResponse(
		endpointOf('findCarriers'),
		{ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
		0,
	);

const factsOf = (...given: Parameters<typeof read>) => {
	try {
		read(...given);
	} catch (thrown) {
		return (thrown as ServiceError).facts;
	}
	throw new Error('The response was expected to be an error');
};

describe('The correlation ID is found', () => {
	const header = { 'content-type': 'application/json', 'x-correlation-id': 'from-header' };

	test('in the body of a success, otherwise in the header', () => {
		expect(read(200, { result: [], correlationId: 'from-body' }, header)).toMatchObject({
			correlationId: 'from-body',
		});
		expect(read(200, { result: [] }, { 'x-correlation-id': 'from-header' })).toMatchObject({
			correlationId: 'from-header',
		});
	});

	test.each([400, 403, 404, 429, 500])('in the header of a %i with an empty body', (status) => {
		expect(factsOf(status, '', header).correlationId).toBe('from-header');
	});

	test('in the header of a response without a usable result', () => {
		expect(factsOf(200, { result: null, correlationId: null }, header).correlationId).toBe(
			'from-header',
		);
		expect(factsOf(200, '<html></html>', header).correlationId).toBe('from-header');
		expect(factsOf(200, { result: null, correlationId: '' }, header).correlationId).toBe(
			'from-header',
		);
	});

	test('nowhere if there is none', () => {
		expect(read(200, { result: [] })).toEqual({ result: [] });
		expect(read(200, { result: [] }, { 'x-correlation-id': '' })).toEqual({ result: [] });
		expect(factsOf(404, '')).not.toHaveProperty('correlationId');
	});
});

describe('A response with what the service adds', () => {
	test('is accepted with an empty list of errors', () => {
		expect(read(200, { result: [{ code: 'ANT' }], errors: [] })).toMatchObject({
			result: [{ code: 'ANT' }],
		});
	});

	test('is accepted with numbers where texts are documented, and null where lists are', () => {
		const row = { packageNumberCarrier: '1', events: null };
		const endpoint = endpointOf('trackShipments');
		const resultOf = (result: unknown[]) =>
			readResponse(endpoint, { status: 200, headers: {}, body: JSON.stringify({ result }) }, 0)
				.result;
		expect(resultOf([row])).toEqual([{ ...row, events: [] }]);
		const events = [{ type: 1, orderNumber: 7 }];
		expect(resultOf([{ ...row, events }])).toEqual([{ ...row, events }]);
	});
});

/** What is wrong with a body, or the response if nothing is. */
const outcomeOf = (name: EndpointName, body: unknown, status = 200) => {
	try {
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		return readResponse(endpointOf(name), { status, headers: {}, body: text }, 0).result;
	} catch (thrown) {
		const { message, description } = (thrown as ServiceError).facts;
		return `${message}. ${description}`;
	}
};

describe('A response is only accepted in the shape that the endpoint documents', () => {
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
			{ result: 'Paper is empty.' },
			'The service said: Paper is empty. The response has no usable result: "result" is a string.',
		],
	])('%s: %j is not', (name, body, problem) => {
		expect(outcomeOf(name, body)).toContain(problem);
	});

	test.each<[EndpointName, unknown, unknown]>([
		['findShipments', { data: [], total: 0 }, { data: [], total: 0 }],
		['getShipment', { id: 1 }, [{ id: 1 }]],
		['findPrinters', { data: [{ name: 'A' }], total: 1 }, [{ name: 'A' }]],
		['trackShipments', [{ events: null }, { events: [1] }], [{ events: [] }, { events: [1] }]],
		['sendToPrinter', false, false],
	])('%s: the result %j is, and becomes %j', (name, result, expected) => {
		expect(outcomeOf(name, { result })).toEqual(expected);
	});

	test('and is not requested again otherwise', () => {
		const { mayHaveActed, isTransient = false } = factsOf(200, { result: null });
		expect([mayHaveActed, isTransient]).toEqual([true, false]);
	});

	test('the highest status of success is one, and the next is none', () => {
		expect(outcomeOf('findCarriers', { result: [] }, 299)).toEqual([]);
		expect(outcomeOf('findCarriers', { result: [] }, 300)).toMatch(/^The service redirects to/);
		expect(outcomeOf('findCarriers', { result: [] }, 199)).toMatch(/^The service refused/);
	});

	test('rows beside an error count for a creation, and nothing else does', () => {
		const result = [{ statusCode: 200, code: 'ANT' }];
		expect(outcomeOf('createShipments', { result }, 400)).toEqual(result);
		expect(outcomeOf('createShipments', { result: [] }, 400)).toMatch(/^The service refused/);
		expect(outcomeOf('findCarriers', { result }, 400)).toMatch(/^The service refused/);
	});
});

describe('A response that is not JSON', () => {
	test.each([
		['  <!DOCTYPE html>', false],
		['<html lang="en">', false],
		['<?xml version="1.0"?>', false],
		['{"result": [', true],
		['see <html>', true],
		['', true],
	])('%j may be repeated: %s', (body, isTransient) => {
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
	])('is named by its title: %j', (title, expected) => {
		const { description } = factsOf(200, `<html><head>${title}</head></html>`);
		expect(description).toContain(`It may be a login or maintenance ${expected}`);
	});
});

describe('A status', () => {
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
		'of %i with Retry-After "%s": the request may have been carried out: %s, is repeated: %s',
		(status, retryAfter, mayHaveActed, isTransient, cause) => {
			const facts = factsOf(status, '', { 'retry-after': retryAfter });
			expect({ isTransient: false, ...facts }).toMatchObject({
				endpoint: 'List carriers (POST /Carrier/Find)',
				status,
				mayHaveActed,
				isTransient,
			});
			expect(facts.cause).toBe(cause);
			expect(facts.retryAfterMs).toBe(retryAfter === '' ? undefined : 2_000);
		},
	);

	test('of 503 with Retry-After says that the service is temporarily unavailable', () => {
		expect(factsOf(503, { message: 'Maintenance' }, { 'retry-after': '2' })).toMatchObject({
			message: 'The service is temporarily unavailable (503)',
			description: 'Run the workflow again later. The service said: Maintenance.',
			details: { serviceMessage: 'Maintenance' },
		});
	});

	test.each([
		['https://login.example.com/?next=1', 'https://login.example.com'],
		['/login', 'another page'],
		[undefined, 'another page'],
	])('of a redirect to %s names %s, and the address is not followed', (location, target) => {
		expect(factsOf(302, '', location === undefined ? {} : { location })).toMatchObject({
			message: `The service redirects to ${target}`,
			description:
				'Redirects are not followed, so that the credential is sent nowhere else. Check the Base URL of the credential.',
		});
	});

	test('of 404 says that there is nothing at the address only if no record is named', () => {
		expect(factsOf(404, '').isMissingEndpoint).toBe(true);
		expect(factsOf(404, { message: 'Shipment 7 does not exist' })).not.toHaveProperty(
			'isMissingEndpoint',
		);
		expect(factsOf(400, '')).not.toHaveProperty('details');
	});
});

describe('Nothing is at a path', () => {
	const missing: Array<[string, number, unknown]> = [
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
	];
	test.each(missing)('for certain after %s', (_, status, body) => {
		expect(factsOf(status, body).isMissingEndpoint).toBe(true);
	});

	const unsure: Array<[string, number, unknown]> = [
		['another status', 400, ''],
		['a record that is not found', 404, { message: 'No order 7' }],
		['a reference', 404, { errors: [{ message: 'Not found', reference: '7' }] }],
		['a response that was cut off', 404, '{"result":[{"id":10'],
		['a list that was cut off', 404, ' [{"id":10'],
		['a list', 404, []],
		['rows', 404, { result: [{ code: 'ANT' }] }],
		['a 405 with rows', 405, { result: [{ code: 'ANT' }] }],
	];
	test.each(unsure)('but not for certain after %s', (_, status, body) => {
		expect(factsOf(status, body)).not.toHaveProperty('isMissingEndpoint');
	});
});
