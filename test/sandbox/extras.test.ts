import type { AxiosInstance } from 'axios';
import {
	type DialectName,
	dialectNames,
	type Sandbox,
	type SandboxOptions,
	startSandbox,
} from '../../sandbox';
import { clientOf, stillClock } from './client';

// What not every service offers: canceling, handing over, and lists of printers and pickup points.

let sandbox: Sandbox;
let client: AxiosInstance;

const start = async (dialect: DialectName, options: SandboxOptions = {}) => {
	sandbox = await startSandbox({ dialect, clock: stillClock('2026-01-14T12:00:00Z'), ...options });
	client = clientOf(sandbox);
};
afterEach(() => sandbox.close());

const seed = (count: number, options = {}) => sandbox.seedShipments(count, options);
const numbersOf = (shipments: Array<{ packageNumberCarrier: string }>) =>
	shipments.map(({ packageNumberCarrier }) => packageNumberCarrier);
const stateOf = () =>
	sandbox.database.shipments().map(({ canceled, handedOver }) => ({ canceled, handedOver }));

describe.each(dialectNames)('In the %s dialect', (dialect) => {
	beforeEach(async () => start(dialect));

	test('a canceled shipment and its pieces say so in list and detail', async () => {
		const [first] = seed(1, { pieceCount: 2 });
		const { data, status } = await client.post('/ANT/Cancel', {
			packages: [first?.packageNumberCarrier],
		});
		expect(status).toBe(200);
		expect(data.result).toEqual([
			{ packageNumberCarrier: first?.packageNumberCarrier, successfull: true, message: null },
		]);
		const list = await client.post('/Package/Find', { onlyMaster: false });
		const rows = list.data.result.data as Array<{ canceled: boolean; canCancel: boolean }>;
		expect(rows.map(({ canceled, canCancel }) => [canceled, canCancel])).toEqual([
			[true, false],
			[true, false],
		]);
		const again = await client.post('/ANT/Cancel', { packages: [first?.packageNumberCarrier] });
		expect(again.data.result[0]).toMatchObject({ successfull: false });
	});

	test('a shipment that was handed over or is on its way is not canceled, and the others are', async () => {
		const waiting = seed(2);
		const [moving] = seed(1, { hoursAgo: 30 });
		await client.post('/ANT/Order', { packages: [waiting[1]?.id] });
		const packages = numbersOf([...waiting, moving as never]);
		const { data, status } = await client.post('/ANT/Cancel', { packages });
		expect(status).toBe(dialect === 'interface' ? 200 : 400);
		expect(data.result).toMatchObject([
			{ successfull: true },
			{ successfull: false, message: 'package.cancel.alreadysent' },
			{ successfull: false, message: 'package.cancel.alreadysent' },
		]);
		expect(sandbox.database.shipments().filter(({ canceled }) => canceled)).toMatchObject([
			{ id: waiting[0]?.id },
		]);
	});

	test('an unknown number fails its row, or the whole cancellation', async () => {
		const packages = [...numbersOf(seed(1)), 'UNKNOWN'];
		const { data, status } = await client.post('/ANT/Cancel', { packages });
		if (dialect === 'interface') {
			expect(data.result).toMatchObject([{ successfull: true }, { successfull: false }]);
		} else {
			expect(status).toBe(400);
			expect(data.errors).toMatchObject([{ reference: 'UNKNOWN' }]);
			expect(stateOf()).toMatchObject([{ canceled: false }]);
		}
	});

	test('a hand over gives a protocol and labels as PDF, and marks the shipments', async () => {
		const shipments = seed(2, { pieceCount: 2 });
		const packages = shipments.filter(({ id, mainId }) => id === mainId).map(({ id }) => id);
		const { data } = await client.post('/ANT/Order', { date: '2026-01-15', packages });
		const { protocolUrl, labelsUrl } = data.result;
		expect(data.result).toMatchObject({ id: 301, packagesCount: 2 });
		for (const url of [protocolUrl, labelsUrl]) {
			const file = await client.get(url, { responseType: 'arraybuffer' });
			expect(Buffer.from(file.data).subarray(0, 5).toString()).toBe('%PDF-');
		}
		expect(sandbox.database.handOvers()).toEqual([
			{ id: 301, carrierCode: 'ANT', date: '2026-01-15', shipmentIds: packages },
		]);
		const list = await client.post('/Package/Find', { onlyMaster: false });
		const rows = list.data.result.data as Array<{ submittedCarrier: boolean }>;
		expect(rows.map(({ submittedCarrier }) => submittedCarrier)).toEqual(Array(4).fill(true));
		const again = await client.post('/ANT/Order', { packages });
		expect(again.status).toBe(400);
	});

	test('a hand over of nothing in particular takes everything of the carrier', async () => {
		seed(2);
		seed(1, { serviceType: 'BEAVER-PARCEL' });
		await client.post('/ANT/Order', { packages: [] });
		expect(stateOf().map(({ handedOver }) => handedOver)).toEqual([true, true, false]);
	});

	test('a hand over skips what the carrier does not take, and says how many it took', async () => {
		const ids = seed(2).map(({ id }) => id);
		sandbox.keepFromCarrier(ids[0] as number);
		const { data } = await client.post('/ANT/Order', { packages: ids });
		expect(data.result.packagesCount).toBe(1);
		expect(stateOf().map(({ handedOver }) => handedOver)).toEqual([false, true]);
	});

	test('a canceled or unknown shipment is not handed over, and neither are the others', async () => {
		const ids = seed(2).map(({ id }) => id);
		sandbox.cancelShipment(ids[0] as number);
		expect((await client.post('/ANT/Order', { packages: ids })).status).toBe(400);
		expect((await client.post('/ANT/Order', { packages: [ids[1], 9] })).status).toBe(404);
		expect(stateOf().map(({ handedOver }) => handedOver)).toEqual([false, false]);
	});

	test('printers have a system name and a display name, and one is offline', async () => {
		const { data } = await client.post('/Printer/Find', {});
		expect(data.result.total).toBe(4);
		expect(data.result.data[0]).toMatchObject({
			printerName: 'Warehouse A4',
			name: 'Laser by the gate',
			printerStatus: dialect === 'interface' ? 'Online' : 1,
		});
		expect(data.result.data[2].printerStatus).toBe(dialect === 'interface' ? 'Offline' : 0);
	});

	test.each([
		[{}, ['P-001', 'P-002', 'P-101']],
		[{ country: 'CZ' }, ['P-001', 'P-002']],
		[{ name: 'praha' }, ['P-002']],
		[{ serviceType: 'ANT-HOME' }, []],
		[{ serviceType: 'ANT-POINT', country: 'SK' }, ['P-101']],
	])('pickup points are found by %j', async (filter, codes) => {
		const { data } = await client.post('/ANT/Branches', filter);
		const points = (data.result.data ?? data.result) as Array<{ code: string }>;
		expect(points.map(({ code }) => code)).toEqual(codes);
	});

	test('a lost answer and a pause happen to them as to every other request', async () => {
		const numbers = numbersOf(seed(1));
		sandbox.fault({ operation: 'cancelShipments', kind: 'rateLimit' });
		expect((await client.post('/ANT/Cancel', { packages: numbers })).status).toBe(429);
		sandbox.fault({ operation: 'cancelShipments', kind: 'reset', when: 'after' });
		await expect(client.post('/ANT/Cancel', { packages: numbers })).rejects.toThrow();
		expect(stateOf()).toMatchObject([{ canceled: true }]);
	});
});

test.each([
	['interface', 404],
	['documented', 405],
] as const)('a service in the %s dialect without them answers %i', async (dialect, status) => {
	await start(dialect, { withoutExtras: true });
	for (const path of ['/ANT/Cancel', '/ANT/Order', '/ANT/Branches', '/Printer/Find']) {
		expect((await client.post(path, { packages: [] })).status).toBe(status);
	}
	expect((await client.post('/Carrier/Find', {})).status).toBe(200);
});
