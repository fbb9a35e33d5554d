import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { announcedFields, linksOf } from '../support/outputs';

import { type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const get = {
	resource: 'shipment',
	operation: 'get',
	carrierCode: '={{ $json.carrier }}',
	shipmentId: '={{ $json.id }}',
};

const paths = () => sandbox.requests.map(({ path }) => path.replace('/api', ''));
const idsOf = (items: Array<{ json: { id?: unknown } }>) => items.map(({ json }) => json.id);

describe('Get a shipment', () => {
	test('returns ten flat fields, with numbers as text', async () => {
		const [seeded] = sandbox.seedShipments(1);
		const { items } = await engine.run({
			parameters: get,
			items: [{ carrier: 'ANT', id: seeded?.id ?? 0 }],
		});
		expect(items[0]?.json).toEqual({
			id: seeded?.id,
			carrierCode: 'ANT',
			packageNumberCarrier: seeded?.packageNumberCarrier,
			packageNumberCustom: 'SEED-1',
			recName: 'Recipient 1',
			status: 'The shipment was created',
			statusCategory: 'Created',
			delivered: false,
			canceled: false,
			trackingUrl: expect.stringContaining(seeded?.packageNumberCarrier ?? '-'),
		});
		expect(Object.keys(items[0]?.json ?? {}).sort()).toEqual(announcedFields('shipment/get'));
	});

	test('returns the record of the service without Simplify, unknown fields included', async () => {
		sandbox.seedShipments(1, { recZip: '01001', vs: '0000012' });
		let sent: unknown;
		const rewrite = (response: { result: object[] }) => {
			sent = { ...response.result[0], colour: 'blue' };
			return { ...response, result: [sent] };
		};
		sandbox.fault({ operation: 'getShipment', kind: 'body', rewrite });
		const { items } = await engine.run({
			parameters: { ...get, simplify: false },
			items: [{ carrier: 'ANT', id: 1001 }],
		});
		expect(items[0]?.json).toEqual(sent);
		expect(items[0]?.json).toMatchObject({
			recZip: '01001',
			vs: '0000012',
			colour: 'blue',
			status: { category: 'Created' },
		});
	});

	test('returns three linked items for a shipment with three pieces', async () => {
		sandbox.seedShipments(1);
		sandbox.seedShipments(1, { pieceCount: 3 });
		const input = [
			{ carrier: 'ANT', id: 1001 },
			{ carrier: 'ANT', id: '1002' },
		];
		const { items } = await engine.run({ parameters: get, items: input });
		expect(idsOf(items)).toEqual([1001, 1002, 1003, 1004]);
		expect(linksOf(items)).toEqual([0, 1, 1, 1]);
	});

	test('returns the recipient and the status of records with other fields', async () => {
		sandbox.seedShipments(1);
		const result = {
			id: 1001,
			recAddress: { name: 'Jana Nováková', city: 'Praha' },
			status: { code: '22', name: 'Připravena', category: 'TransitReady' },
		};
		sandbox.fault({
			operation: 'getShipment',
			kind: 'body',
			rewrite: (response: object) => ({ ...response, result: [result] }),
		});
		const { items } = await engine.run({ parameters: get, items: [{ carrier: 'ANT', id: 1001 }] });
		expect(items.map(({ json }) => json)).toEqual([
			{
				id: 1001,
				carrierCode: 'ANT',
				recName: 'Jana Nováková',
				status: 'Připravena',
				statusCategory: 'TransitReady',
			},
		]);
	});

	test('requests the same shipment once for several items', async () => {
		sandbox.seedShipments(1);
		const input = [1, 2, 3].map(() => ({ carrier: 'ANT', id: 1001 }));
		const { items } = await engine.run({ parameters: get, items: input });
		expect(linksOf(items)).toEqual([0, 1, 2]);
		expect(paths()).toEqual(['/ANT/1001/Detail']);
	});

	test('accepts values from the lists', async () => {
		sandbox.seedShipments(1);
		const { items } = await engine.run({
			parameters: {
				...get,
				carrierCode: { mode: 'list', value: 'ANT', __rl: true },
				shipmentId: { mode: 'list', value: '1001', __rl: true },
			},
		});
		expect(idsOf(items)).toEqual([1001]);
	});
});

describe('The two paths of a shipment', () => {
	// Each test has a service of its own, because the node remembers which path of it works.
	let shared: { sandbox: Sandbox; engine: Engine };
	beforeEach(async () => {
		shared = { sandbox, engine };
		sandbox = await startSandbox();
		engine = await startEngine(sandboxCredential(sandbox.url));
		sandbox.seedShipments(2);
	});
	afterEach(async () => {
		await sandbox.close();
		({ sandbox, engine } = shared);
	});

	const lacks = (operation: 'getShipment' | 'getShipmentShort', body: unknown = '', status = 404) =>
		sandbox.fault({ operation, kind: 'status', status, body, times: Infinity });
	const run = async (...ids: number[]) =>
		await engine.run({
			parameters: get,
			items: ids.map((id) => ({ carrier: 'ANT', id })),
			onError: 'continueErrorOutput',
		});

	test.each([
		['404', 404, ''],
		['405', 405, ''],
		['404 that names the shipment', 404, { message: 'No order 1001' }],
	])('the short one is used if the service responds to /Detail with %s', async (...given) => {
		const [, status, body] = given;
		lacks('getShipment', body, status);
		const { items } = await run(1001);
		expect(idsOf(items)).toEqual([1001]);
		expect(paths()).toEqual(['/ANT/1001/Detail', '/ANT/1001']);
		// The next run begins with the path that has worked.
		await run(1002);
		expect(paths().slice(2)).toEqual(['/ANT/1002']);
	});

	test('the other one is used if the one that has worked disappears', async () => {
		lacks('getShipment');
		await run(1001);
		sandbox.clearFaults();
		lacks('getShipmentShort');
		const { items } = await run(1002);
		await run(1001);
		expect(idsOf(items)).toEqual([1002]);
		expect(paths().slice(2)).toEqual(['/ANT/1002', '/ANT/1002/Detail', '/ANT/1001/Detail']);
	});

	test('404 at the path that has worked is about the shipment', async () => {
		const { items, errorItems } = await run(1001);
		expect(idsOf(items)).toEqual([1001]);
		expect(errorItems).toEqual([]);
		const missing = await run(1009);
		expect(missing.errorItems[0]?.json.error).toContain('Carrier ANT has no shipment');
		expect(paths()).toEqual(['/ANT/1001/Detail', '/ANT/1009/Detail']);
	});

	test('a shipment is read at the short one although another one was just found there', async () => {
		lacks('getShipment', { message: 'No order' });
		sandbox.fault({ operation: 'getShipment', kind: 'latency', ms: 200 });
		const { items, errorItems } = await run(1001, 1002);
		expect(errorItems).toEqual([]);
		expect(idsOf(items)).toEqual([1001, 1002]);
	});

	test('the first error is returned if both respond with 404', async () => {
		lacks('getShipmentShort', {});
		const { error } = await engine.run({ parameters: get, items: [{ carrier: 'ANT', id: 1009 }] });
		expect(error?.message).toBe('The service said: Carrier ANT has no shipment with id 1009');
		expect(error?.httpCode).toBe('404');
	});

	test('the short one is not used after another error', async () => {
		sandbox.fault({ operation: 'getShipment', kind: 'status', status: 400 });
		const { error } = await engine.run({ parameters: get, items: [{ carrier: 'ANT', id: 1001 }] });
		expect(error?.httpCode).toBe('400');
		expect(paths()).toEqual(['/ANT/1001/Detail']);
	});
});

test('An empty detail is an error', async () => {
	sandbox.seedShipments(1);
	const rewrite = (response: object) => ({ ...response, result: [] });
	sandbox.fault({ operation: 'getShipment', kind: 'body', rewrite });
	const { error } = await engine.run({ parameters: get, items: [{ carrier: 'ANT', id: 1001 }] });
	expect(error?.message).toBe('Carrier ANT has no shipment with ID 1001');
});

describe('Items with errors', () => {
	const mixed = [
		{ carrier: 'ANT', id: 1001 },
		{ carrier: 'DODO', id: 1001 },
		{ carrier: 'ANT', id: '00123456789012345678901' },
		{ carrier: 'ANT', id: '' },
		{ carrier: 'ANT', id: 1002 },
	];
	const messages = [
		'The service said: Carrier DODO has no shipment with id 1001',
		'Invalid Shipment: "00123456789012345678901"',
		'Shipment is empty',
	];
	beforeEach(() => {
		sandbox.seedShipments(2);
	});

	test('stop the run without Continue', async () => {
		const { error, items } = await engine.run({ parameters: get, items: mixed });
		expect(messages).toContain(error?.message);
		expect(items).toEqual([]);
	});

	test('stay in input order with Continue', async () => {
		const onError = 'continueRegularOutput';
		const { items } = await engine.run({ parameters: get, items: mixed, onError });
		expect(items.map(({ json }) => json.id ?? json.error)).toEqual([1001, ...messages, 1002]);
		expect(linksOf(items)).toEqual([0, 1, 2, 3, 4]);
		expect(items[2]?.json.message).toContain('To find the ID, use Shipment: Get Many');
	});

	test('go to the error output with Continue (using error output)', async () => {
		const onError = 'continueErrorOutput';
		const { items, errorItems } = await engine.run({ parameters: get, items: mixed, onError });
		expect(idsOf(items)).toEqual([1001, 1002]);
		expect(errorItems.map(({ json }) => json.error)).toEqual(messages);
		expect(linksOf(errorItems)).toEqual([1, 2, 3]);
	});
});
