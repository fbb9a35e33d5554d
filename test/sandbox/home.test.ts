import axios from 'axios';
import { shipment, stillClock, useSandbox } from './client';

// The home page of the sandbox, and the control routes that it and tests use. None needs a credential.

const service = useSandbox({ clock: stillClock('2026-03-02T10:00:00Z') });

const at = (path: string) => new URL(path, service.sandbox.home).href;
const anyStatus = { validateStatus: () => true };
const get = async (path: string) => axios.get(at(path), anyStatus);
const createTwo = async () =>
	(await service.client.post('/Package/Create', [shipment(), shipment()])).data;

test('the page may load only its own files, and inserts data as text', async () => {
	const { headers } = await get('/');
	expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self'/);
	const { data: script } = await get('/page.js');
	expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacent|unsafe|\.write\(/);
});

test.each([
	['a foreign name that leads to this machine', '/sandbox/reset', { host: 'evil.example' }],
	['a web page of another site', '/sandbox/reset', { origin: 'https://evil.example' }],
	['a form of another site', '/sandbox/reset', { 'sec-fetch-site': 'cross-site' }],
	['a foreign name', '/api/Carrier/Find', { host: 'evil.example' }],
])('the sandbox refuses %s at %s', async (_, path, headers) => {
	await createTwo();
	const { status } = await axios.post(at(path), {}, { ...anyStatus, headers });
	expect([status, service.sandbox.database.shipments().length]).toEqual([403, 2]);
});
