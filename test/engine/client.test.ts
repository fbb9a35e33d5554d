import { type Engine, startEngine } from '../support/engine';
import { useShop } from '../support/useShop';
import { sandboxCredential } from '../support/credentials';

import {
	type Client,
	createClient,
	type UnsafeCalls,
} from '../../nodes/ParcelShipping/transport/client';
import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import type { ItemError } from '../../nodes/ParcelShipping/transport/errors';
import { type Fault, type Sandbox, startSandbox } from '../../sandbox';

const shop = useShop();

const withClient = async <Result>(
	work: (client: Client) => Promise<Result>,
	running = shop.engine,
): Promise<Result> =>
	running.within(async (context) => work(await createClient(context, { maxRetryWaitMs: 3_000 })));

/** As `writes/` uses it. */
const asUnsafe = (client: Client) => client as unknown as UnsafeCalls;

const listCarriers = async (client: Client, timeoutMs?: number) =>
	client.call('findCarriers', { body: {} }, { timeoutMs });
const addFault = (fault: Omit<Fault, 'operation'>) => shop.fault('findCarriers', { ...fault });

type Facts = { message: string; description: string; details: object } & Record<string, unknown>;

async function factsOf(work: Promise<unknown>): Promise<Facts> {
	return await work.then(
		() => {
			throw new Error('The request was expected to fail');
		},
		({ message, description, details, facts }: ItemError) =>
			({ message, description, ...details, ...facts, details }) as never,
	);
}

const listWith = async (running: Engine) => withClient(listCarriers, running);

test.each<[string, Omit<Fault, 'operation'>]>([
	['a connection reset', { kind: 'reset' }],
	['no response in time', { kind: 'noResponse' }],
	['half a body and a broken connection', { kind: 'halfBody', cut: true }],
])('A request that has no effect is repeated after %s', async (_, fault) => {
	addFault(fault);
	const { result } = await withClient(async (client) => listCarriers(client, 500));
	expect(result.map(({ code }) => code)).toContain('ANT');
	expect(shop.sandbox.requests).toHaveLength(2);
});

test('No more requests run at a time than Max Parallel Requests allows, however their work is nested', async () => {
	shop.fault('getBatch', { kind: 'latency', ms: 30, times: Infinity });
	const credential = { ...sandboxCredential(shop.sandbox.url), maxParallelRequests: 3 };
	await withClient(
		async (client) => {
			const request = async () =>
				client.call('getBatch', { path: { id: 999_999 } } as never).catch(() => {});
			const nested = async () => client.mapParallel([1, 2, 3, 4], request);
			await Promise.all([nested(), client.mapParallel([1, 2, 3, 4], nested)]);
		},
		await startEngine(credential),
	);
	const { requests } = shop.sandbox;
	const running = requests.map(
		({ at }) => requests.filter((other) => other.at <= at && (other.finishedAt ?? 0) > at).length,
	);
	expect([running.length, Math.max(...running)]).toEqual([20, 3]);
});

describe('Stopping the workflow', () => {
	/** Stops the execution as soon as the service has received a request. */
	const stopAtRequest = (stop: () => void) => {
		const timer = setInterval(() => {
			if (shop.sandbox.requests.length === 0) return;
			clearInterval(timer);
			stop();
		}, 10);
	};

	test('ends a pause at once, and nothing more is sent', async () => {
		addFault({ kind: 'rateLimit', retryAfter: '50', times: Infinity });
		const facts = await factsOf(
			shop.engine.within(
				async (context) => listCarriers(await createClient(context)),
				stopAtRequest,
			),
		);
		expect(facts.message).toBe('The workflow was stopped');
		expect(shop.sandbox.requests).toHaveLength(1);
	}, 40_000);

	test('cuts off a request, which may have been carried out', async () => {
		shop.fault('sendToPrinter', { kind: 'latency', ms: 1_000 });
		const body = { hash: 'abc', printerName: 'Warehouse A4' };
		const facts = await factsOf(
			shop.engine.within(
				async (context) => asUnsafe(await createClient(context)).call('sendToPrinter', { body }),
				stopAtRequest,
			),
		);
		expect(facts).toMatchObject({ message: 'The workflow was stopped', mayHaveActed: true });
	});
});

const statuses = () =>
	shop.sandbox.requests.map(({ operationId, status }) => `${operationId} ${status}`);

