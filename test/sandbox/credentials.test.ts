import { clientOf, stillClock, useSandbox } from './client';

const service = useSandbox({ clock: stillClock('2026-03-02T10:00:00Z') });

async function statusWith(headers: Record<string, string>, query = ''): Promise<number> {
	const client = clientOf(service.sandbox, headers);
	return (await client.post(`/Carrier/Find${query}`, {})).status;
}

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
