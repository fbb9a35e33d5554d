import axios, { type AxiosInstance } from 'axios';
import { type Fault, type Sandbox, startSandbox } from '../../sandbox';
import { clientOf, shipment } from './client';

let sandbox: Sandbox;
let client: AxiosInstance;

beforeAll(async () => {
	sandbox = await startSandbox();
	client = clientOf(sandbox);
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

/** Returns the response as text, or the error code of the failed connection. */
async function create() {
	try {
		const config = { transformResponse: (text: string) => text, maxRedirects: 0, timeout: 300 };
		const response = await client.post('/Package/Create', [shipment()], config);
		return { status: response.status, text: response.data as string, headers: response.headers };
	} catch (error) {
		return { failed: (error as { code: string }).code };
	}
}

describe.each<[string, Omit<Fault, 'operation'>, object]>([
	['a reset connection', { kind: 'reset' }, { failed: 'ECONNRESET' }],
	['no response', { kind: 'noResponse' }, { failed: 'ECONNABORTED' }],
	[
		'a body cut off by a closed socket',
		{ kind: 'halfBody', cut: true },
		{ failed: 'ERR_BAD_RESPONSE' },
	],
	['a status', { kind: 'status', status: 502 }, { status: 502 }],
	[
		'a status with a custom body',
		{ kind: 'status', status: 500, body: 'oops' },
		{ status: 500, text: 'oops' },
	],
	['a login page', { kind: 'html' }, { status: 200, text: expect.stringMatching(/^<!doctype/) }],
	['a gateway page', { kind: 'html', status: 502 }, { status: 502 }],
	['result null', { kind: 'nullResult' }, { text: expect.stringMatching(/"result":null/) }],
	['a custom body', { kind: 'body', body: [] }, { status: 200, text: '[]' }],
	['no JSON at all', { kind: 'body', body: null }, { status: 200, text: 'null' }],
	[
		'a redirect',
		{ kind: 'redirect', location: 'https://elsewhere.invalid/login' },
		{
			status: 302,
			headers: expect.objectContaining({ location: 'https://elsewhere.invalid/login' }),
		},
	],
	['a rate limit', { kind: 'rateLimit' }, { status: 429 }],
])('%s', (_case, fault, expected) => {
	test('before the operation creates nothing, and the next request succeeds', async () => {
		sandbox.fault({ operation: 'createShipments', ...fault });
		expect(await create()).toMatchObject(expected);
		expect(sandbox.database.shipments()).toHaveLength(0);
		expect(await create()).toMatchObject({ status: 200 });
	});

	test('after the operation keeps the created shipment', async () => {
		sandbox.fault({ operation: 'createShipments', when: 'after', ...fault });
		expect(await create()).toMatchObject(expected);
		expect(sandbox.database.shipments()).toHaveLength(1);
	});
});

test('half a body is a complete HTTP response with invalid JSON', async () => {
	sandbox.fault({ operation: 'createShipments', kind: 'halfBody', when: 'after' });
	const { status, text = '', headers } = await create();
	expect(status).toBe(200);
	expect(headers).not.toHaveProperty('content-length');
	expect(text).toMatch(/^\{"result":\[\{"id":1001,/);
	expect(() => JSON.parse(text)).toThrow();
});

test('a rate limit sends Retry-After only if it is set', async () => {
	sandbox.fault({ operation: '*', kind: 'rateLimit', retryAfter: '2' });
	sandbox.fault({ operation: '*', kind: 'rateLimit' });
	expect((await create()).headers).toMatchObject({ 'retry-after': '2' });
	expect((await create()).headers).not.toHaveProperty('retry-after');
});

test('a response can be rewritten, even if it then violates the contract', async () => {
	sandbox.fault({
		operation: 'createShipments',
		kind: 'body',
		rewrite: (response: { result: unknown[] }) => ({ ...response, result: 'three' }),
	});
	const { text = '' } = await create();
	expect(JSON.parse(text)).toMatchObject({ result: 'three', batchId: 71, packagesCount: 1 });
});

test('latency delays the response and combines with other faults', async () => {
	sandbox.fault({ operation: '*', kind: 'latency', ms: 80 });
	sandbox.fault({ operation: '*', kind: 'status', status: 503 });
	const started = Date.now();
	expect(await create()).toMatchObject({ status: 503 });
	expect(Date.now() - started).toBeGreaterThanOrEqual(75);
});

test('a fault skips the given number of requests and affects the given number after them', async () => {
	sandbox.fault({ operation: 'createShipments', kind: 'status', skip: 1, times: 2 });
	const statuses = [];
	for (let i = 0; i < 4; i++) statuses.push((await create()).status);
	expect(statuses).toEqual([200, 503, 503, 200]);
});

test('an endless fault only affects its operation and ends when faults are cleared', async () => {
	sandbox.fault({ operation: 'createShipments', kind: 'status', times: Infinity });
	for (let i = 0; i < 3; i++) expect(await create()).toMatchObject({ status: 503 });
	expect((await client.post('/Carrier/Find', {})).status).toBe(200);
	sandbox.clearFaults();
	expect(await create()).toMatchObject({ status: 200 });
});

test('sign-in and label files can fail too', async () => {
	const { data } = await client.post('/Package/Create', [shipment()]);
	sandbox.fault({ operation: 'labelFile', kind: 'html' });
	sandbox.fault({ operation: 'labelFile', kind: 'halfBody', when: 'after', cut: true });
	sandbox.fault({ operation: 'signIn', kind: 'status', status: 500 });
	expect((await client.get(data.labelsUrl)).headers['content-type']).toMatch(/text\/html/);
	await expect(client.get(data.labelsUrl)).rejects.toThrow();
	expect((await client.post('/Account/Login', {})).status).toBe(500);
});

test('the rate limit option limits the number of requests', async () => {
	const limited = await startSandbox({
		rateLimit: { requests: 2, perMs: 200, retryAfterSeconds: 1 },
	});
	const send = () => clientOf(limited).post('/Carrier/Find', {});
	const responses = [await send(), await send(), await send()];
	expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
	expect(responses[2]?.headers['retry-after']).toBe('1');
	await new Promise((resolve) => setTimeout(resolve, 220));
	expect((await send()).status).toBe(200);
	await limited.close();
});

test('a response of the sandbox that violates the contract is a failure of the sandbox', async () => {
	const [seeded] = sandbox.seedShipments(1, { price: 'a lot' as never });
	const response = await client.get(`/ANT/${seeded?.id}`);
	expect(response).toMatchObject({
		status: 500,
		data: {
			message: expect.stringMatching(/violates the contract/),
			errors: expect.arrayContaining(['/result must be object']),
		},
	});
});

test('records requests unchanged, including credentials', async () => {
	await create();
	sandbox.fault({ operation: '*', kind: 'reset' });
	await create();
	await axios.get(`${sandbox.url}/nowhere/at/all`, { validateStatus: () => true });
	expect(sandbox.requests).toMatchObject([
		{
			operationId: 'createShipments',
			method: 'POST',
			path: '/api/Package/Create',
			body: [{ packageNumberCustom: 'ORDER-1' }],
			headers: { 'x-api-key': 'sandbox-key' },
			status: 200,
		},
		{ operationId: 'createShipments', status: null },
		{ operationId: null, method: 'GET', status: 404 },
	]);
});