test.each(['header', 'bearer', 'basic', 'query', 'signIn'] as const)(
	'With %s, requests are accepted, and a wrong secret is sent once and is not part of the error',
	async (form) => {
		const only = await startSandbox({ accept: [form] });
		const credential = sandboxCredential(`${only.url}/`, form);
		const { result } = await listWith(await startEngine(credential));
		expect(result.map(({ code }) => code)).toContain('ANT');

		const secrets = ['headerValue', 'token', 'password', 'queryValue'];
		const wrong = Object.fromEntries(secrets.map((name) => [name, 'wr0ng!']));
		only.requests.length = 0;
		const facts = await factsOf(listWith(await startEngine({ ...credential, ...wrong })));
		await only.close();
		expect(facts).toMatchObject({ cause: 'credential-invalid', mayHaveActed: false });
		expect(facts.message).toMatch(/refused/);
		expect(JSON.stringify(facts)).not.toContain('wr0ng!');
		expect(only.requests).toHaveLength(1);
	},
);

test('A refused secret (401) says what is likely, with the words of the service', async () => {
	const documented = await startSandbox({ dialect: 'documented' });
	const credential = { ...sandboxCredential(documented.url), headerName: 'X-Key' };
	const { message, description } = await factsOf(listWith(await startEngine(credential)));
	await documented.close();
	expect(message).toBe(
		'The provider refused the credential (401). The provider said: Token missing',
	);
	expect(description).toContain("check 'Authentication' and the name of the header");
});

describe('Sign-in', () => {
	const signingIn = async (more: Partial<ParcelShippingCredential> = {}) =>
		startEngine({ ...sandboxCredential(shop.sandbox.url, 'signIn'), ...more });

	test('with a wrong password happens once per run, so that the account is not locked', async () => {
		const engine = await signingIn({ password: 'wrong' });
		const threeTimes = async (client: Client) => {
			for (let count = 0; count < 3; count++) {
				const { message } = await factsOf(listCarriers(client));
				expect(message).toContain('Sign-in failed: The provider refused the credential (401)');
			}
		};
		await withClient(threeTimes, engine);
		expect(statuses()).toEqual(['signIn 401']);
	});

	test('sends the Additional Fields, and does not repeat a secret of them in an error', async () => {
		const engine = await signingIn({ signInFields: '{ "code": "s3cr3t-code" }' });
		await listWith(engine);
		const { username: email, password } = sandboxCredential(shop.sandbox.url, 'signIn');
		expect(shop.sandbox.requests[0]?.body).toEqual({ email, password, code: 's3cr3t-code' });
		shop.sandbox.expireTokens();
		const body = { errors: [{ errorCode: 5, message: 'Code s3cr3t-code is used up' }] };
		shop.fault('signIn', { kind: 'status', status: 400, body, times: Infinity });
		const { message } = await factsOf(listWith(engine));
		expect(message).toContain('The provider said: Code *** is used up');
	});

	test.each<[string, (token: string) => object]>([
		['result.authToken', (authToken) => ({ result: { authToken }, errors: [] })],
		['access_token', (token) => ({ access_token: token, token_type: 'bearer' })],
		['result.access_token', (token) => ({ result: { access_token: token } })],
	])('finds the token in %s by itself', async (_, write) => {
		shop.rewrite('signIn', ({ token }: { token: string }) => write(token));
		await expect(listWith(await signingIn())).resolves.toBeDefined();
	});
});

describe("The secret goes to the service's own origin and nowhere else", () => {
	let other: Sandbox;
	beforeEach(async () => {
		other = await startSandbox();
	});
	afterEach(() => other.close());

	/** As a node sends it that uses n8n's newer request function. */
	const request = async (url: string) => {
		const engine = await startEngine(sandboxCredential(shop.sandbox.url));
		return await engine.within(async (context) =>
			context.helpers.httpRequestWithAuthentication.call(context, 'parcelShippingApi', {
				method: 'POST',
				url,
				body: JSON.stringify({ carrierCode: 'ANT' }),
				headers: { 'Content-Type': 'application/json' },
			}),
		);
	};

	test("n8n's HTTP Request node follows no redirect with the secret", async () => {
		addFault({ kind: 'redirect', location: `${other.url}/Carrier/Find` });
		const engine = await startEngine(sandboxCredential(shop.sandbox.url));
		const response: unknown = await engine.within(async (context) =>
			context.helpers.requestWithAuthentication.call(context, 'parcelShippingApi', {
				...{ method: 'POST', uri: `${shop.sandbox.url}/Carrier/Find`, json: true, body: {} },
				...{ followRedirect: true, followAllRedirects: true, maxRedirects: 5 },
				...{ resolveWithFullResponse: true, simple: false },
			}),
		);
		expect(response).toMatchObject({ statusCode: 302 });
		expect(other.requests).toEqual([]);
	});

	test('other nodes can use the credential with the service, and with no other one', async () => {
		expect(JSON.stringify(await request(`${shop.sandbox.url}/Carrier/Services`))).toContain(
			'ANT-HOME',
		);
		await expect(request(`${other.url}/Carrier/Services`)).rejects.toThrow(
			/This credential can only be used with http:\/\/127\.0\.0\.1:\d+\./,
		);
		expect(other.requests).toEqual([]);
	});
});
