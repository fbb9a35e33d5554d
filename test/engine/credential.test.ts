import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';

import { createClient } from '../../nodes/ParcelShipping/transport/client';
import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import type { ServiceError } from '../../nodes/ParcelShipping/transport/errors';
import { type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const listCarriers = (engine: Engine) =>
	engine.within(async (context) =>
		(await createClient(context, { maxRetryWaitMs: 2_000 })).call('findCarriers', { body: {} }),
	);

const failureOf = (work: Promise<unknown>) =>
	work.then(
		() => {
			throw new Error('The request was expected to fail');
		},
		(failure: ServiceError) => failure.facts,
	);

const statuses = () =>
	sandbox.requests.map(({ operationId, status }) => `${operationId} ${status}`);

describe.each(['header', 'bearer', 'basic', 'query', 'signIn'] as const)('With %s', (form) => {
	let only: Sandbox;
	beforeAll(async () => {
		only = await startSandbox({ accept: [form] });
	});
	afterAll(() => only.close());

	test('requests are accepted', async () => {
		const engine = await startEngine(sandboxCredential(only.url, form));
		const { result } = await listCarriers(engine);
		expect(result.length).toBeGreaterThan(0);
	});

	test('a trailing slash of the Base URL is ignored', async () => {
		const engine = await startEngine(sandboxCredential(`${only.url}/`, form));
		await expect(listCarriers(engine)).resolves.toBeDefined();
	});

	test('a wrong secret is sent once and is not part of the error', async () => {
		const wrong = {
			headerValue: 'wr0ng!',
			token: 'wr0ng!',
			password: 'wr0ng!',
			queryValue: 'wr0ng!',
		};
		const engine = await startEngine({ ...sandboxCredential(only.url, form), ...wrong });
		only.requests.length = 0;
		const facts = await failureOf(listCarriers(engine));
		expect(facts).toMatchObject({ cause: 'credential-invalid', mayHaveActed: false });
		expect(facts.message).toMatch(/refused/);
		expect(JSON.stringify(facts)).not.toContain('wr0ng!');
		expect(only.requests).toHaveLength(1);
	});
});

describe('Sign-in', () => {
	const signedIn = () => startEngine(sandboxCredential(sandbox.url, 'signIn'));

	test('happens once for many requests', async () => {
		const engine = await signedIn();
		await listCarriers(engine);
		await listCarriers(engine);
		await listCarriers(engine);
		expect(sandbox.signIns).toBe(1);
	});

	test('happens once for ten parallel requests without a token', async () => {
		const engine = await signedIn();
		await engine.within(async (context) => {
			const client = await createClient(context);
			await Promise.all(
				Array.from({ length: 10 }, () => client.call('findCarriers', { body: {} })),
			);
		});
		expect(sandbox.signIns).toBe(1);
		expect(engine.credential.signIns).toBe(1);
	});

	test('happens once more for ten parallel requests with an expired token', async () => {
		const engine = await signedIn();
		await listCarriers(engine);
		sandbox.expireTokens();
		await engine.within(async (context) => {
			const client = await createClient(context);
			await Promise.all(
				Array.from({ length: 10 }, () => client.call('findCarriers', { body: {} })),
			);
		});
		expect(sandbox.signIns).toBe(2);
	});

	test('follows one refused request after the token expired, and the request is repeated', async () => {
		const engine = await signedIn();
		await listCarriers(engine);
		sandbox.advance(3);
		sandbox.requests.length = 0;
		await listCarriers(engine);
		expect(statuses()).toEqual(['findCarriers 401', 'signIn 200', 'findCarriers 200']);
	});

	test('with a wrong password happens once per run, so that the account is not locked', async () => {
		const credential = { ...sandboxCredential(sandbox.url, 'signIn'), password: 'wrong' };
		const engine = await startEngine(credential);
		await engine.within(async (context) => {
			const client = await createClient(context);
			for (let count = 0; count < 3; count++) {
				const facts = await failureOf(client.call('findCarriers', { body: {} }));
				expect(facts.message).toContain('Sign-in at /Account/Login was refused (401)');
			}
		});
		expect(statuses()).toEqual(['signIn 401']);
	});

	test('reports the reason of the service, without repeating a secret', async () => {
		const signInFields = '{ "language": "en", "code": "s3cr3t-code" }';
		const credential = { ...sandboxCredential(sandbox.url, 'signIn'), signInFields };
		const errors = [{ errorCode: 5, message: 'Code s3cr3t-code is used up', reference: null }];
		const body = { result: null, errors };
		sandbox.fault({ operation: 'signIn', kind: 'status', status: 400, body, times: Infinity });
		const facts = await failureOf(listCarriers(await startEngine(credential)));
		expect(facts.message).toBe(
			'Sign-in at /Account/Login was refused (400). The service said: Code *** is used up. Check the user, the password, the Sign-In Path and the Additional Fields of the credential',
		);
	});

	test('sends the Additional Fields', async () => {
		const signInFields = '{ "language": "en" }';
		const credential = { ...sandboxCredential(sandbox.url, 'signIn'), signInFields };
		await listCarriers(await startEngine(credential));
		const { username: email, password } = credential;
		expect(sandbox.requests[0]?.body).toEqual({ email, password, language: 'en' });
	});

	test.each(['{ "language": ', '["en"]', 'language'])(
		'sends nothing if the Additional Fields are %s',
		async (signInFields) => {
			const credential = { ...sandboxCredential(sandbox.url, 'signIn'), signInFields };
			const facts = await failureOf(listCarriers(await startEngine(credential)));
			expect(facts.message).toContain('Additional Fields of the credential is not a JSON object');
			expect(facts).toMatchObject({ cause: 'credential-invalid', mayHaveActed: false });
			expect(sandbox.requests).toEqual([]);
		},
	);

	const usual: Array<[string, (token: string) => object]> = [
		['token', (token) => ({ token })],
		['authToken', (authToken) => ({ authToken, expiresIn: 7200 })],
		['result.token', (token) => ({ result: { token } })],
		['result.authToken', (authToken) => ({ result: { authToken }, errors: [] })],
		['access_token', (token) => ({ access_token: token, token_type: 'bearer' })],
	];
	test.each(usual)('finds the token in %s by itself', async (_, write) => {
		for (const tokenField of ['', 'token']) {
			sandbox.fault({
				operation: 'signIn',
				kind: 'body',
				rewrite: (({ token }: { token: string }) => write(token)) as never,
			});
			const credential = { ...sandboxCredential(sandbox.url, 'signIn'), tokenField };
			await expect(listCarriers(await startEngine(credential))).resolves.toBeDefined();
		}
	});

	test('without a token names the fields that did come, and no values', async () => {
		const body = { result: { session: 'abc-secret', user: { id: 7 } }, correlationId: 'c-1' };
		sandbox.fault({ operation: 'signIn', kind: 'body', body });
		const facts = await failureOf(
			listCarriers(await startEngine(sandboxCredential(sandbox.url, 'signIn'))),
		);
		expect(facts.message).toContain('Its fields are result.session, result.user, correlationId.');
		expect(JSON.stringify(facts)).not.toContain('abc-secret');
	});

	test('without a token in the response is an error that names the Token Field', async () => {
		const credential = { ...sandboxCredential(sandbox.url, 'signIn'), tokenField: 'access.token' };
		const facts = await failureOf(listCarriers(await startEngine(credential)));
		expect(facts.message).toContain('has no token in the field "access.token"');
	});

	test('is repeated when the service is temporarily unavailable', async () => {
		sandbox.fault({ operation: 'signIn', kind: 'status', status: 503 });
		await listCarriers(await signedIn());
		expect(statuses()).toEqual(['signIn 503', 'signIn 200', 'findCarriers 200']);
	});
});

describe("The secret goes to the service's own origin and nowhere else", () => {
	const asHttpRequestNode = async (engine: Engine, url: string) =>
		await engine.within(async (context) =>
			context.helpers.httpRequestWithAuthentication.call(context, 'parcelShippingApi', {
				method: 'POST',
				url,
				body: {},
				headers: { 'Content-Type': 'application/json' },
			}),
		);

	test('other nodes can use the credential with addresses of the service', async () => {
		const engine = await startEngine(sandboxCredential(sandbox.url));
		const body = JSON.stringify({ carrierCode: 'ANT' });
		const answer = await engine.within(async (context) =>
			context.helpers.httpRequestWithAuthentication.call(context, 'parcelShippingApi', {
				method: 'POST',
				url: `${sandbox.url}/Carrier/Services`,
				body,
				headers: { 'Content-Type': 'application/json' },
			}),
		);
		expect(JSON.stringify(answer)).toContain('ANT-HOME');
	});

	test('another origin is refused without sending anything', async () => {
		const other = await startSandbox();
		const engine = await startEngine(sandboxCredential(sandbox.url));
		await expect(asHttpRequestNode(engine, `${other.url}/Carrier/Find`)).rejects.toThrow(
			/This credential can only be used with http:\/\/127\.0\.0\.1:\d+\./,
		);
		expect(other.requests).toHaveLength(0);
		await other.close();
	});

	test('a redirect to another origin is not followed', async () => {
		const other = await startSandbox();
		sandbox.fault({
			operation: 'findCarriers',
			kind: 'redirect',
			status: 307,
			location: `${other.url}/Carrier/Find`,
		});
		const engine = await startEngine(sandboxCredential(sandbox.url));
		await asHttpRequestNode(engine, `${sandbox.url}/Carrier/Find`).catch(() => undefined);
		expect(sandbox.requests).toHaveLength(1);
		expect(other.requests).toHaveLength(0);
		await other.close();
	});

	test('a domain that the credential does not allow is refused', async () => {
		const credential: ParcelShippingCredential = {
			...sandboxCredential(sandbox.url),
			allowedHttpRequestDomains: 'domains',
			allowedDomains: 'api.example.com',
		};
		const facts = await failureOf(listCarriers(await startEngine(credential)));
		expect(facts.mayHaveActed).toBe(false);
		expect(sandbox.requests).toHaveLength(0);
	});
});
