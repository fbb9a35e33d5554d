import { readSeed, type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox();
});
afterEach(async () => {
	await sandbox.close();
});

const get = (path: string) => fetch(new URL(path, sandbox.home));
const textAt = async (path: string) => await (await get(path)).text();

async function newHash(shipmentId: number | undefined): Promise<string> {
	const { header } = readSeed().credentials;
	const response = await fetch(`${sandbox.url}/Label/Print/?type=pdf`, {
		method: 'POST',
		body: JSON.stringify({ packages: [shipmentId] }),
		headers: { 'content-type': 'application/json', [header.name]: header.value },
	});
	const { result } = (await response.json()) as { result: Array<{ hash: string }> };
	return result[0]?.hash ?? '';
}

/** Returns every quoted path in the script and its HTTP method. */
async function pathsInScript(): Promise<Array<{ path: string; method: string }>> {
	const script = await textAt('/page.js');
	return [...script.matchAll(/(\w+)[(:]\s*['"`](\/[^'"`]*)['"`]/g)].map(([, before, path]) => ({
		method: before === 'command' ? 'POST' : 'GET',
		path: path!,
	}));
}

it('serves the home page and its files with the right content types', async () => {
	const page = await get('/');
	const html = await page.text();
	const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address!);
	const types = await Promise.all(
		addresses
			.filter((address) => address !== 'data:,')
			.map(async (address) => {
				const { status, headers } = await get(address);
				return `${address} ${status} ${headers.get('content-type')}`;
			}),
	);

	expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
	expect(types).toEqual([
		'/colors.css 200 text/css; charset=utf-8',
		'/lists.css 200 text/css; charset=utf-8',
		'/page.css 200 text/css; charset=utf-8',
		'/page.js 200 text/javascript; charset=utf-8',
	]);
});

it('only calls existing routes', async () => {
	const [shipment] = sandbox.seedShipments(1);
	const hash = await newHash(shipment?.id);
	const calls = await pathsInScript();
	const responses = await Promise.all(
		calls.map(async ({ path, method }) => {
			const url = new URL(
				path.replace('${id}', String(shipment?.id)).replace('${hash}', hash),
				sandbox.home,
			);
			const body = method === 'POST' ? JSON.stringify({ hours: 6 }) : null;
			const { status } = await fetch(url, {
				method,
				body,
				...(body && { headers: { 'content-type': 'application/json' } }),
			});
			return `${method} ${path} ${status}`;
		}),
	);

	expect(responses.sort()).toEqual([
		'GET /sandbox/credentials 200',
		'GET /sandbox/jobs/${hash} 200',
		'GET /sandbox/labels/${id}.pdf 200',
		'GET /sandbox/state 200',
		'POST /sandbox/advance 200',
		'POST /sandbox/reset 200',
	]);
});

it('only looks up elements that are on the page', async () => {
	const [html, script] = await Promise.all([textAt('/'), textAt('/page.js')]);
	const ids = [...script.matchAll(/(?:byId|showList)\('([^']+)'/g)].map(([, id]) => id!);
	const missing = ids.filter((id) => !html.includes(`id="${id}"`));

	expect(ids).toContain('shipments');
	expect(missing).toEqual([]);
});

it('the state contains every field of a shipment that the page shows', async () => {
	sandbox.seedShipments(1, { recName: 'Žofie <b>Malá</b>', recCity: 'Brno' });
	const { now, shipments } = JSON.parse(await textAt('/sandbox/state'));

	expect(now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d/);
	expect(shipments[0]).toMatchObject({
		id: expect.any(Number),
		carrierCode: expect.any(String),
		packageNumberCarrier: expect.any(String),
		packageNumberCustom: expect.any(String),
		recName: 'Žofie <b>Malá</b>',
		recCity: 'Brno',
		created: expect.stringMatching(/T\d\d:\d\d/),
		status: { name: expect.any(String), category: 'Created' },
		serviceName: expect.any(String),
		pieceIndex: 0,
		pieceCount: 1,
		events: [{ date: expect.stringMatching(/T\d\d:\d\d/), name: 'The shipment was created' }],
	});
});

it('the state counts shipments and pieces separately', async () => {
	sandbox.seedShipments(1, { pieceCount: 3, serviceType: 'ANT-HOME' });
	sandbox.seedShipments(1);
	const { shipments, piecesTotal, shipmentsTotal } = JSON.parse(await textAt('/sandbox/state'));

	expect([shipmentsTotal, piecesTotal, shipments.length]).toEqual([2, 4, 4]);
	expect(shipments).toContainEqual(expect.objectContaining({ pieceCount: 3, pieceIndex: 2 }));
});

it('opens the labels of a print hash without a credential', async () => {
	const [shipment] = sandbox.seedShipments(1);
	const file = await get(`/sandbox/jobs/${await newHash(shipment?.id)}`);

	expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
});

it('inserts data as text and blocks other scripts', async () => {
	const page = await get('/');

	expect(await textAt('/page.js')).not.toMatch(/innerHTML|outerHTML|insertAdjacent|\.write\(/);
	expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
	expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
});

it('shows a credential that the service accepts', async () => {
	const { header } = JSON.parse(await textAt('/sandbox/credentials'));
	const askForCarriers = (value: string) =>
		fetch(`${sandbox.url}/Carrier/Find`, {
			method: 'POST',
			body: '{}',
			headers: { 'content-type': 'application/json', [header.name]: value },
		});

	expect(header).toEqual(readSeed().credentials.header);
	expect((await askForCarriers(header.value)).status).toBe(200);
	expect((await askForCarriers('something else')).status).not.toBe(200);
});
