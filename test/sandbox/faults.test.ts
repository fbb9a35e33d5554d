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

/** The answer as text, or the code of the failed connection. */
async function create() {
	try {
		const config = { transformResponse: (text: string) => text, maxRedirects: 0, timeout: 300 };
		const answer = await client.post('/Package/Create', [shipment()], config);
		return { status: answer.status, text: answer.data as string, headers: answer.headers };
	} catch (error) {
		return { failed: (error as { code: string }).code };
	}
}

describe.each<[string, Omit<Fault, 'operation'>, object]>([
	['a reset connection', { kind: 'reset' }, { failed: 'ECONNRESET' }],
	['no answer', { kind: 'noAnswer' }, { failed: 'ECONNABORTED' }],
	['a body cut by the socket', { kind: 'halfBody', cut: true }, { failed: 'ERR_BAD_RESPONSE' }],
	['a status', { kind: 'status', status: 502 }, { status: 502 }],
	[
		'a status with a body of its own',
		{ kind: 'status', status: 500, body: 'oops' },
		{ status: 500, text: 'oops' },
	],
	['a login page', { kind: 'html' }, { status: 200, text: expect.stringMatching(/^<!doctype/) }],
	['a gateway page', { kind: 'html', status: 502 }, { status: 502 }],
	['result null', { kind: 'nullResult' }, { text: expect.stringMatching(/"result":null/) }],
	['another body', { kind: 'body', body: [] }, { status: 200, text: '[]' }],
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
])('%s', (_what, fault, outcome) => {
	test('before the work leaves nothing behind; the next request is answered', async () => {
		sandbox.fault({ operation: 'createShipments', ...fault });
		expect(await create()).toMatchObject(outcome);
		expect(sandbox.books.shipments()).toHaveLength(0);
		expect(await create()).toMatchObject({ status: 200 });
	});

	test('after the work leaves a shipment behind', async () => {
		sandbox.fault({ operation: 'createShipments', when: 'after', ...fault });
		expect(await create()).toMatchObject(outcome);
		expect(sandbox.books.shipments()).toHaveLength(1);
	});
});

test('half a body looks whole to HTTP and is no JSON', async () => {
	sandbox.fault({ operation: 'createShipments', kind: 'halfBody', when: 'after' });
	const { status, text = '', headers } = await create();
	expect(status).toBe(200);
	expect(headers).not.toHaveProperty('content-length');
	expect(text).toMatch(/^\{"result":\[\{"id":1001,/);
	expect(() => JSON.parse(text)).toThrow();
});

test('a rate limit names the time to wait only when it is told to', async () => {
	sandbox.fault({ operation: '*', kind: 'rateLimit', retryAfter: '2' });
	sandbox.fault({ operation: '*', kind: 'rateLimit' });
	expect((await create()).headers).toMatchObject({ 'retry-after': '2' });
	expect((await create()).headers).not.toHaveProperty('retry-after');
});

test('an answer can be rewritten, and breaks the contract unhindered', async () => {
	sandbox.fault({
		operation: 'createShipments',
		kind: 'body',
		rewrite: (answer: { result: unknown[] }) => ({ ...answer, result: 'three' }),
	});
	const { text = '' } = await create();
	expect(JSON.parse(text)).toMatchObject({ result: 'three', batchId: 71, packagesCount: 1 });
});

test('latency comes on top of the answer, and of other faults', async () => {
	sandbox.fault({ operation: '*', kind: 'latency', ms: 80 });
	sandbox.fault({ operation: '*', kind: 'status', status: 503 });
	const started = Date.now();
	expect(await create()).toMatchObject({ status: 503 });
	expect(Date.now() - started).toBeGreaterThanOrEqual(75);
});

test('a fault lets requests through first and strikes as often as it is told', async () => {
	sandbox.fault({ operation: 'createShipments', kind: 'status', skip: 1, times: 2 });
	const statuses = [];
	for (let i = 0; i < 4; i++) statuses.push((await create()).status);
	expect(statuses).toEqual([200, 503, 503, 200]);
});

test('an endless fault ends when faults are cleared, and spares other operations', async () => {
	sandbox.fault({ operation: 'createShipments', kind: 'status', times: Infinity });
	for (let i = 0; i < 3; i++) expect(await create()).toMatchObject({ status: 503 });
	expect((await client.post('/Carrier/Find', {})).status).toBe(200);
	sandbox.clearFaults();
	expect(await create()).toMatchObject({ status: 200 });
});

test('signing in and label files can fail too', async () => {
	const { data } = await client.post('/Package/Create', [shipment()]);
	sandbox.fault({ operation: 'labelFile', kind: 'html' });
	sandbox.fault({ operation: 'labelFile', kind: 'halfBody', when: 'after', cut: true });
	sandbox.fault({ operation: 'signIn', kind: 'status', status: 500 });
	expect((await client.get(data.labelsUrl)).headers['content-type']).toMatch(/text\/html/);
	await expect(client.get(data.labelsUrl)).rejects.toThrow();
	expect((await client.post('/Account/Login', {})).status).toBe(500);
});

test('a real rate limit lets so many requests through', async () => {
	const limited = await startSandbox({
		rateLimit: { requests: 2, perMs: 200, retryAfterSeconds: 1 },
	});
	const ask = () => clientOf(limited).post('/Carrier/Find', {});
	const answers = [await ask(), await ask(), await ask()];
	expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
	expect(answers[2]?.headers['retry-after']).toBe('1');
	await new Promise((resolve) => setTimeout(resolve, 220));
	expect((await ask()).status).toBe(200);
	await limited.close();
});

test('an answer of the sandbox that breaks the contract is a failure of the sandbox', async () => {
	const [seeded] = sandbox.seedShipments(1, { price: 'a lot' as never });
	const answer = await client.get(`/ANT/${seeded?.id}`);
	expect(answer).toMatchObject({
		status: 500,
		data: { message: expect.stringMatching(/breaks the contract/), errors: [expect.any(String)] },
	});
});

test('requests are recorded as they came, credentials included', async () => {
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
