import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { announcedFields, linksOf } from '../support/outputs';
import { readLabelsPdf } from '../support/readLabelsPdf';
import { creationForm, orderItem } from '../support/shop';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';
import { clientOf, shipment, stillClock } from '../sandbox/client';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox({ clock: stillClock('2026-11-20T12:00:00Z') });
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const getMany = { resource: 'batch', operation: 'getAll', returnAll: true };
const get = { resource: 'batch', operation: 'get', batchId: '={{ $json.batch }}' };

const requestsTo = (operation: string) =>
	sandbox.requests.filter(({ operationId }) => operationId === operation);
const idsOf = (items: Array<{ json: { id?: unknown } }>) => items.map(({ json }) => json.id);

/** Batches 71, 72, ... of one shipment each, one per day, the last one today. */
function seedBatches(count: number, serviceType = 'ANT-HOME') {
	for (let index = 0; index < count; index++) {
		sandbox.seedShipments(1, { serviceType, hoursAgo: (count - 1 - index) * 24 });
	}
}

describe('Get many batches', () => {
	test('returns the newest first, with ten fields each', async () => {
		seedBatches(3);
		const { items } = await engine.run({ parameters: getMany });
		expect(idsOf(items)).toEqual([73, 72, 71]);
		expect(items[0]?.json).toMatchObject({
			carrierCode: 'ANT',
			packagesCount: 1,
			created: '2026-11-20T13:00:00.000',
		});
		expect(Object.keys(items[0]?.json ?? {}).sort()).toEqual(announcedFields('batch/getAll'));
		expect(linksOf(items)).toEqual([0, 0, 0]);
	});

	test('returns the oldest first with Oldest First', async () => {
		seedBatches(3);
		const { items } = await engine.run({ parameters: { ...getMany, sortOrder: 'asc' } });
		expect(idsOf(items)).toEqual([71, 72, 73]);
	});

	test('returns the records of the service without Simplify, unknown fields included', async () => {
		seedBatches(1);
		sandbox.fault({ operation: 'findBatches', kind: 'body', rewrite: withUnknownField });
		const { items } = await engine.run({ parameters: { ...getMany, simplify: false } });
		const [batch] = sandbox.database.batches();
		expect(items[0]?.json).toEqual({ ...batch, orders: null, colour: 'blue' });
	});

	test('sends every filter to the service', async () => {
		const filters = {
			carrierCodes: ['ANT', 'DODO'],
			createdFrom: '2026-11-01T00:00:00',
			createdTo: '={{ $now }}',
			archived: true,
		};
		await engine.run({ parameters: { ...getMany, filters } });
		expect(requestsTo('findBatches')[0]?.body).toEqual({
			carrierCodes: ['ANT', 'DODO'],
			createdFrom: '2026-11-01',
			createdTo: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
			archived: true,
			sortOrder: 'desc',
			start: 0,
			length: 100,
		});
	});

	test('returns only batches that match the filters', async () => {
		seedBatches(2);
		seedBatches(2, 'DODO-DAY');
		sandbox.archiveBatch(74);
		const found = async (filters: object) =>
			idsOf((await engine.run({ parameters: { ...getMany, filters: { ...filters } } })).items);
		expect(await found({ carrierCodes: 'DODO, BEAVER' })).toEqual([74, 73]);
		expect(await found({ archived: false, carrierCodes: ['DODO'] })).toEqual([73]);
		expect(await found({ archived: true })).toEqual([74]);
		expect(await found({ createdFrom: '2026-11-20' })).toEqual([74, 72]);
		expect(await found({ createdTo: '2026-11-19' })).toEqual([73, 71]);
	});

	test('returns all of 230 batches with three requests', async () => {
		seedBatches(230);
		const { items } = await engine.run({ parameters: getMany });
		expect(items).toHaveLength(230);
		expect(new Set(idsOf(items)).size).toBe(230);
		expect(requestsTo('findBatches')).toHaveLength(3);
	});

	test('returns no item if the account has no batches', async () => {
		const { items, error } = await engine.run({ parameters: getMany });
		expect([items, error]).toEqual([[], undefined]);
	});
});

