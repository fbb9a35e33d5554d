import { type Engine, startEngine } from '../support/engine';
import { useShop } from '../support/useShop';
import { sandboxCredential } from '../support/credentials';

import {
	type Client,
	createClient,
	type UnsafeCalls,
} from '../../nodes/ParcelShipping/transport/client';
import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import type { ErrorFacts, ServiceError } from '../../nodes/ParcelShipping/transport/errors';
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
	client.call('findCarriers', { body: {} }, timeoutMs);
const addFault = (fault: Omit<Fault, 'operation'>) => shop.fault('findCarriers', { ...fault });

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

const listWith = async (running: Engine) => withClient(listCarriers, running);

describe('A request that has no effect is repeated after', () => {
	test.each<[string, Omit<Fault, 'operation'>]>([
		['a connection reset', { kind: 'reset' }],
		['no response in time', { kind: 'noResponse' }],
		['500', { kind: 'status', status: 500 }],
		['502', { kind: 'status', status: 502 }],
		['503', { kind: 'status', status: 503 }],
		['504', { kind: 'status', status: 504, when: 'after' }],
		['429 without Retry-After', { kind: 'rateLimit' }],
		['half a body', { kind: 'halfBody' }],
		['half a body and a broken connection', { kind: 'halfBody', cut: true }],
		['a web page with 502', { kind: 'html', status: 502 }],
	])('%s', async (_, fault) => {
		addFault(fault);
		const { result } = await withClient(async (client) => listCarriers(client, 500));
		expect(result.map(({ code }) => code)).toContain('ANT');
		expect(shop.sandbox.requests).toHaveLength(2);
	});
});

describe('A request is not repeated after', () => {
	test.each<[string, Omit<Fault, 'operation'>, Partial<ErrorFacts>]>([
		[
			'a web page',
			{ kind: 'html' },
			{
				message: 'List carriers: The service returned a web page instead of data',
				endpoint: 'List carriers (POST /Carrier/Find)',
			},
		],
		[
			'a redirect, which is not followed',
			{ kind: 'redirect', location: 'https://login.example.com/?next=1' },
			{ message: 'The service redirects to https://login.example.com' },
		],
		[
			'a refusal, and the secret in the message of the service is not repeated',
			{ kind: 'status', status: 400, body: { message: 'The key sandbox-key is not known' } },
			{ message: 'The service said: The key *** is not known' },
		],
	])('%s', async (_, fault, facts) => {
		addFault(fault);
		const received = await factsOf(withClient(listCarriers));
		expect(received).toMatchObject(facts);
		expect(JSON.stringify(received)).not.toContain('sandbox-key');
		expect(shop.sandbox.requests).toHaveLength(1);
	});

	test('a redirect to the same service', async () => {
		addFault({ kind: 'redirect', status: 307, location: `${shop.sandbox.url}/Carrier/Find` });
		await factsOf(withClient(listCarriers));
		expect(shop.sandbox.requests).toHaveLength(1);
	});
});

test('A service that refuses connections cannot be used, and the request had no effect', async () => {
	const other = await startSandbox();
	const lost = await startEngine(sandboxCredential(other.url));
	await other.close();
	const facts = await factsOf(withClient(listCarriers, lost));
	expect(facts).toMatchObject({ mayHaveActed: false, cause: 'temporarily-unavailable' });
	expect(facts.message).toMatch(/^Could not connect to the service at [\w.]+:\d+$/);
	expect(facts.details).toEqual({ code: 'ECONNREFUSED' });
});

test('A secret is not sent unencrypted over the internet', async () => {
	const plain = await startEngine(sandboxCredential('http://api.example.com/api'));
	const { message } = await factsOf(withClient(listCarriers, plain));
	expect(message).toContain('which would send the secret unencrypted to api.example.com');
});

test('Two items with the same question share a request, and neither changes with the other', async () => {
	const [first, second] = await withClient(async (client) =>
		Promise.all([client.carriers(), client.carriers()]),
	);
	expect(shop.sandbox.requests).toHaveLength(1);
	expect(second).toEqual(first);
	expect(second?.[0]).not.toBe(first?.[0]);
});

