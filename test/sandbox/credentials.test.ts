import axios from 'axios';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { clientOf, stillClock } from './client';

let sandbox: Sandbox;

async function start(options: SandboxOptions = {}): Promise<void> {
	await sandbox?.close();
	sandbox = await startSandbox({ clock: stillClock('2026-03-02T10:00:00Z'), ...options });
}
beforeEach(() => start());
afterAll(() => sandbox.close());

async function statusWith(headers: Record<string, string>, query = ''): Promise<number> {
	return (await clientOf(sandbox, headers).post(`/Carrier/Find${query}`, {})).status;
}

const basic = (pair: string) => ({
	Authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
});

test.each([
	['header', { 'X-Api-Key': 'sandbox-key' }, { 'X-Api-Key': 'wrong' }],
	['bearer', { Authorization: 'Bearer sandbox-bearer-token' }, { Authorization: 'Bearer wrong' }],
	['basic', basic('sandbox:parcels'), basic('sandbox:wrong')],
] as const)(
	'accepts a valid %s credential and rejects an invalid one',
	async (method, valid, invalid) => {
		expect(await statusWith({ ...valid })).toBe(200);
		expect(await statusWith({ ...invalid })).toBe(401);
		await start({ accept: [method] });
		expect(await statusWith({ ...valid })).toBe(200);
		expect(await statusWith({}, '?api_key=sandbox-query-key')).toBe(401);
	},
);

test('accepts a valid query credential and rejects an invalid one', async () => {
	expect(await statusWith({}, '?api_key=sandbox-query-key')).toBe(200);
	expect(await statusWith({}, '?api_key=wrong')).toBe(401);
});

test('returns the error envelope and creates nothing without a credential', async () => {
	const response = await clientOf(sandbox, {}).post('/Package/Create', []);
	expect(response).toMatchObject({
		status: 401,
		data: { correlationId: expect.any(String), message: expect.stringMatching(/credential/) },
	});
	expect(sandbox.database.batches()).toEqual([]);
});

describe('sign-in', () => {
	const known = { email: 'demo@sandbox.example', password: 'parcels' };

	async function signIn(body: object, path = '/Account/Login') {
		return await axios.post(sandbox.url + path, body, { validateStatus: () => true });
	}

	test('returns a token that expires two hours after its last use', async () => {
		const { data } = await signIn(known);
		expect(sandbox.signIns).toBe(1);
		sandbox.advance(1.9);
		expect(await statusWith({ Authorization: data.token })).toBe(200);
		sandbox.advance(1.9);
		expect(await statusWith({ Authorization: `Bearer ${data.token}` })).toBe(200);
		sandbox.advance(2.1);
		expect(await statusWith({ Authorization: data.token })).toBe(401);
	});

	test('tokens can be expired by a test, and every sign-in is counted', async () => {
		const first = (await signIn(known)).data.token;
		sandbox.expireTokens();
		expect(await statusWith({ Authorization: first })).toBe(401);
		const second = (await signIn(known)).data.token;
		expect(second).not.toBe(first);
		expect(await statusWith({ Authorization: second })).toBe(200);
		expect(sandbox.signIns).toBe(2);
	});

	test('rejects a wrong password', async () => {
		const response = await signIn({ ...known, password: 'wrong' });
		expect(response).toMatchObject({ status: 401, data: { correlationId: expect.any(String) } });
		expect(sandbox.signIns).toBe(0);
	});

	test('uses the configured path, fields and header', async () => {
		await start({
			signIn: {
				path: '/login',
				userField: 'user',
				passwordField: 'secret',
				tokenField: 'data.session',
				headerName: 'X-Session',
			},
		});
		expect((await signIn(known, '/login')).status).toBe(401);
		const { data } = await signIn({ user: known.email, secret: known.password }, '/login');
		expect(await statusWith({ 'X-Session': data.data.session })).toBe(200);
		expect(await statusWith({ Authorization: data.data.session })).toBe(401);
	});
});
