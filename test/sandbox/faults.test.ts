import axios from 'axios';
import type { Fault } from '../../sandbox';
import { shipment, useSandbox } from './client';

const service = useSandbox();

/** Returns the response with its body as text, or the error code of the failed connection. */
async function create() {
	try {
		const config = { transformResponse: (text: string) => text, maxRedirects: 0, timeout: 300 };
		const response = await service.client.post('/Package/Create', [shipment()], config);
		return { status: response.status, text: response.data as string, headers: response.headers };
	} catch (error) {
		return { failed: (error as { code: string }).code };
	}
}

test.each<[Omit<Fault, 'operation'>, object]>([
	[{ kind: 'reset' }, { failed: 'ECONNRESET' }],
	[{ kind: 'noResponse' }, { failed: 'ECONNABORTED' }],
	[{ kind: 'halfBody', cut: true }, { failed: 'ERR_BAD_RESPONSE' }],
	[
		{ kind: 'status', status: 500, body: 'x' },
		{ status: 500, text: 'x' },
	],
	[
		{ kind: 'html', status: 502 },
		{ status: 502, text: expect.stringMatching(/^<!doctype/) },
	],
	[{ kind: 'nullResult' }, { text: expect.stringMatching(/"result":null/) }],
	[
		{ kind: 'body', body: null },
		{ status: 200, text: 'null' },
	],
	[{ kind: 'redirect', location: 'https://elsewhere.invalid/' }, { status: 302 }],
	[{ kind: 'rateLimit' }, { status: 429 }],
])('the fault %j comes before or after the operation', async (fault, expected) => {
	service.sandbox.fault({ operation: 'createShipments', ...fault });
	expect(await create()).toMatchObject(expected);
	expect(service.sandbox.database.shipments()).toHaveLength(0);
	service.sandbox.fault({ operation: 'createShipments', when: 'after', ...fault });
	expect(await create()).toMatchObject(expected);
	expect(service.sandbox.database.shipments()).toHaveLength(1);
	expect(await create()).toMatchObject({ status: 200 });
});

test('a response of the sandbox itself that violates the contract is an error', async () => {
	const [seeded] = service.sandbox.seedShipments(1, { price: 'a lot' as never });
	const { status, data } = await service.client.get(`/ANT/${seeded?.id}`);
	expect([status, data.message]).toEqual([500, expect.stringMatching(/violates the contract/)]);
});

test('the sandbox records every request as it came, also those without a response', async () => {
	await create();
	service.sandbox.fault({ operation: '*', kind: 'reset' });
	await create();
	await axios.get(`${service.sandbox.url}/nowhere`, { validateStatus: () => true });
	const headers = { 'x-api-key': 'sandbox-key' };
	const body = [{ packageNumberCustom: 'ORDER-1' }];
	expect(service.sandbox.requests).toMatchObject([
		{ operationId: 'createShipments', path: '/api/Package/Create', body, headers, status: 200 },
		{ operationId: 'createShipments', status: null },
		{ operationId: null, method: 'GET', status: 404 },
	]);
});
