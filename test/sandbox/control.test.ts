import axios from 'axios';
import { type Sandbox, startSandbox } from '../../sandbox';
import { clientOf, shipment, stillClock } from './client';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ clock: stillClock('2026-03-02T10:00:00Z') });
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const at = (path: string) => `${sandbox.home}/sandbox${path}`;

test('the state lists all data of the service, newest first, and requires no credential', async () => {
	const client = clientOf(sandbox);
	const { data } = await client.post('/Package/Create', [shipment(), shipment()]);
	const job = { hash: data.labelsHash, printerName: 'Warehouse A4' };
	await client.post('/Printer/PrintLabel', job);
	const state = (await axios.get(at('/state'))).data;
	expect(state).toMatchObject({
		now: '2026-03-02T11:00:00.000',
		shipmentsTotal: 2,
		shipments: [
			{ id: 1002, recName: 'Jana Nováková', status: { category: 'Created' } },
			{ id: 1001 },
		],
		batches: [{ id: data.batchId }],
		printJobs: [{ ...job, count: 2, printed: '2026-03-02T11:00:00.000' }],
	});
	expect(state.carriers).toHaveLength(6);
	expect((await axios.get(at('/database'))).data.shipments).toMatchObject([
		{ id: 1001 },
		{ id: 1002 },
	]);
	const label = await axios.get(at('/labels/1001.pdf'));
	expect(label.headers['content-type']).toBe('application/pdf');
});

test('POST /sandbox/advance moves the clock forward', async () => {
	const { data } = await axios.post(at('/advance'), { hours: 24 });
	expect(data).toEqual({ clock: '2026-03-03T11:00:00.000' });
	const wrong = await axios.post(at('/advance'), { days: 1 }, { validateStatus: () => true });
	expect(wrong.status).toBe(400);
});

test('faults can be added and cleared over HTTP', async () => {
	const client = clientOf(sandbox);
	const find = async () => (await client.post('/Carrier/Find', {})).status;
	await axios.post(at('/faults'), { operation: 'findCarriers', kind: 'status', times: null });
	expect([await find(), await find()]).toEqual([503, 503]);
	await axios.delete(at('/faults'));
	expect(await find()).toBe(200);
	const wrong = { operation: 'findCarriers', kind: 'explode' };
	const response = await axios.post(at('/faults'), wrong, { validateStatus: () => true });
	expect(response).toMatchObject({
		status: 400,
		data: { message: expect.stringMatching(/explode/) },
	});
});

test('a reset deletes all data, and the recorded requests can be read', async () => {
	sandbox.seedShipments(3);
	sandbox.advance(5);
	sandbox.fault({ operation: '*', kind: 'reset', times: Infinity });
	await axios.post(at('/reset'), {});
	expect(sandbox.state()).toMatchObject({ now: '2026-03-02T11:00:00.000', shipmentsTotal: 0 });
	await clientOf(sandbox).post('/Carrier/Find', {});
	const { data } = await axios.get(at('/requests'));
	expect(data).toMatchObject([{ operationId: 'findCarriers', status: 200 }]);
});

test('serves the home page and the tracking pages', async () => {
	expect((await axios.get(sandbox.home)).headers['content-type']).toMatch(/text\/html/);
	const { data } = await clientOf(sandbox).post('/Package/Create', [shipment()]);
	const tracked = await axios.get(data.result[0].trackingUrl);
	expect(tracked.data).toMatchObject({ statusCode: 200, events: [{ category: 'Created' }] });
});

test('the sandbox only listens on this machine', async () => {
	await expect(startSandbox({ host: '0.0.0.0' })).rejects.toThrow(/not a loopback address/);
});
