import axios from 'axios';
import { startSandbox } from '../../sandbox';
import { clientOf, shipment, stillClock, useSandbox } from './client';

// The home page of the sandbox, and the control routes that it and tests use. None needs a credential.

const service = useSandbox({ clock: stillClock('2026-03-02T10:00:00Z') });

const at = (path: string) => new URL(path, service.sandbox.home).href;
const anyStatus = { validateStatus: () => true };
const get = async (path: string) => axios.get(at(path), anyStatus);
const post = async (path: string, body: object = {}) => axios.post(at(path), body, anyStatus);
const createTwo = async () =>
	(await service.client.post('/Package/Create', [shipment(), shipment()])).data;

test('the page loads its own files only, and inserts data as text', async () => {
	const { data: html, headers } = await get('/');
	const files = [...html.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, file]) => file as string);
	const types = files.map(async (file) => (await get(file)).headers['content-type']);
	expect(files).toEqual(['/colors.css', '/lists.css', '/page.css', '/page.js']);
	const css = 'text/css; charset=utf-8';
	expect(await Promise.all(types)).toEqual([css, css, css, 'text/javascript; charset=utf-8']);
	expect(headers['content-type']).toBe('text/html; charset=utf-8');
	expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self'/);
	const { data: script } = await get('/page.js');
	expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacent|\.write\(/);
	const ids = [...script.matchAll(/(?:byId|showList)\('([^']+)'/g)].map(([, id]) => id);
	expect(ids).toContain('shipments');
	expect(ids.filter((id) => !html.includes(`id="${id}"`))).toEqual([]);
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

test('the state has all data of the service, newest first', async () => {
	const { labelsHash: hash, batchId } = await createTwo();
	const printer = { hash, printerName: 'Warehouse A4' };
	await service.client.post('/Printer/PrintLabel', printer);
	service.sandbox.seedShipments(1, { pieceCount: 3, recName: 'Žofie <b>Malá</b>' });
	const { data } = await get('/sandbox/state');
	const events = [{ date: '2026-03-02T11:00:00', name: 'The shipment was created' }];
	expect(data).toMatchObject({
		now: '2026-03-02T11:00:00.000',
		...{ shipmentsTotal: 3, piecesTotal: 5 },
		shipments: [
			{ recName: 'Žofie <b>Malá</b>', pieceIndex: 2, pieceCount: 3 },
			...[{}, {}],
			{ id: 1002, packageNumberCustom: 'ORDER-1', events },
			{ id: 1001, recCity: 'Praha', carrierCode: 'ANT', status: { category: 'Created' } },
		],
		batches: [{}, { id: batchId }],
		printJobs: [{ ...printer, count: 2, printed: '2026-03-02T11:00:00.000' }],
	});
	expect((await get('/sandbox/database')).data.shipments[0]).toMatchObject({ id: 1001 });
	expect((await get(`/sandbox/jobs/${hash}`)).headers['content-type']).toBe('application/pdf');
});

test('the page shows a credential that the service accepts, and tracking pages open', async () => {
	const { name, value } = (await get('/sandbox/credentials')).data.header;
	const client = clientOf(service.sandbox, { [name]: value });
	const { data, status } = await client.post('/Package/Create', [shipment()]);
	expect(status).toBe(200);
	expect((await axios.get(data.result[0].trackingUrl)).data.events).toMatchObject([
		{ category: 'Created' },
	]);
});

test('the sandbox only listens on this machine', async () => {
	await expect(startSandbox({ host: '0.0.0.0' })).rejects.toThrow(/not a loopback address/);
});
