import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';

import { type Client, createClient } from '../../nodes/ParcelShipping/transport/client';
import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import type { ServiceError } from '../../nodes/ParcelShipping/transport/errors';
import { type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const within = async <Result>(engine: Engine, work: (client: Client) => Promise<Result>) =>
	engine.within(async (context) => work(await createClient(context, { maxRetryWaitMs: 2_000 })));

const findCarriers = (client: Client) => client.call('findCarriers', { body: {} });
const listCarriers = async (engine: Engine) => within(engine, findCarriers);
const tenTimes = async (engine: Engine) =>
	within(engine, async (client) =>
		Promise.all(Array.from({ length: 10 }, async () => findCarriers(client))),
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

test.each(['header', 'bearer', 'basic', 'query', 'signIn'] as const)(
	'With %s, requests are accepted, and a wrong secret is sent once and is not part of the error',
	async (form) => {
		const only = await startSandbox({ accept: [form] });
		const credential = sandboxCredential(`${only.url}/`, form);
		const { result } = await listCarriers(await startEngine(credential));
		expect(result.map(({ code }) => code)).toContain('ANT');

		const secrets = ['headerValue', 'token', 'password', 'queryValue'];
		const wrong = Object.fromEntries(secrets.map((name) => [name, 'wr0ng!']));
		only.requests.length = 0;
		const facts = await failureOf(listCarriers(await startEngine({ ...credential, ...wrong })));
		await only.close();
		expect(facts).toMatchObject({ cause: 'credential-invalid', mayHaveActed: false });
		expect(facts.message).toMatch(/refused/);
		expect(JSON.stringify(facts)).not.toContain('wr0ng!');
		expect(only.requests).toHaveLength(1);
	},
);

describe('Sign-in', () => {
	const signingIn = async (more: Partial<ParcelShippingCredential> = {}) =>
		startEngine({ ...sandboxCredential(sandbox.url, 'signIn'), ...more });

	test('happens once for all requests, and once more when the token has expired', async () => {
		const engine = await signingIn();
		await tenTimes(engine);
		await listCarriers(engine);
		expect(sandbox.signIns).toBe(1);
		expect(engine.credential.signIns).toBe(1);
		sandbox.expireTokens();
		await tenTimes(engine);
		expect(sandbox.signIns).toBe(2);
	});

	test('follows one refused request, which is repeated', async () => {
		const engine = await signingIn();
		await listCarriers(engine);
		sandbox.advance(3);
		sandbox.requests.length = 0;
		await listCarriers(engine);
		expect(statuses()).toEqual(['findCarriers 401', 'signIn 200', 'findCarriers 200']);
	});

	test('with a wrong password happens once per run, so that the account is not locked', async () => {
		const engine = await signingIn({ password: 'wrong' });
		await within(engine, async (client) => {
			for (let count = 0; count < 3; count++) {
				const { message } = await failureOf(findCarriers(client));
				expect(message).toContain('Sign-in at /Account/Login was refused (401)');
			}
		});
		expect(statuses()).toEqual(['signIn 401']);
	});

	test('sends the Additional Fields', async () => {
		await listCarriers(await signingIn({ signInFields: '{ "language": "en" }' }));
		const { username: email, password } = sandboxCredential(sandbox.url, 'signIn');
		expect(sandbox.requests[0]?.body).toEqual({ email, password, language: 'en' });
	});

	test('does not repeat a secret of the Additional Fields in an error', async () => {
		const engine = await signingIn({ signInFields: '{ "code": "s3cr3t-code" }' });
		const body = { errors: [{ errorCode: 5, message: 'Code s3cr3t-code is used up' }] };
		sandbox.fault({ operation: 'signIn', kind: 'status', status: 400, body, times: Infinity });
		const { message } = await failureOf(listCarriers(engine));
		expect(message).toContain('The service said: Code *** is used up.');
	});

	test.each(['{ "language": ', '["en"]', 'language'])(
		'sends nothing if the Additional Fields are %s',
		async (signInFields) => {
			const facts = await failureOf(listCarriers(await signingIn({ signInFields })));
			expect(facts.message).toContain('Additional Fields of the credential is not a JSON object');
			expect(facts).toMatchObject({ cause: 'credential-invalid', mayHaveActed: false });
			expect(sandbox.requests).toEqual([]);
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
			sandbox.fault({ operation: 'signIn', kind: 'body', rewrite: rewrite as never });
			await expect(listCarriers(await signingIn({ tokenField }))).resolves.toBeDefined();
		}
	});

	test('without a token names the fields that did come, and no values', async () => {
		const body = { result: { session: 'abc-secret', user: { id: 7 } }, correlationId: 'c-1' };
		sandbox.fault({ operation: 'signIn', kind: 'body', body });
		const facts = await failureOf(listCarriers(await signingIn()));
		expect(facts.message).toContain('Its fields are result.session, result.user, correlationId.');
		expect(JSON.stringify(facts)).not.toContain('abc-secret');
	});

	test('is repeated when the service is temporarily unavailable', async () => {
		sandbox.fault({ operation: 'signIn', kind: 'status', status: 503 });
		await listCarriers(await signingIn());
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
		const engine = await startEngine(sandboxCredential(sandbox.url));
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
		expect(JSON.stringify(await request(`${sandbox.url}/Carrier/Services`))).toContain('ANT-HOME');
		await expect(request(`${other.url}/Carrier/Services`)).rejects.toThrow(
			/This credential can only be used with http:\/\/127\.0\.0\.1:\d+\./,
		);
		expect(other.requests).toEqual([]);
	});

	test('a redirect to another origin is not followed', async () => {
		const location = `${other.url}/Carrier/Services`;
		sandbox.fault({ operation: 'findServices', kind: 'redirect', status: 307, location });
		await request(`${sandbox.url}/Carrier/Services`).catch(() => undefined);
		expect(sandbox.requests).toHaveLength(1);
		expect(other.requests).toEqual([]);
	});

	test('a domain that the credential does not allow is refused', async () => {
		const engine = await startEngine({
			...sandboxCredential(sandbox.url),
			allowedHttpRequestDomains: 'domains',
			allowedDomains: 'api.example.com',
		});
		const facts = await failureOf(listCarriers(engine));
		expect(facts.mayHaveActed).toBe(false);
		expect(sandbox.requests).toEqual([]);
	});
});
