import { clientOf, stillClock, useSandbox } from './client';

const service = useSandbox({ clock: stillClock('2026-03-02T10:00:00Z') });

async function statusWith(headers: Record<string, string>, query = ''): Promise<number> {
	const client = clientOf(service.sandbox, headers);
	return (await client.post(`/Carrier/Find${query}`, {})).status;
}

const known = { email: 'demo@sandbox.example', password: 'parcels' };
const signIn = async (body: object) => service.client.post('/Account/Login', body);

test('without a right credential nothing is created, and a service can accept one kind only', async () => {
	const response = await clientOf(service.sandbox, {}).post('/Package/Create', []);
	const data = { correlationId: expect.any(String), message: expect.stringMatching(/credential/) };
	expect(response).toMatchObject({ status: 401, data });
	expect(await statusWith({}, '?api_key=wrong')).toBe(401);
	expect(await statusWith({}, '?api_key=sandbox-query-key')).toBe(200);
	await service.withOptions({ accept: ['header'] }, async () => {
		expect(await statusWith({ 'X-Api-Key': 'sandbox-key' })).toBe(200);
		expect(await statusWith({}, '?api_key=sandbox-query-key')).toBe(401);
	});
});

test('a token expires two hours after its last use, or on demand', async () => {
	const { token } = (await signIn(known)).data;
	service.sandbox.advance(1.9);
	expect(await statusWith({ Authorization: token })).toBe(200);
	service.sandbox.advance(1.9);
	expect(await statusWith({ Authorization: `Bearer ${token}` })).toBe(200);
	service.sandbox.advance(2.1);
	expect(await statusWith({ Authorization: token })).toBe(401);
	const second = (await signIn(known)).data.token;
	service.sandbox.expireTokens();
	expect(await statusWith({ Authorization: second })).toBe(401);
	expect((await signIn({ ...known, password: 'wrong' })).status).toBe(401);
	expect([second === token, service.sandbox.signIns]).toEqual([false, 2]);
});
