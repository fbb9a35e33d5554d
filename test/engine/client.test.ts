import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';

import { type Client, createClient } from '../../nodes/ParcelShipping/transport/client';
import type { ErrorFacts, ServiceError } from '../../nodes/ParcelShipping/transport/errors';
import { type Fault, type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const MAX_RETRY_WAIT_MS = 3_000;

async function withClient<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
	return await engine.within(async (context) =>
		work(await createClient(context, { maxRetryWaitMs: MAX_RETRY_WAIT_MS })),
	);
}

/** A safe endpoint, whose requests may be repeated. */
const listCarriers = (client: Client) => client.call('findCarriers', { body: {} }, 500);

/** An endpoint whose requests must not be repeated. */
const print = (client: Client) =>
	client.call('sendToPrinter', { body: { hash: 'abc', printerName: 'Warehouse A4' } }, 500);

async function factsOf(work: Promise<unknown>): Promise<ErrorFacts> {
	return await work.then(
		() => {
			throw new Error('The request was expected to fail');
		},
		(failure: ServiceError) => {
			if (failure.name !== 'ServiceError') throw failure;
			return failure.facts;
		},
	);
}

const requestCount = (operation: string) =>
	sandbox.requests.filter(({ operationId }) => operationId === operation).length;

describe('A safe request is repeated after a temporary fault', () => {
	const transientFaults: Array<[string, Omit<Fault, 'operation'>]> = [
		['the connection is reset', { kind: 'reset' }],
		['no response in time', { kind: 'noResponse' }],
		['500', { kind: 'status', status: 500 }],
		['502', { kind: 'status', status: 502 }],
		['503', { kind: 'status', status: 503 }],
		['504 after the request was carried out', { kind: 'status', status: 504, when: 'after' }],
		['429 without Retry-After', { kind: 'rateLimit' }],
		['half a body', { kind: 'halfBody' }],
		['half a body and a broken connection', { kind: 'halfBody', cut: true }],
		['a web page with 502', { kind: 'html', status: 502 }],
	];
	test.each(transientFaults)('%s', async (_, fault) => {
		sandbox.fault({ operation: 'findCarriers', ...fault });
		const { result } = await withClient(listCarriers);
		expect(result.map(({ code }) => code)).toContain('ANT');
		expect(requestCount('findCarriers')).toBe(2);
	});

	test('but not if the response is only slow', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'latency', ms: 300 });
		await withClient(listCarriers);
		expect(requestCount('findCarriers')).toBe(1);
	});
});

describe('The client waits as long as the service requires', () => {
	test('at least one second for 429 with Retry-After: 1', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'rateLimit', retryAfter: '1' });
		const started = Date.now();
		await withClient(listCarriers);
		expect(Date.now() - started).toBeGreaterThanOrEqual(1_000);
	});

	test('until the date of a 503 with Retry-After', async () => {
		const at = Math.ceil(Date.now() / 1000) * 1000 + 1_000;
		const retryAfter = new Date(at).toUTCString();
		sandbox.fault({ operation: 'findCarriers', kind: 'status', status: 503, retryAfter });
		await withClient(listCarriers);
		expect(Date.now()).toBeGreaterThanOrEqual(at);
	});

	test('but not if the pause is longer than Max Retry Wait, which the error says', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'rateLimit', retryAfter: '60' });
		const started = Date.now();
		const facts = await factsOf(withClient(listCarriers));
		expect(Date.now() - started).toBeLessThan(1_000);
		expect(facts).toMatchObject({
			cause: 'rate-limited',
			retryAfterMs: 60_000,
			mayHaveActed: false,
		});
		expect(facts.description).toContain('would exceed Max Retry Wait (3.0 s)');
	});

	test('but gives up after Max Retry Wait if the service keeps limiting the rate', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'rateLimit', times: Infinity });
		const started = Date.now();
		const facts = await factsOf(withClient(listCarriers));
		expect(facts.cause).toBe('rate-limited');
		expect(Date.now() - started).toBeLessThan(MAX_RETRY_WAIT_MS + 1_500);
		expect(requestCount('findCarriers')).toBeGreaterThanOrEqual(3);
	});
});

