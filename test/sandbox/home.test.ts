import axios from 'axios';
import { shipment, stillClock, useSandbox } from './client';

// The home page of the sandbox, and the control routes that it and tests use. None needs a credential.

const service = useSandbox({ clock: stillClock('2026-03-02T10:00:00Z') });

const at = (path: string) => new URL(path, service.sandbox.home).href;
const anyStatus = { validateStatus: () => true };
const get = async (path: string) => axios.get(at(path), anyStatus);
const post = async (path: string, body: object = {}) => axios.post(at(path), body, anyStatus);
const createTwo = async () =>
	(await service.client.post('/Package/Create', [shipment(), shipment()])).data;

test('the page may load only its own files, and inserts data as text', async () => {
	const { headers } = await get('/');
	expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self'/);
	const { data: script } = await get('/page.js');
	expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacent|unsafe|\.write\(/);
});

test('every address that the page calls exists', async () => {
	const { labelsHash, result } = await createTwo();
	const { data: script } = await get('/page.js');
	const calls = [...script.matchAll(/(\w+)[(:]\s*['"`](\/[^'"`]*)['"`]/g)] as string[][];
	const statuses: string[] = [];
	// A reset deletes what the other calls read.
	for (const [, before, path = ''] of calls.sort(([a = '']) => (a.includes('reset') ? 1 : -1))) {
		const address = path.replace('${id}', result[0].id).replace('${hash}', labelsHash);
		const { status } = await (before === 'command' ? post(address, { hours: 6 }) : get(address));
		statuses.push(`${path} ${status}`);
	}
	expect(statuses).toContain('/sandbox/state 200');
	expect(statuses.filter((each) => !each.endsWith(' 200'))).toEqual([]);
});

test.each([
	['a foreign name that leads to this machine', { host: 'evil.example' }],
	['a web page of another site', { origin: 'https://evil.example' }],
	['a form of another site', { 'sec-fetch-site': 'cross-site' }],
])('%s cannot control the sandbox', async (_, headers) => {
	const [before] = (await createTwo()).result;
	const response = await axios.post(at('/sandbox/reset'), {}, { ...anyStatus, headers });
	expect(response.status).toBe(403);
	expect(service.sandbox.database.shipments().map(({ id }) => id)).toContain(before.id);
});

test('the provider does not respond to a foreign name either', async () => {
	const headers = { host: 'evil.example' };
	const { status } = await axios.post(at('/api/Carrier/Find'), {}, { ...anyStatus, headers });
	expect(status).toBe(403);
});
