import type { AxiosInstance } from 'axios';
import { type Sandbox, startSandbox } from '../../sandbox';
import { clientOf, shipment } from './client';

let sandbox: Sandbox;
let client: AxiosInstance;

beforeAll(async () => {
	sandbox = await startSandbox();
	client = clientOf(sandbox);
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

async function download(url: string, from: AxiosInstance = client) {
	const response = await from.get(url, { responseType: 'arraybuffer' });
	return { ...response, bytes: Buffer.from(response.data as ArrayBuffer) };
}

function pagesIn(pdf: Buffer): number {
	return pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
}

describe('labels', () => {
	test('are one PDF per carrier, and downloading it requires the credential', async () => {
		const ants = sandbox.seedShipments(2);
		const [crane] = sandbox.seedShipments(1, { serviceType: 'CRANE-EU' });
		const packages = [ants[0]?.id, crane?.id, ants[1]?.id];
		const { data } = await client.post('/Label/Print/?type=pdf', { packages, onePerPage: true });
		expect(data.result).toMatchObject([
			{ carrierCode: 'ANT', carrierName: 'Ant Express', labelsCount: 2 },
			{ carrierCode: 'CRANE', carrierName: 'Crane Air', labelsCount: 1 },
		]);
		const file = await download(data.result[0].labelsUrl);
		expect(file.headers).toMatchObject({
			'content-type': 'application/pdf',
			'content-disposition': 'attachment; filename="labels-ANT.pdf"',
		});
		expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-');
		expect(pagesIn(file.bytes)).toBe(2);
		expect((await download(data.result[0].labelsUrl, clientOf(sandbox, {}))).status).toBe(401);
	});

	test('are printed four per page, or in the default layout of the carrier', async () => {
		const ids = sandbox.seedShipments(2).map(({ id }) => id);
		const beavers = sandbox.seedShipments(2, { serviceType: 'BEAVER-PARCEL' }).map(({ id }) => id);
		const pagesOf = async (body: object) => {
			const { data } = await client.post('/Label/Print/?type=pdf', body);
			return pagesIn((await download(data.result[0].labelsUrl)).bytes);
		};
		expect(await pagesOf({ packages: ids, onePerPage: false })).toBe(1);
		expect(await pagesOf({ packages: ids })).toBe(2);
		expect(await pagesOf({ packages: beavers })).toBe(1);
	});

	test('are available as ZPL if the carrier supports it', async () => {
		const [ant] = sandbox.seedShipments(1, { recName: 'Žofie Šťastná' });
		const { data } = await client.post('/Label/Print/?type=zpl', { packages: [ant?.id] });
		const file = await download(data.result[0].labelsUrl);
		expect(file.headers['content-type']).toBe('application/zpl');
		expect(file.bytes.toString()).toMatch(/^\^XA[\s\S]*\^XZ\s*$/);
		const [beaver] = sandbox.seedShipments(1, { serviceType: 'BEAVER-PARCEL' });
		const refused = await client.post('/Label/Print/?type=zpl', { packages: [beaver?.id] });
		expect(refused).toMatchObject({
			status: 400,
			data: { message: 'Carrier BEAVER does not offer ZPL labels' },
		});
	});

	test('can be downloaded for a batch, its orders and a single shipment', async () => {
		const body = [shipment({ orderId: 501 }), shipment()];
		const { data } = await client.post('/Package/Create', body);
		expect(pagesIn((await download(data.labelsUrl)).bytes)).toBe(2);
		expect(pagesIn((await download(data.ordersUrl)).bytes)).toBe(1);
		expect(pagesIn((await download(data.result[0].labelUrl)).bytes)).toBe(1);
	});

	test.each([
		['an unknown shipment', 'pdf', [9], 404, /no shipments with these ids: 9/],
		['an empty list', 'pdf', [], 400, /lists no shipments/],
		['an unknown type', 'png', [9], 400, /type must be pdf or zpl, not "png"/],
		['ids as text', 'pdf', ['9'], 400, /\/packages\/0 must be integer/],
	])('are rejected for %s', async (_case, type, packages, status, message) => {
		const response = await client.post(`/Label/Print/?type=${type}`, { packages });
		expect(response).toMatchObject({ status, data: { message: expect.stringMatching(message) } });
	});

	test('are rejected for a canceled shipment and for the path without the trailing slash', async () => {
		const [seeded] = sandbox.seedShipments(1);
		sandbox.cancelShipment(seeded?.id ?? 0);
		const body = { packages: [seeded?.id] };
		expect((await client.post('/Label/Print/?type=pdf', body)).status).toBe(400);
		expect((await client.post('/Label/Print?type=pdf', body)).status).toBe(404);
	});

	test('can be served from another origin, which requires no credential', async () => {
		const other = await startSandbox({ labelOrigin: 'other' });
		const { data } = await clientOf(other).post('/Package/Create', [shipment()]);
		const file = await download(data.labelsUrl, clientOf(other, {}));
		await other.close();
		expect(new URL(data.labelsUrl).origin).toBe(other.labelHome);
		expect(other.labelHome).not.toBe(other.home);
		expect(pagesIn(file.bytes)).toBe(1);
		const last = other.requests.at(-1);
		expect(last).toMatchObject({ operationId: 'labelFile', status: 200 });
		expect(last?.headers).not.toHaveProperty('x-api-key');
	});

	test('can be very large', async () => {
		const labelFileBytes = 5_000_001;
		const big = await startSandbox({ labelFileBytes });
		const { data } = await clientOf(big).post('/Package/Create', [shipment()]);
		const file = await download(data.labelsUrl, clientOf(big));
		await big.close();
		expect(file.bytes.length).toBe(labelFileBytes);
		expect(file.headers['content-length']).toBe(String(labelFileBytes));
		expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-');
	});
});

describe('printers', () => {
	async function print(hash: string, printerName: string) {
		const { status, data } = await client.post('/Printer/PrintLabel', { hash, printerName });
		return { status, ...data };
	}

	async function batchHash(): Promise<string> {
		const { data } = await client.post('/Package/Create', [shipment(), shipment()]);
		return data.labelsHash;
	}

	test('print a batch and a label job, once per request', async () => {
		const hash = await batchHash();
		const [{ id } = { id: 0 }] = sandbox.database.shipments();
		const { data } = await client.post('/Label/Print/?type=pdf', { packages: [id] });
		expect(await print(hash, 'Warehouse A4')).toMatchObject({ status: 200, result: true });
		await print(data.result[0].hash, 'Warehouse Zebra');
		await print(hash, 'Warehouse A4');
		expect(sandbox.database.printJobs()).toMatchObject([
			{ hash, printerName: 'Warehouse A4', content: 'labels', count: 2 },
			{ hash: data.result[0].hash, printerName: 'Warehouse Zebra', count: 1 },
			{ hash, printerName: 'Warehouse A4' },
		]);
		expect(sandbox.database.shipments().map(({ printed }) => printed)).toEqual([true, true]);
	});

	test('print nothing if they are unreachable, unknown or refusing', async () => {
		const hash = await batchHash();
		expect(await print(hash, 'Attic')).toMatchObject({
			status: 400,
			message: 'Printer "Attic" cannot be reached by the print service',
		});
		expect(await print(hash, 'Cellar')).toMatchObject({ status: 404 });
		expect(await print(hash, 'Front Desk')).toMatchObject({ status: 200, result: false });
		expect(sandbox.database.printJobs()).toEqual([]);
	});

	test('accept a hash for 14 days', async () => {
		const hash = await batchHash();
		const { labelsUrl } = sandbox.database.batches()[0] ?? {};
		sandbox.advance(14 * 24 - 1);
		expect(await print(hash, 'Warehouse A4')).toMatchObject({ result: true });
		expect((await download(labelsUrl ?? '')).status).toBe(200);
		sandbox.advance(2);
		expect(await print(hash, 'Warehouse A4')).toMatchObject({
			status: 410,
			message: 'The print hash has expired: it was valid for 14 days',
		});
		expect((await download(labelsUrl ?? '')).status).toBe(410);
		expect(await print('made-up', 'Warehouse A4')).toMatchObject({ status: 404 });
	});
});
