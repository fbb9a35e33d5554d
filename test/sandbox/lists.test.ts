import type { AxiosInstance } from 'axios';
import { type Sandbox, startSandbox } from '../../sandbox';
import { clientOf, shipment, stillClock } from './client';

let sandbox: Sandbox;
let client: AxiosInstance;

beforeAll(async () => {
	// 00:30 on March 2 in Prague, but still March 1 in UTC.
	sandbox = await startSandbox({ clock: stillClock('2026-03-01T23:30:00Z') });
	client = clientOf(sandbox);
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

interface ShipmentRecord {
	id: number;
	packageNumberCustom: string;
}

async function find(filters: object) {
	const { data } = await client.post('/Package/Find', filters);
	const records = data.result.data as ShipmentRecord[];
	return {
		total: data.result.total as number,
		references: records.map((record) => record.packageNumberCustom),
	};
}

describe('shipments', () => {
	test('are listed newest first, in pages', async () => {
		sandbox.seedShipments(250, { hoursAgo: 10, spreadHours: 5 });
		const first = await find({ start: 0, length: 100 });
		expect(first.total).toBe(250);
		expect(first.references.slice(0, 2)).toEqual(['SEED-250', 'SEED-249']);
		const last = await find({ start: 200, length: 100 });
		expect(last.references).toHaveLength(50);
		expect(last.references.at(-1)).toBe('SEED-1');
		expect((await find({ start: 250, length: 100 })).references).toEqual([]);
	});

	test('are limited to 100 per page', async () => {
		const response = await client.post('/Package/Find', { start: 0, length: 101 });
		expect(response).toMatchObject({
			status: 400,
			data: { message: expect.stringMatching(/100/) },
		});
	});

	test('can be filtered by every documented filter and by combined filters', async () => {
		sandbox.seedShipments(1, { packageNumberCustom: 'plain' });
		const cod = { cod: true, codPrice: 5, codCurrency: 'CZK' };
		sandbox.seedShipments(1, { packageNumberCustom: 'cod', ...cod });
		sandbox.seedShipments(1, { packageNumberCustom: 'beaver', serviceType: 'BEAVER-PARCEL' });
		sandbox.seedShipments(1, { packageNumberCustom: 'pieces', pieceCount: 2 });
		sandbox.seedShipments(1, { packageNumberCustom: 'order', orderId: 503 });

		expect((await find({ cod: true })).references).toEqual(['cod']);
		expect((await find({ carrierCodes: ['BEAVER'] })).references).toEqual(['beaver']);
		expect((await find({ carrierCodes: [] })).total).toBe(6);
		expect((await find({ search: 'piece' })).total).toBe(2);
		expect((await find({ search: 'piece', onlyMaster: true })).total).toBe(1);
		expect((await find({ orderId: 503 })).references).toEqual(['order']);
		expect((await find({ cod: true, carrierCodes: ['BEAVER'] })).total).toBe(0);
	});

	test('can be searched by reference, number, recipient, company and email', async () => {
		const [seeded] = sandbox.seedShipments(1, {
			packageNumberCustom: 'LBL-77',
			recName: 'Žofie Šťastná',
			recCompany: 'Svoboda a syn',
			recEmail: 'zofie@example.com',
		});
		sandbox.seedShipments(1);
		const texts = ['lbl-7', seeded?.packageNumberCarrier, 'šŤASTNÁ', 'svoboda', 'zofie@'];
		for (const search of texts) expect((await find({ search })).references).toEqual(['LBL-77']);
		expect((await find({ search: 'unknown' })).total).toBe(0);
	});

	test('can be filtered by date in the time zone of the service, including both days', async () => {
		sandbox.seedShipments(1, { packageNumberCustom: 'today' });
		sandbox.seedShipments(1, { packageNumberCustom: 'yesterday', hoursAgo: 1 });
		const today = { createdFrom: '2026-03-02', createdTo: '2026-03-02' };
		expect((await find(today)).references).toEqual(['today']);
		expect((await find({ createdTo: '2026-03-01' })).references).toEqual(['yesterday']);
		expect((await find({ createdFrom: '2026-03-01' })).total).toBe(2);
	});

	test('can be filtered by status, and NotPicked means not picked up yet', async () => {
		sandbox.seedShipments(1, { packageNumberCustom: 'old', hoursAgo: 100 });
		sandbox.seedShipments(1, { packageNumberCustom: 'new' });
		expect((await find({ status: 'NotPicked' })).references).toEqual(['new']);
		expect((await find({ status: 'Delivered' })).references).toEqual(['old']);
	});

	test('can be limited to the documented fields', async () => {
		const documented = await startSandbox({ listRecords: 'documented' });
		documented.seedShipments(1);
		const { data } = await clientOf(documented).post('/Package/Find', {});
		await documented.close();
		expect(Object.keys(data.result.data[0]).sort()).toEqual(
			'canCancel canceled carrierCode carrierName codCurrency codPrice id'.split(' '),
		);
	});

	test('are seeded and paged quickly, even 50,000 of them', async () => {
		const started = Date.now();
		sandbox.seedShipments(50_000, { hoursAgo: 24, spreadHours: 24 });
		expect(Date.now() - started).toBeLessThan(5_000);
		expect((await find({ start: 49_900 })).references.at(-1)).toBe('SEED-1');
	});
});

describe('one shipment', () => {
	test('can be read at both paths and is followed by its other pieces', async () => {
		const [main, piece] = sandbox.seedShipments(1, { pieceCount: 2, vs: '0000012' });
		const long = await client.get(`/ANT/${main?.id}/Detail`);
		const short = await client.get(`/ANT/${main?.id}`);
		expect(long.data.result).toEqual(short.data.result);
		expect(long.data.result.map((record: ShipmentRecord) => record.id)).toEqual([
			main?.id,
			piece?.id,
		]);
		expect(long.data.result[0]).toMatchObject({
			vs: '0000012',
			coverEnabled: false,
			coverName: null,
			status: { category: 'Created' },
		});
	});

	test.each([
		['of another carrier', 'BEAVER/1001', 404],
		['that does not exist', 'ANT/9', 404],
		['of an unknown carrier', 'UNKNOWN/1001', 404],
		['that is a piece, not a main shipment', 'ANT/1002', 404],
		['with an id that is not a number', 'ANT/abc', 400],
	])('%s is not found', async (_case, path, status) => {
		sandbox.seedShipments(1, { pieceCount: 2 });
		const response = await client.get(path);
		expect(response).toMatchObject({ status, data: { correlationId: expect.any(String) } });
	});
});

describe('batches', () => {
	async function batches(filters: object): Promise<string[]> {
		const { data } = await client.post('/Batch/Find', filters);
		return data.result.data.map((batch: { carrierCode: string }) => batch.carrierCode);
	}

	test('are listed newest first or oldest first, without their orders', async () => {
		await client.post('/Package/Create', [shipment()]);
		await client.post('/Package/Create', [shipment({ serviceType: 'BEAVER-PARCEL' })]);
		expect(await batches({ sortOrder: 'desc' })).toEqual(['BEAVER', 'ANT']);
		expect(await batches({ sortOrder: 'asc' })).toEqual(['ANT', 'BEAVER']);
		const { data } = await client.post('/Batch/Find', { start: 1, length: 1 });
		expect(data.result).toMatchObject({ total: 2, data: [{ carrierCode: 'ANT', orders: null }] });
	});

	test('can be filtered by carrier, date and archived state', async () => {
		sandbox.seedShipments(1, { hoursAgo: 1 });
		sandbox.seedShipments(1, { serviceType: 'BEAVER-PARCEL' });
		sandbox.archiveBatch(sandbox.database.batches()[0]?.id ?? 0);
		expect(await batches({ carrierCodes: ['ANT'], createdFrom: null })).toEqual(['ANT']);
		expect(await batches({ createdTo: '2026-03-01' })).toEqual(['ANT']);
		expect(await batches({ archived: true })).toEqual(['ANT']);
		expect(await batches({ archived: false })).toEqual(['BEAVER']);
		expect(await batches({ archived: null })).toEqual(['BEAVER', 'ANT']);
	});

	test('that do not exist return 404', async () => {
		expect((await client.get('/Batch/9')).status).toBe(404);
	});
});

describe('carriers', () => {
	test('include active and inactive ones', async () => {
		sandbox.setCarrierStatus('BEAVER', 'Inactive');
		const { data } = await client.post('/Carrier/Find', {});
		const statuses = data.result.map((c: { code: string; status: string; activated: unknown }) => [
			c.code,
			c.status,
			c.activated !== null,
		]);
		expect(statuses).toContainEqual(['ANT', 'Active', true]);
		expect(statuses).toContainEqual(['OWL', 'Inactive', false]);
		expect(statuses).toContainEqual(['BEAVER', 'Inactive', false]);
	});

	test('list which services accept sender and cover addresses', async () => {
		const { data } = await client.post('/Carrier/Services', { carrierCode: 'CRANE' });
		expect(data.result).toMatchObject([
			{ code: 'CRANE-EU', senderAddressEnabled: true, coverAddressEnabled: true },
			{ code: 'CRANE-WORLD', senderAddressEnabled: false, coverAddressEnabled: false },
		]);
		expect((await client.post('/Carrier/Services', { carrierCode: 'X' })).status).toBe(404);
		expect((await client.post('/Carrier/Services', {})).status).toBe(400);
	});
});