test('No more requests run at a time than Max Concurrency allows, however their work is nested', async () => {
	shop.fault('getBatch', { kind: 'latency', ms: 30, times: Infinity });
	await shop.engine.within(async (context) => {
		const client = await createClient(context, { maxConcurrency: 3 });
		const request = async () =>
			client.call('getBatch', { path: { id: 999_999 } } as never).catch(() => {});
		const nested = async () => client.mapParallel([1, 2, 3, 4], request);
		await Promise.all([nested(), client.mapParallel([1, 2, 3, 4], nested)]);
	});
	const running = shop.sandbox.requests.map(
		({ at }) =>
			shop.sandbox.requests.filter((other) => other.at <= at && (other.finishedAt ?? 0) > at)
				.length,
	);
	expect(running).toHaveLength(20);
	expect(Math.max(...running)).toBe(3);
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
		addFault({ kind: 'rateLimit', retryAfter: '20', times: Infinity });
		const facts = await factsOf(
			shop.engine.within(
				async (context) => listCarriers(await createClient(context, { maxRetryWaitMs: 60_000 })),
				stopAtRequest,
			),
		);
		expect(facts.message).toBe('The workflow was stopped');
		expect(shop.sandbox.requests).toHaveLength(1);
	}, 10_000);

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

const tenTimes = async (client: Client) =>
	Promise.all(Array.from({ length: 10 }, async () => listCarriers(client)));
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

test.each<[Partial<ParcelShippingCredential>, string]>([
	[{ authentication: 'header', headerName: 'X-Key' }, "header X-Key. Check 'Header Name'"],
	[{ authentication: 'bearer' }, 'header Authorization'],
	[{ authentication: 'basic' }, 'header Authorization'],
	[{ authentication: 'query', queryName: 'key' }, "query parameter key. Check 'Query Name'"],
	[{ authentication: 'signIn', headerName: '' }, "header Authorization. Check 'Token Header Name'"],
])('A refused secret (401) says where it was sent: %j', async (form, place) => {
	// As a service responds to a token at a place where it does not look for it.
	addFault({ kind: 'status', status: 401, times: Infinity });
	const secrets = {
		...sandboxCredential(shop.sandbox.url),
		...sandboxCredential(shop.sandbox.url, 'signIn'),
	};
	const { description } = await factsOf(listWith(await startEngine({ ...secrets, ...form })));
	expect(description).toContain(`n8n sent the secret in the ${place}.`);
});