describe('Get a batch', () => {
	test('sends one request per batch and returns the results in input order', async () => {
		seedBatches(2);
		const input = [{ batch: 72 }, { batch: '71' }, { batch: 72 }];
		const { items } = await engine.run({ parameters: get, items: input });
		expect(idsOf(items)).toEqual([72, 71, 72]);
		expect(linksOf(items)).toEqual([0, 1, 2]);
		expect(requestsTo('getBatch')).toHaveLength(2);
		expect(Object.keys(items[0]?.json ?? {}).sort()).toEqual(announcedFields('batch/get'));
	});

	test('returns the orders as well without Simplify', async () => {
		await clientOf(sandbox).post('/Package/Create', [shipment({ orderId: 501 })]);
		const { items } = await engine.run({
			parameters: { ...get, simplify: false },
			items: [{ batch: 71 }],
		});
		expect(items[0]?.json).toEqual(sandbox.database.batches()[0]);
		expect(items[0]?.json.orders).toHaveLength(1);
	});

	test('returns one item per order with the ID of the batch and numbers as text', async () => {
		const orders = [
			shipment({ packageNumberCustom: 'A' }),
			shipment({ packageNumberCustom: 'B', recPhone: '1' }),
		];
		await clientOf(sandbox).post('/Package/Create', orders);
		const { items } = await engine.run({
			parameters: { ...get, options: { output: 'orders' } },
			items: [{ batch: 71 }],
		});
		const [batch] = sandbox.database.batches();
		expect(items.map(({ json }) => json)).toEqual(
			(batch?.orders ?? []).map((order) => ({ ...order, batchId: 71 })),
		);
		expect(items.map(({ json }) => json.success)).toEqual([true, false]);
		expect(items[0]?.json.packageNumberCarrier).toMatch(/^0012345\d{15}$/);
		expect(linksOf(items)).toEqual([0, 0]);
	});

	test('accepts a batch from the list', async () => {
		seedBatches(1);
		const batchId = { mode: 'list', value: '71', __rl: true, cachedResultName: 'Batch 71' };
		const { items } = await engine.run({ parameters: { ...get, batchId } });
		expect(idsOf(items)).toEqual([71]);
	});

	const mixed = [{ batch: 71 }, { batch: 999 }, { batch: 'the last one' }];

	test('stops on a batch that does not exist, with the message of the service', async () => {
		seedBatches(1);
		const { error, items } = await engine.run({ parameters: get, items: mixed });
		expect(error?.message).toBe('The service said: There is no batch 999');
		expect(error?.httpCode).toBe('404');
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(error?.description).toMatch(/Correlation ID: [0-9a-f-]{36}/);
		expect(items).toEqual([]);
	});

	test('returns the error as an item with Continue', async () => {
		seedBatches(1);
		const onError = 'continueRegularOutput';
		const { items } = await engine.run({ parameters: get, items: mixed, onError });
		expect(items.map(({ json }) => json.id ?? json.error)).toEqual([
			71,
			'The service said: There is no batch 999',
			'Invalid Batch: "the last one"',
		]);
		expect(linksOf(items)).toEqual([0, 1, 2]);
	});

	test('returns the error in the error output with Continue (using error output)', async () => {
		seedBatches(1);
		const onError = 'continueErrorOutput';
		const { items, errorItems } = await engine.run({ parameters: get, items: mixed, onError });
		expect(idsOf(items)).toEqual([71]);
		expect(linksOf(errorItems)).toEqual([1, 2]);
	});

	test('repeats a request that fails temporarily', async () => {
		seedBatches(1);
		sandbox.fault({ operation: 'getBatch', kind: 'rateLimit', retryAfter: '0' });
		sandbox.fault({ operation: 'getBatch', kind: 'halfBody' });
		const { items } = await engine.run({ parameters: get, items: [{ batch: 71 }] });
		expect(idsOf(items)).toEqual([71]);
		expect(requestsTo('getBatch')).toHaveLength(3);
	});
});

const withUnknownField = (response: { result: { data: object[]; total: number } }) => ({
	...response,
	result: {
		...response.result,
		data: response.result.data.map((row) => ({ ...row, colour: 'blue' })),
	},
});

describe('Get a batch with its files', () => {
	const withFiles = (options: object) => ({ ...get, options }) as typeof get;
	const nameOf = (item: INodeExecutionData | undefined, field: string) =>
		item?.binary?.[field]?.fileName;

	const create = async (more: IDataObject = {}) => {
		const items = ['B-1', 'B-2'].map((reference) => orderItem(reference, more));
		const shipment = { value: '={{ $json }}' };
		await engine.run({ parameters: { ...creationForm(), shipment }, items });
	};

	test('attaches its labels and its orders as PDF files', async () => {
		await create({ orderId: 501 });
		const { items } = await engine.run({
			parameters: withFiles({ downloadLabels: true, downloadOrders: true }),
			items: [{ batch: 71 }],
		});
		expect(nameOf(items[0], 'data')).toMatch(/^labels-ANT-batch-71-[\d-]+\.pdf$/);
		expect(nameOf(items[0], 'orders')).toMatch(/^orders-ANT-batch-71-[\d-]+\.pdf$/);
		const labels = Buffer.from(items[0]?.binary?.data?.data ?? '', 'base64');
		expect(readLabelsPdf(labels)).toHaveLength(2);
		expect(items[0]?.json.ordersUrl).toContain('/files/job/');
	});

	test('keeps the batch and says why a file is missing', async () => {
		await create();
		sandbox.fault({ operation: 'labelFile', kind: 'html' });
		const { items } = await engine.run({
			parameters: withFiles({ downloadLabels: true, downloadOrders: true }),
			items: [{ batch: 71 }],
		});
		expect(items[0]?.binary).toBeUndefined();
		expect(items[0]?.json).toMatchObject({
			id: 71,
			labelsNotDownloaded: 'The service returned a web page instead of a PDF file',
			ordersNotDownloaded: 'Batch 71 has no file with its orders',
		});
	});

	test('attaches them to the first item with One Item per Order', async () => {
		await create();
		const { items } = await engine.run({
			parameters: withFiles({ downloadLabels: true, output: 'orders' }),
			items: [{ batch: 71 }],
		});
		expect(items.map(({ binary }) => Object.keys(binary ?? {}))).toEqual([['data'], []]);
	});

	test('downloads nothing without the options', async () => {
		seedBatches(1);
		const { items } = await engine.run({ parameters: get, items: [{ batch: 71 }] });
		expect(items[0]?.binary).toBeUndefined();
		expect(requestsTo('labelFile')).toHaveLength(0);
	});
});
