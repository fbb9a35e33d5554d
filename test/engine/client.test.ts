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

async function ask<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
	return await engine.within(async (context) =>
		work(await createClient(context, { maxRetryWaitMs: MAX_RETRY_WAIT_MS })),
	);
}

/** A read, which may be asked again. */
const listCarriers = (client: Client) => client.call('findCarriers', { body: {} }, 500);

/** Not to be done twice. */
const print = (client: Client) =>
	client.call('sendToPrinter', { body: { hash: 'abc', printerName: 'Warehouse A4' } }, 500);

async function factsOf(work: Promise<unknown>): Promise<ErrorFacts> {
	return await work.then(
		() => {
			throw new Error('It was expected not to work');
		},
		(failure: ServiceError) => {
			if (failure.name !== 'ServiceError') throw failure;
			return failure.facts;
		},
	);
}

const asked = (operation: string) =>
	sandbox.requests.filter(({ operationId }) => operationId === operation).length;

describe('A read that meets a temporary fault is asked again and succeeds', () => {
	const transientFaults: Array<[string, Omit<Fault, 'operation'>]> = [
		['the connection is reset', { kind: 'reset' }],
		['no answer comes in time', { kind: 'noAnswer' }],
		['500', { kind: 'status', status: 500 }],
		['502', { kind: 'status', status: 502 }],
		['503', { kind: 'status', status: 503 }],
		['504 after the work was done', { kind: 'status', status: 504, when: 'after' }],
		['429 without Retry-After', { kind: 'rateLimit' }],
		['half a body', { kind: 'halfBody' }],
		['a body cut off with its connection', { kind: 'halfBody', cut: true }],
		['a page with 502', { kind: 'html', status: 502 }],
	];
	test.each(transientFaults)('%s', async (_, fault) => {
		sandbox.fault({ operation: 'findCarriers', ...fault });
		const { result } = await ask(listCarriers);
		expect(result.map(({ code }) => code)).toContain('ANT');
		expect(asked('findCarriers')).toBe(2);
	});

	test('an answer that is merely slow is waited for', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'latency', ms: 300 });
		await ask(listCarriers);
		expect(asked('findCarriers')).toBe(1);
	});
});

describe('A pause that the service asks for is kept', () => {
	test('429 with Retry-After: 1 waits at least a second', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'rateLimit', retryAfter: '1' });
		const started = Date.now();
		await ask(listCarriers);
		expect(Date.now() - started).toBeGreaterThanOrEqual(1_000);
	});

	test('503 with a date waits until then', async () => {
		const at = Math.ceil(Date.now() / 1000) * 1000 + 1_000;
		const retryAfter = new Date(at).toUTCString();
		sandbox.fault({ operation: 'findCarriers', kind: 'status', status: 503, retryAfter });
		await ask(listCarriers);
		expect(Date.now()).toBeGreaterThanOrEqual(at);
	});

	test('a pause longer than Max Retry Wait is not begun, and the message says so', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'rateLimit', retryAfter: '60' });
		const started = Date.now();
		const facts = await factsOf(ask(listCarriers));
		expect(Date.now() - started).toBeLessThan(1_000);
		expect(facts).toMatchObject({
			cause: 'rate-limited',
			retryAfterMs: 60_000,
			mayHaveActed: false,
		});
		expect(facts.description).toContain('longest wait of 3.0 s');
	});

	test('a service that never stops asking for pauses is given up within Max Retry Wait', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'rateLimit', times: Infinity });
		const started = Date.now();
		const facts = await factsOf(ask(listCarriers));
		expect(facts.cause).toBe('rate-limited');
		expect(Date.now() - started).toBeLessThan(MAX_RETRY_WAIT_MS + 1_500);
		expect(asked('findCarriers')).toBeGreaterThanOrEqual(3);
	});
});