describe('Sign-in', () => {
	const signingIn = async (more: Partial<ParcelShippingCredential> = {}) =>
		startEngine({ ...sandboxCredential(shop.sandbox.url, 'signIn'), ...more });

	test('happens once for all requests, and once more when the token has expired', async () => {
		const engine = await signingIn();
		await withClient(tenTimes, engine);
		await listWith(engine);
		expect(shop.sandbox.signIns).toBe(1);
		expect(engine.credential.signIns).toBe(1);
		shop.sandbox.expireTokens();
		await withClient(tenTimes, engine);
		expect(shop.sandbox.signIns).toBe(2);
	});

	test.each<[string, Omit<Fault, 'operation'>]>([
		['403', { kind: 'status', status: 403 }],
		['a sign-in page', { kind: 'html' }],
	])('follows %s once per run and hour, and the response then stays as it is', async (_, fault) => {
		// The account of a credential with another query name is another one in the memory of the process.
		const engine = await signingIn({ queryName: fault.kind });
		await listWith(engine);
		const responses = async () => {
			shop.sandbox.requests.length = 0;
			shop.sandbox.clearFaults();
			shop.fault('findCarriers', { ...fault, times: Infinity });
			const twice = async (client: Client) => {
				for (let count = 0; count < 2; count++) await factsOf(listCarriers(client));
			};
			await withClient(twice, engine);
			return statuses().map((each) => each.replace(/ \d+/, ''));
		};
		expect(await responses()).toEqual([
			...['findCarriers', 'signIn', 'findCarriers', 'findCarriers'],
		]);
		expect(await responses()).toEqual(['findCarriers', 'findCarriers']);
	});

	test.each([403, 200])(
		'lets a run go on after %i, and a request that creates shipments is not repeated after a page',
		async (status) => {
			const engine = await signingIn({ queryName: `${status}` });
			await listWith(engine);
			const fault = status === 200 ? { kind: 'html' } : { kind: 'status', status };
			shop.sandbox.fault({ ...(fault as Fault), operation: 'createShipments' });
			shop.sandbox.requests.length = 0;
			const create = async (client: Client) =>
				asUnsafe(client).createShipments('ANT', [], {
					timeout: 1_000,
					carrierEndpoint: 'never',
				});
			await withClient(async (client) => {
				await factsOf(create(client));
				await listCarriers(client);
			}, engine);
			expect(statuses().map((each) => each.replace(/ \d+/, ''))).toEqual(
				status === 200
					? ['createShipments', 'signIn', 'findCarriers']
					: ['createShipments', 'signIn', 'createShipments', 'findCarriers'],
			);
		},
	);

	test('happens twice per run at most, whatever is refused', async () => {
		const engine = await signingIn();
		shop.fault('findCarriers', { kind: 'status', status: 401, times: Infinity });
		const fiveTimes = async (client: Client) => {
			for (let count = 0; count < 5; count++) await factsOf(listCarriers(client));
		};
		await withClient(fiveTimes, engine);
		expect(shop.sandbox.signIns).toBe(2);
	});

	test('with a wrong password happens once per run, so that the account is not locked', async () => {
		const engine = await signingIn({ password: 'wrong' });
		const threeTimes = async (client: Client) => {
			for (let count = 0; count < 3; count++) {
				const { message } = await factsOf(listCarriers(client));
				expect(message).toContain('Sign-in at /Account/Login was refused (401)');
			}
		};
		await withClient(threeTimes, engine);
		expect(statuses()).toEqual(['signIn 401']);
	});

	test('sends the Additional Fields', async () => {
		await listWith(await signingIn({ signInFields: '{ "language": "en" }' }));
		const { username: email, password } = sandboxCredential(shop.sandbox.url, 'signIn');
		expect(shop.sandbox.requests[0]?.body).toEqual({ email, password, language: 'en' });
	});

	test('does not repeat a secret of the Additional Fields in an error', async () => {
		const engine = await signingIn({ signInFields: '{ "code": "s3cr3t-code" }' });
		const body = { errors: [{ errorCode: 5, message: 'Code s3cr3t-code is used up' }] };
		shop.fault('signIn', { kind: 'status', status: 400, body, times: Infinity });
		const { message } = await factsOf(listWith(engine));
		expect(message).toContain('The service said: Code *** is used up.');
	});

	test.each(['{ "language": ', '["en"]', 'language'])(
		'sends nothing if the Additional Fields are %s',
		async (signInFields) => {
			const facts = await factsOf(listWith(await signingIn({ signInFields })));
			expect(facts.message).toContain('Additional Fields of the credential is not a JSON object');
			expect(facts).toMatchObject({ cause: 'credential-invalid', mayHaveActed: false });
			expect(shop.sandbox.requests).toEqual([]);
		},
	);

	test.each<[string, (token: string) => object]>([
		['token', (token) => ({ token })],
		['authToken', (authToken) => ({ authToken, expiresIn: 7200 })],
		['result.token', (token) => ({ result: { token } })],
		['result.authToken', (authToken) => ({ result: { authToken }, errors: [] })],
		['access_token', (token) => ({ access_token: token, token_type: 'bearer' })],
	])('finds the token in %s by itself', async (_, write) => {
		for (const tokenField of ['', 'token']) {
			const rewrite = ({ token }: { token: string }) => write(token);
			shop.fault('signIn', { kind: 'body', rewrite: rewrite as never });
			await expect(listWith(await signingIn({ tokenField }))).resolves.toBeDefined();
		}
	});

	test('is repeated when the service is temporarily unavailable', async () => {
		shop.fault('signIn', { kind: 'status', status: 503 });
		await listWith(await signingIn());
		expect(statuses()).toEqual(['signIn 503', 'signIn 200', 'findCarriers 200']);
	});
});

describe("The secret goes to the service's own origin and nowhere else", () => {
	let other: Sandbox;
	beforeEach(async () => {
		other = await startSandbox();
	});
	afterEach(() => other.close());

	/** As n8n's HTTP Request node sends it. */
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

	test('other nodes can use the credential with the service, and with no other one', async () => {
		expect(JSON.stringify(await request(`${shop.sandbox.url}/Carrier/Services`))).toContain(
			'ANT-HOME',
		);
		await expect(request(`${other.url}/Carrier/Services`)).rejects.toThrow(
			/This credential can only be used with http:\/\/127\.0\.0\.1:\d+\./,
		);
		expect(other.requests).toEqual([]);
	});

	test('a redirect to another origin is not followed', async () => {
		const location = `${other.url}/Carrier/Services`;
		shop.fault('findServices', { kind: 'redirect', status: 307, location });
		await request(`${shop.sandbox.url}/Carrier/Services`).catch(() => undefined);
		expect(shop.sandbox.requests).toHaveLength(1);
		expect(other.requests).toEqual([]);
	});

	test('a domain that the credential does not allow is refused', async () => {
		const engine = await startEngine({
			...sandboxCredential(shop.sandbox.url),
			allowedHttpRequestDomains: 'domains',
			allowedDomains: 'api.example.com',
		});
		const facts = await factsOf(listWith(engine));
		expect(facts.mayHaveActed).toBe(false);
		expect(shop.sandbox.requests).toEqual([]);
	});
});