describe('A request that may have been carried out is never repeated', () => {
	const unknownOutcomes: Array<[string, Omit<Fault, 'operation'>]> = [
		['the connection is reset before the request is carried out', { kind: 'reset' }],
		['the connection is reset after the request was carried out', { kind: 'reset', when: 'after' }],
		['no response in time', { kind: 'noResponse', when: 'after' }],
		['500', { kind: 'status', status: 500, when: 'after' }],
		['502', { kind: 'status', status: 502 }],
		['503 without Retry-After', { kind: 'status', status: 503 }],
		['504', { kind: 'status', status: 504, when: 'after' }],
		['half a body', { kind: 'halfBody', when: 'after' }],
		['half a body and a broken connection', { kind: 'halfBody', cut: true, when: 'after' }],
		['a web page with 200', { kind: 'html', when: 'after' }],
		['result: null', { kind: 'nullResult', when: 'after' }],
		['a redirect', { kind: 'redirect' }],
	];
	test.each(unknownOutcomes)('%s', async (_, fault) => {
		sandbox.fault({ operation: 'sendToPrinter', ...fault });
		const facts = await factsOf(withClient(print));
		expect(facts.mayHaveActed).toBe(true);
		expect(requestCount('sendToPrinter')).toBe(1);
	});

	test('but a request refused with 429 was not carried out and is repeated', async () => {
		sandbox.fault({ operation: 'sendToPrinter', kind: 'rateLimit', retryAfter: '0' });
		const facts = await factsOf(withClient(print));
		expect(requestCount('sendToPrinter')).toBe(2);
		expect(facts.mayHaveActed).toBe(false);
	});
});

describe('An unexpected response is an error', () => {
	test('for a web page, which names the endpoint', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'html' });
		const facts = await factsOf(withClient(listCarriers));
		expect(facts.message).toContain('The service returned a web page instead of data');
		expect(facts.endpoint).toBe('List carriers (POST /Carrier/Find)');
		expect(facts.description).toContain('Base URL');
		expect(requestCount('findCarriers')).toBe(1);
	});

	test('for result: null', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'nullResult' });
		expect((await factsOf(withClient(listCarriers))).description).toContain('"result" is null');
	});

	test('for a list with unexpected elements', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'body', body: { result: [{ name: 'Ant' }] } });
		expect((await factsOf(withClient(listCarriers))).description).toContain(
			'"result"[0] has no "code"',
		);
	});

	test('for a redirect, which is not followed and whose host is named', async () => {
		sandbox.fault({
			operation: 'findCarriers',
			kind: 'redirect',
			location: 'https://login.example.com/?next=1',
		});
		const facts = await factsOf(withClient(listCarriers));
		expect(facts.message).toBe('The service redirects to https://login.example.com');
	});

	test.each([
		[401, 'The service refused the credential (401)', 'credential-invalid'],
		[403, 'The service does not allow this request (403)', 'configuration-invalid'],
	])('for %i, which says whether the secret or a permission is missing', async (...given) => {
		const [status, message, cause] = given;
		sandbox.fault({ operation: 'findCarriers', kind: 'status', status });
		expect(await factsOf(withClient(listCarriers))).toMatchObject({
			message,
			cause,
			mayHaveActed: false,
		});
	});

	test("for a refusal, with the service's message and correlation ID", async () => {
		const facts = await factsOf(
			withClient((client) => client.call('getBatch', { path: { id: 999_999 } } as never, 500)),
		);
		expect(facts).toMatchObject({ status: 404, mayHaveActed: false });
		expect(facts.message).toMatch(/^The service said: .*999999/);
		expect(facts.correlationId).toMatch(/^[0-9a-f-]{36}$/);
	});
});