describe('What may have been carried out is never sent again', () => {
	const open: Array<[string, Omit<Fault, 'operation'>]> = [
		['the connection is reset before the work', { kind: 'reset' }],
		['the connection is reset after the work', { kind: 'reset', when: 'after' }],
		['no answer comes in time', { kind: 'noAnswer', when: 'after' }],
		['500', { kind: 'status', status: 500, when: 'after' }],
		['502', { kind: 'status', status: 502 }],
		['503 without Retry-After', { kind: 'status', status: 503 }],
		['504', { kind: 'status', status: 504, when: 'after' }],
		['half a body', { kind: 'halfBody', when: 'after' }],
		['a body cut off with its connection', { kind: 'halfBody', cut: true, when: 'after' }],
		['a page with 200', { kind: 'html', when: 'after' }],
		['result: null', { kind: 'nullResult', when: 'after' }],
		['a redirect elsewhere', { kind: 'redirect' }],
	];
	test.each(open)('%s', async (_, fault) => {
		sandbox.fault({ operation: 'sendToPrinter', ...fault });
		const facts = await factsOf(ask(print));
		expect(facts.mayHaveActed).toBe(true);
		expect(asked('sendToPrinter')).toBe(1);
	});

	test('but being turned away with 429 means that nothing happened, so it is sent again', async () => {
		sandbox.fault({ operation: 'sendToPrinter', kind: 'rateLimit', retryAfter: '0' });
		const facts = await factsOf(ask(print));
		expect(asked('sendToPrinter')).toBe(2);
		expect(facts.mayHaveActed).toBe(false);
	});
});

describe('An answer that is not the expected one is refused, not passed on', () => {
	test('a page with 200 says that it is a page and which endpoint gave it', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'html' });
		const facts = await factsOf(ask(listCarriers));
		expect(facts.message).toContain('The service returned a web page instead of data');
		expect(facts.endpoint).toBe('List carriers (POST /Carrier/Find)');
		expect(facts.description).toContain('Base URL');
		expect(asked('findCarriers')).toBe(1);
	});

	test('result: null', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'nullResult' });
		expect((await factsOf(ask(listCarriers))).description).toContain('"result" is null');
	});

	test('a list whose elements are not what they should be', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'body', body: { result: [{ name: 'Ant' }] } });
		expect((await factsOf(ask(listCarriers))).description).toContain('"result"[0] has no "code"');
	});

	test('a redirect is not followed and its host is named', async () => {
		sandbox.fault({
			operation: 'findCarriers',
			kind: 'redirect',
			location: 'https://login.example.com/?next=1',
		});
		const facts = await factsOf(ask(listCarriers));
		expect(facts.message).toBe('The service redirects to https://login.example.com');
	});

	test("a refusal carries the service's own words and its correlation id", async () => {
		const facts = await factsOf(
			ask((client) => client.call('getBatch', { path: { id: 999_999 } } as never, 500)),
		);
		expect(facts).toMatchObject({ status: 404, mayHaveActed: false });
		expect(facts.message).toMatch(/^The service said: .*999999/);
		expect(facts.correlationId).toMatch(/^[0-9a-f-]{36}$/);
	});
});

describe('Nobody there', () => {
	test('a refused connection is tried a few times and then explained', async () => {
		const other = await startSandbox();
		const lost = await startEngine(sandboxCredential(other.url));
		await other.close();
		const facts = await factsOf(
			lost.within(async (context) => listCarriers(await createClient(context))),
		);
		expect(facts).toMatchObject({ mayHaveActed: false, cause: 'temporarily-unavailable' });
		expect(facts.message).toMatch(/can't be reached \(ECONNREFUSED\)/);
		expect(facts.description).toContain('Tried 4 times');
	});

	test('plain http to a host on the internet is refused before anything is sent', async () => {
		const plain = await startEngine(sandboxCredential('http://api.example.com/api'));
		const facts = await factsOf(
			plain.within(async (context) => listCarriers(await createClient(context))),
		);
		expect(facts.message).toContain('would travel unprotected to api.example.com');
	});
});

test("the user's Stop ends the waiting at once and nothing more is sent", async () => {
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
	expect(asked('findCarriers')).toBe(1);
});

test('a service that repeats the secret in its message does not get it into ours', async () => {
	sandbox.fault({
		operation: 'findCarriers',
		kind: 'status',
		status: 400,
		body: { message: 'The key sandbox-key is not known' },
	});
	const facts = await factsOf(ask(listCarriers));
	expect(JSON.stringify(facts)).not.toContain('sandbox-key');
	expect(facts.message).toContain('The key *** is not known');
});