describe('The service is not available', () => {
	test('a refused connection is repeated four times', async () => {
		const other = await startSandbox();
		const lost = await startEngine(sandboxCredential(other.url));
		await other.close();
		const facts = await factsOf(
			lost.within(async (context) => listCarriers(await createClient(context))),
		);
		expect(facts).toMatchObject({ mayHaveActed: false, cause: 'temporarily-unavailable' });
		expect(facts.message).toMatch(/^Could not connect to the service at [\w.]+:\d+$/);
		expect(facts.details).toEqual({ code: 'ECONNREFUSED' });
		expect(facts.description).toContain('Tried 4 times');
	});

	test('plain http to a host on the internet is refused without sending anything', async () => {
		const plain = await startEngine(sandboxCredential('http://api.example.com/api'));
		const facts = await factsOf(
			plain.within(async (context) => listCarriers(await createClient(context))),
		);
		expect(facts.message).toContain('which would send the secret unencrypted to api.example.com');
	});
});

test('two items with the same question share a request, and neither changes with the other', async () => {
	const [first, second] = await withClient(async (client) =>
		Promise.all([client.carriers(), client.carriers()]),
	);
	expect(requestCount('findCarriers')).toBe(1);
	expect(second).toEqual(first);
	expect(second?.[0]).not.toBe(first?.[0]);
});

test('no more requests run at a time than Max Concurrency allows, however their work is nested', async () => {
	sandbox.fault({ operation: 'getBatch', kind: 'latency', ms: 30, times: Infinity });
	await engine.within(async (context) => {
		const client = await createClient(context, { maxConcurrency: 3 });
		const request = async () =>
			client.call('getBatch', { path: { id: 999_999 } } as never).catch(() => {});
		const nested = async () => client.mapParallel([1, 2, 3, 4], request);
		await Promise.all([nested(), client.mapParallel([1, 2, 3, 4], nested)]);
	});
	const running = sandbox.requests.map(
		({ at }) =>
			sandbox.requests.filter((other) => other.at <= at && (other.finishedAt ?? 0) > at).length,
	);
	expect(requestCount('getBatch')).toBe(20);
	expect(Math.max(...running)).toBe(3);
});

test('stopping the workflow ends a pause at once and sends nothing more', async () => {
	sandbox.fault({ operation: 'findCarriers', kind: 'rateLimit', retryAfter: '4', times: Infinity });
	const started = Date.now();
	const facts = await factsOf(
		engine.within(
			async (context) => listCarriers(await createClient(context, { maxRetryWaitMs: 60_000 })),
			(stop) => setTimeout(stop, 400),
		),
	);
	expect(facts.message).toBe('The workflow was stopped');
	expect(Date.now() - started).toBeLessThan(2_000);
	expect(requestCount('findCarriers')).toBe(1);
});

test('a request that is cut off when the workflow is stopped may have been carried out', async () => {
	sandbox.fault({ operation: 'sendToPrinter', kind: 'latency', ms: 1_000 });
	const facts = await factsOf(
		engine.within(
			async (context) => {
				const client = await createClient(context);
				const body = { hash: 'abc', printerName: 'Warehouse A4' };
				return await client.call('sendToPrinter', { body }, 5_000);
			},
			(stop) => setTimeout(stop, 300),
		),
	);
	expect(facts).toMatchObject({ message: 'The workflow was stopped', mayHaveActed: true });
});

test('n8n is told not to follow redirects, whatever the credential says', async () => {
	const followed = await engine.within(async (context) => {
		const send = jest.spyOn(context.helpers, 'httpRequestWithAuthentication');
		await listCarriers(await createClient(context));
		return send.mock.calls.map(([, options]) => options.disableFollowRedirect !== true);
	});
	expect(followed).toEqual([false]);
});

test('an error does not contain the secret, even if the message of the service does', async () => {
	sandbox.fault({
		operation: 'findCarriers',
		kind: 'status',
		status: 400,
		body: { message: 'The key sandbox-key is not known' },
	});
	const facts = await factsOf(withClient(listCarriers));
	expect(JSON.stringify(facts)).not.toContain('sandbox-key');
	expect(facts.message).toContain('The key *** is not known');
});
