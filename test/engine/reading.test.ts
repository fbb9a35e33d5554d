// The operations that only read, at services that respond in different ways.
import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { announcedFields, linksOf } from '../support/outputs';
import { readLabelsPdf } from '../support/readLabelsPdf';
import { SERVICE_KINDS, SERVICES } from '../support/services';
import { creationForm, orderItem } from '../support/shop';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	dialectNames,
	type Fault,
	type Sandbox,
	type SandboxOptions,
	startSandbox,
} from '../../sandbox';
import { stillClock } from '../sandbox/client';

let sandbox: Sandbox;
let engine: Engine;

/** Starts a service with five shipments in the batches 71 to 74, the last one of three pieces. */
function useService(options: SandboxOptions = {}): void {
	beforeAll(async () => {
		sandbox = await startSandbox({ clock: stillClock('2026-11-20T12:00:00Z'), ...options });
		engine = await startEngine(sandboxCredential(sandbox.url));
	});
	beforeEach(() => {
		sandbox.reset();
		const each = (index: number) => ({ packageNumberCustom: `S${index}`, vs: '0000012' });
		sandbox.seedShipments(2, { hoursAgo: 48, each });
		const cod = { cod: true, codPrice: 5, codCurrency: 'CZK' };
		sandbox.seedShipments(1, { packageNumberCustom: 'COD', hoursAgo: 8, ...cod });
		const dodo = { serviceType: 'DODO-DAY', orderId: 502 };
		sandbox.seedShipments(1, { packageNumberCustom: 'DODO-1', ...dodo });
		sandbox.seedShipments(1, { packageNumberCustom: 'PIECES', pieceCount: 3 });
		sandbox.archiveBatch(74);
	});
	afterAll(() => sandbox.close());
}

const run = async (parameters: INodeParameters, items: IDataObject[] = [{}]) =>
	engine.run({ parameters, items, onError: 'continueErrorOutput' });

const many = (resource: string, filters: IDataObject = {}, more: INodeParameters = {}) =>
	({ resource, operation: 'getAll', returnAll: true, filters, ...more }) as INodeParameters;
type Value = INodeParameters[string];
const get = (carrierCode: Value, shipmentId: Value): INodeParameters => ({
	resource: 'shipment',
	operation: 'get',
	carrierCode,
	shipmentId,
});
const getBatch = (batchId: Value, more: INodeParameters = {}): INodeParameters => ({
	resource: 'batch',
	operation: 'get',
	batchId,
	...more,
});
const getServices = (carrierCode: Value): INodeParameters => ({
	resource: 'carrier',
	operation: 'getServices',
	carrierCode,
});
const ofAnt = { carrierCode: 'ANT' };

/** A code, a printer, the order number of a shipment, or the ID of a batch. */
function nameOf({ json }: { json: IDataObject }): unknown {
	const shipment = sandbox.database.shipments().find(({ id }) => id === json.id);
	return json.code ?? json.printerName ?? shipment?.packageNumberCustom ?? json.id ?? json.error;
}

const MAIN = ['PIECES', 'DODO-1', 'COD', 'S1', 'S0'];
const CARRIERS = ['ANT', 'BEAVER', 'CRANE', 'SNAIL', 'DODO', 'OWL'];
const PRINTERS = ['Warehouse A4', 'Warehouse Zebra', 'Attic', 'Front Desk'];
const TODAY = ['PIECES', 'DODO-1', 'COD'];
const main = { onlyMaster: true };
const points = (filters: IDataObject, more: INodeParameters = {}) =>
	many('pickupPoint', filters, { ...ofAnt, ...more });
const branches = (filters: IDataObject = {}) => points({ branchType: 'Branch', ...filters });
const fromList = (value: string) => ({ mode: 'list', value, __rl: true, cachedResultName: 'x' });
const empty = { search: ' ', carrierCodes: [], orderId: '', createdFrom: '', status: '' };
const isoDay = '={{ DateTime.fromISO("2026-11-20T12:00:00Z") }}';
const found: Array<[string, INodeParameters, unknown[]]> = [
	['main shipments, newest first', many('shipment', main), MAIN],
	['all pieces', many('shipment', { onlyMaster: false }), ['PIECES', 'PIECES', ...MAIN]],
	['all of them if the filters are empty', many('shipment', { ...empty, ...main }), MAIN],
	['shipments by text', many('shipment', { search: 's1' }), ['S1']],
	['shipments by order number', many('shipment', { packageNumberCustom: 'S1' }), ['S1']],
	['none by a part of an order number', many('shipment', { packageNumberCustom: 'S' }), []],
	[
		'an older shipment by order number, although the limit is 1',
		many('shipment', { packageNumberCustom: 'S0' }, { returnAll: false, limit: 1 }),
		['S0'],
	],
	['shipments by carrier', many('shipment', { carrierCodes: 'DODO, OWL' }), ['DODO-1']],
	['shipments with cash on delivery', many('shipment', { cod: true }), ['COD']],
	['shipments without it', many('shipment', { cod: false, search: 'S1' }), ['S1']],
	['none with it turned off', many('shipment', { cod: false, search: 'COD' }), []],
	['shipments by order ID', many('shipment', { orderId: '={{ "502" }}' }), ['DODO-1']],
	['shipments by status', many('shipment', { status: 'NotPicked', ...main }), TODAY.slice(0, 2)],
	['shipments until a day', many('shipment', { createdTo: '2026-11-19' }), ['S1', 'S0']],
	['shipments since a day', many('shipment', { createdFrom: isoDay, ...main }), TODAY],
	['batches, newest first', many('batch'), [74, 73, 72, 71]],
	['batches, oldest first', many('batch', {}, { sortOrder: 'asc' }), [71, 72, 73, 74]],
	['batches by carrier', many('batch', { carrierCodes: ['DODO', 'OWL'] }), [73]],
	['archived batches', many('batch', { archived: true }), [74]],
	['batches that are not archived', many('batch', { archived: false }), [73, 72, 71]],
	['batches since a day', many('batch', { createdFrom: '2026-11-20T23:30:00' }), [74, 73, 72]],
	['batches until a day', many('batch', { createdTo: '2026-11-19' }), [71]],
	['carriers by status', many('carrier', { status: 'Active' }), CARRIERS.slice(0, 5)],
	['pickup points by country', points({ country: 'sk' }), ['P-101']],
	['pickup points by town', points({ name: 'Brno' }), ['P-001']],
	['no points of another service', points({ serviceType: 'ANT-HOME' }), []],
	['pickup points by kind', points({ branchType: 'Branch', name: 'Praha' }), ['P-002']],
	['a shipment with all of its pieces', get('ANT', '1005'), ['PIECES', 'PIECES', 'PIECES']],
	['services of a carrier from the list', getServices(fromList('SNAIL')), ['SNAIL-PALLET']],
	['a batch from the list', getBatch(fromList('71')), [71]],
	['a shipment from the list', get('ANT', fromList('1001')), ['S0']],
];

describe.each(SERVICE_KINDS)('At the %s service are found', (kind) => {
	useService(SERVICES[kind]);

	test.each(found)('%s', async (_, parameters, names) => {
		const { items, errorItems } = await run(parameters);
		expect(errorItems).toEqual([]);
		const unique = (list: unknown[]) => [...new Set(list)];
		expect(unique(items.map(nameOf))).toEqual(unique(names));
		expect(items).toHaveLength(names.length);
	});
});

/** Each operation with the endpoint that it calls. */
const operations: Array<[string, Fault['operation'], INodeParameters, unknown[]]> = [
	['shipment/getAll', 'findShipments', many('shipment', { onlyMaster: true }), MAIN],
	['shipment/get', 'getShipment', get('ANT', 1003), ['COD']],
	['batch/getAll', 'findBatches', many('batch'), [74, 73, 72, 71]],
	['batch/get', 'getBatch', getBatch(72), [72]],
	['carrier/getAll', 'findCarriers', many('carrier'), CARRIERS],
	[
		'carrier/getServices',
		'findServices',
		{ ...getServices('BEAVER'), options: { includeAddons: true } },
		['BEAVER-PARCEL', 'BEAVER-LETTER'],
	],
	['printer/getAll', 'findPrinters', many('printer'), PRINTERS],
	['pickupPoint/getAll', 'findPickupPoints', branches(), ['P-001', 'P-002', 'P-101']],
];
type Response = { result: IDataObject[] | { data: IDataObject[] } | IDataObject };
const recordsOf = ({ result }: Response): IDataObject[] =>
	[(result as { data: IDataObject[] }).data ?? result].flat();

describe.each(dialectNames)('At a service in the %s dialect', (dialect) => {
	useService({ dialect });
	// The documented service has no other path for the detail of a shipment.
	const ofDialect = operations.map(([name, operation, ...rest]): (typeof operations)[number] => {
		const isShort = dialect === 'documented' && operation === 'getShipment';
		return [name, isShort ? 'getShipmentShort' : operation, ...rest];
	});
	const lists = ofDialect.filter(([name]) => name.endsWith('/getAll'));
	const requestCount = (operation: string) =>
		sandbox.requests.filter(
			({ operationId, status }) => operationId === operation && status === 200,
		).length;

	test.each(ofDialect)(
		'%s returns the announced fields for each item, from one request that is repeated if it fails',
		async (name, operation, parameters, names) => {
			sandbox.fault({ operation, kind: 'rateLimit', retryAfter: '0' });
			const { items, errorItems } = await run(parameters, [{}, {}]);
			expect(errorItems).toEqual([]);
			expect(items.map(nameOf)).toEqual([...names, ...names]);
			expect(linksOf(items)).toEqual([...names.map(() => 0), ...names.map(() => 1)]);
			expect(Object.keys(items[0]?.json ?? {}).sort()).toEqual(announcedFields(name));
			expect(requestCount(operation)).toBe(1);
		},
	);

	test.each(lists)('%s returns no more than the limit', async (_, __, parameters, names) => {
		const { items } = await run({ ...parameters, returnAll: false, limit: 2 });
		expect(items.map(nameOf)).toEqual(names.slice(0, 2));
	});

	test.each(ofDialect.filter(([name]) => !/carrier|printer/.test(name)))(
		'%s without Simplify returns the records of the service, unknown fields included',
		async (_, operation, parameters) => {
			let sent: IDataObject[] = [];
			const rewrite = (response: Response) => {
				sent = recordsOf(response).map((each) => Object.assign(each, { colour: { name: 'blue' } }));
				return response;
			};
			sandbox.fault({ operation, kind: 'body', rewrite: rewrite as never });
			const { items } = await run({ ...parameters, simplify: false });
			expect(items.map(({ json }) => json)).toEqual(sent);
			expect(sent[0]?.colour).toEqual({ name: 'blue' });
		},
	);

	test.each(ofDialect.filter(([, operation]) => !/^get/.test(operation)))(
		'%s returns nothing in either output if the service has none',
		async (_, operation, parameters) => {
			const rewrite = ({ result }: Response) => ({
				result: Array.isArray(result) ? [] : { data: [], total: 0 },
			});
			sandbox.fault({ operation, kind: 'body', rewrite: rewrite as never });
			const { items, errorItems, error } = await run(parameters);
			expect([items, errorItems, error]).toEqual([[], [], undefined]);
		},
	);

	test.each([
		['all', {}, 1003, 11],
		['the first 160', { returnAll: false, limit: 160 }, 160, 2],
	])('of a thousand pickup points, %s come, each once', async (_, limit, count, requests) => {
		const { items } = await run(points({}, limit), [{}, {}]);
		const codes = items.slice(0, count).map(nameOf);
		expect(new Set(codes).size).toBe(count);
		expect(items.slice(count).map(nameOf)).toEqual(codes);
		expect(requestCount('findPickupPoints')).toBe(requests);
	});

	test('a shipment has its numbers as text, its recipient and its status', async () => {
		const { items } = await run({ ...get('ANT', 1003), simplify: true });
		const { packageNumberCarrier = '' } = sandbox.database.shipments()[2] ?? {};
		expect(packageNumberCarrier).toMatch(/^00/);
		expect(items[0]?.json).toEqual({
			id: 1003,
			carrierCode: 'ANT',
			packageNumberCarrier,
			packageNumberCustom: 'COD',
			recName: 'Recipient 1',
			status: expect.stringMatching(/ /),
			statusCategory: 'TransitCarrier',
			delivered: false,
			canceled: false,
			trackingUrl: expect.stringContaining(packageNumberCarrier),
		});
		const listed = await run(many('shipment', { search: 'COD' }));
		expect(listed.items[0]?.json).toEqual(items[0]?.json);
	});
});

describe.each([
	['interface', 404],
	['documented', 405],
] as const)('A service in the %s dialect without all lists', (dialect, status) => {
	useService({ dialect, withoutExtras: true });
	test.each([
		['printers', many('printer')],
		['pickup points', points({})],
		['hand-overs', many('handOver')],
	])('says that it does not offer %s', async (name, parameters) => {
		const { errorItems } = await run(parameters);
		const message = `This service does not offer: List ${name} (${status})`;
		expect(errorItems.map(({ json }) => json.error)).toEqual([message]);
	});

	const withAddons = { ...getServices('ANT'), options: { includeAddons: true } };

	test('returns services without the additional ones, and says so once', async () => {
		const { items, errorItems, hints } = await run(withAddons, [{}, {}]);
		const { items: plain } = await run(getServices('ANT'), [{}, {}]);
		expect(items).toEqual(plain);
		expect(errorItems).toEqual([]);
		expect(hints).toEqual([expect.stringContaining('List the additional services of a carrier')]);
	});

	test('fails if the additional services cannot be read for another reason', async () => {
		sandbox.fault({ operation: 'findServiceAddons', kind: 'status', status: 400 });
		const { items, errorItems } = await run(withAddons);
		expect(items).toEqual([]);
		expect(errorItems).toHaveLength(1);
	});
});

describe('Items with errors', () => {
	useService();
	const byItem = {
		...get('={{ $json.carrier }}', '={{ $json.id }}'),
		options: { maxConcurrency: 1 },
	};
	const filters = {
		orderId: '={{ $json.id }}',
		createdFrom: '={{ $json.from }}',
		createdTo: '={{ $json.to }}',
	};
	/** Each item, and what it comes to. */
	const mixed: Array<[string, INodeParameters, Array<[IDataObject, unknown]>]> = [
		[
			'Shipment: Get',
			byItem,
			[
				[{ carrier: 'ANT', id: 1001 }, 'S0'],
				[
					{ carrier: 'DODO', id: 1001 },
					'The service said: Carrier DODO has no shipment with id 1001',
				],
				[
					{ carrier: 'ANT', id: '00123456789012345678' },
					'Invalid Shipment: "00123456789012345678"',
				],
				[{ carrier: 'ANT', id: '' }, 'Shipment is empty'],
				[{ carrier: 'ANT', id: 1002 }, 'S1'],
			],
		],
		[
			'Shipment: Get Many',
			many('shipment', filters),
			[
				[{ id: 502 }, 'DODO-1'],
				[{ id: 'WEB-0501' }, 'Invalid Order ID: "WEB-0501"'],
				[{ from: '20.11.2026' }, 'Invalid Created From: "20.11.2026"'],
				[
					{ from: '2026-11-21', to: '2026-11-20' },
					'Created From (2026-11-21) is later than Created To (2026-11-20)',
				],
			],
		],
		[
			'Batch: Get',
			getBatch('={{ $json.id }}'),
			[
				[{ id: 71 }, 71],
				[{ id: 999 }, 'The service said: There is no batch 999'],
				[{ id: 'the last one' }, 'Invalid Batch: "the last one"'],
			],
		],
	];

	test.each(mixed)('do not affect the others, or stop the run: %s', async (...given) => {
		const [, parameters, cases] = given;
		const items = cases.map(([item]) => item);
		const outcomes = cases.map(([, outcome]) => outcome);
		const indexes = cases.map((_, index) => index);
		const continued = await engine.run({ parameters, items, onError: 'continueRegularOutput' });
		expect(continued.items.map(nameOf)).toEqual(outcomes);
		expect(linksOf(continued.items)).toEqual(indexes);

		const isError = (index: number) => continued.items[index]?.json.error !== undefined;
		const branched = await run(parameters, items);
		expect(linksOf(branched.items)).toEqual(indexes.filter((index) => !isError(index)));
		expect(linksOf(branched.errorItems)).toEqual(indexes.filter(isError));

		const { error, items: output } = await engine.run({ parameters, items });
		expect(output).toEqual([]);
		expect(outcomes.indexOf(error?.message)).toBe(error?.context?.itemIndex);
	});

	test('say how to find an ID, and which request failed', async () => {
		const { errorItems } = await run(byItem, [
			{ carrier: 'ANT', id: 'S0' },
			{ carrier: 'DODO', id: 1001 },
		]);
		expect(errorItems[0]?.json.message).toContain('To find the ID, use Shipment: Get Many');
		const correlationId = expect.stringMatching(/^[0-9a-f-]{36}$/);
		expect(errorItems[1]?.json.details).toMatchObject({ statusCode: 404, correlationId });
	});

	test.each([
		['Waiting', 'Status filter "Waiting": The service said: Unknown value'],
		['NotPicked', 'The service said: Unknown value'],
	])('name the status if it may be wrong: %s', async (status, message) => {
		const body = { errors: [{ errorCode: 3, message: 'Unknown value', reference: null }] };
		sandbox.fault({ operation: 'findShipments', kind: 'status', status: 400, body });
		const { errorItems } = await run(many('shipment', { status: `={{ "${status}" }}` }));
		expect(errorItems[0]?.json.error).toBe(message);
	});

	test('are an error if the detail of a shipment is empty', async () => {
		const rewrite = (response: object) => ({ ...response, result: [] });
		sandbox.fault({ operation: 'getShipment', kind: 'body', rewrite });
		const { errorItems } = await run(get('ANT', 1001));
		expect(errorItems[0]?.json.error).toBe('Carrier ANT has no shipment with ID 1001');
	});
});

describe('Long lists', () => {
	useService();

	test('return all of 230 batches', async () => {
		for (let index = 0; index < 226; index++) sandbox.seedShipments(1);
		const { items } = await run(many('batch'));
		expect(items.map(({ json }) => json.id)).toEqual(
			Array.from({ length: 230 }, (_, i) => 300 - i),
		);
	});

	test('are read until the limit is reached if the service ignores a filter', async () => {
		const cod = { cod: true, codPrice: 5, codCurrency: 'CZK' };
		const wanted = sandbox
			.seedShipments(300, { each: (index) => (index % 3 === 0 ? {} : cod) })
			.filter((_, index) => index % 3 === 0)
			.map(({ id }) => id)
			.reverse();
		const limited = await run(many('shipment', { cod: false }, { returnAll: false, limit: 60 }));
		expect(limited.items.map(({ json }) => json.id)).toEqual(wanted.slice(0, 60));
	});
});

describe('A shipment at a service that may have only one of two paths', () => {
	// Each test has a service of its own, because the node remembers which path of it works.
	beforeEach(async () => {
		sandbox = await startSandbox();
		engine = await startEngine(sandboxCredential(sandbox.url));
		sandbox.seedShipments(2);
	});
	afterEach(() => sandbox.close());
	const lacks = (operation: 'getShipment' | 'getShipmentShort', body: unknown = '', status = 404) =>
		sandbox.fault({ operation, kind: 'status', status, body, times: Infinity });
	const outcome = async (id: number) => {
		sandbox.requests.length = 0;
		const { items, errorItems } = await run(get('ANT', id));
		const paths = sandbox.requests.map(({ path }) => path.replace('/api', ''));
		return [[...items, ...errorItems].map(({ json }) => json.id ?? json.error), paths];
	};

	test.each<[string, number, unknown]>([
		['404', 404, ''],
		['404 that names the shipment', 404, { message: 'No order 1001' }],
	])('is read at the short one after %s, from then on at once', async (_, status, body) => {
		lacks('getShipment', body, status);
		expect(await outcome(1001)).toEqual([[1001], ['/ANT/1001/Detail', '/ANT/1001']]);
		expect(await outcome(1002)).toEqual([[1002], ['/ANT/1002']]);
		sandbox.clearFaults();
		lacks('getShipmentShort');
		expect(await outcome(1002)).toEqual([[1002], ['/ANT/1002', '/ANT/1002/Detail']]);
	});

	test('does not exist after 404 at the path that has worked, or at both', async () => {
		const missing = ['The service said: Carrier ANT has no shipment with id 1009'];
		expect(await outcome(1009)).toEqual([missing, ['/ANT/1009/Detail', '/ANT/1009']]);
		expect(await outcome(1001)).toEqual([[1001], ['/ANT/1001/Detail']]);
		expect(await outcome(1009)).toEqual([missing, ['/ANT/1009/Detail']]);
	});

	test('is read at the short one although another one was just found there', async () => {
		lacks('getShipment', { message: 'No order' });
		sandbox.fault({ operation: 'getShipment', kind: 'latency', ms: 200 });
		const { items, errorItems } = await run(get('ANT', '={{ $json.id }}'), [
			{ id: 1001 },
			{ id: 1002 },
		]);
		expect(errorItems).toEqual([]);
		expect(items.map(({ json }) => json.id)).toEqual([1001, 1002]);
	});
});

describe('A batch', () => {
	useService();
	// Without automatic mapping, which leaves out the order ID.
	const form = { ...creationForm(), shipment: { value: '={{ $json }}' } };
	const create = async (more: IDataObject) =>
		run(form, [orderItem('B-1', { orderId: 501 }), orderItem('B-2', more)]);
	const read = async (options: IDataObject, more: INodeParameters = {}) =>
		(await run(getBatch(75, { options, ...more } as INodeParameters))).items;
	const files = { downloadLabels: true, downloadOrders: true };

	test('has one item per order, with its ID and the number as text', async () => {
		await create({ serviceType: 'ANT-POINT', branchId: 'NOWHERE' });
		const items = await read({ output: 'orders' });
		const orders = sandbox.database.batches().at(-1)?.orders ?? [];
		expect(items.map(({ json }) => json)).toEqual(
			orders.map((order) => ({ ...order, batchId: 75 })),
		);
		expect(items.map(({ json }) => json.success)).toEqual([true, false]);
		expect(items[0]?.json.packageNumberCarrier).toMatch(/^0012345\d{15}$/);
	});

	test('has its labels and its orders as PDF files, on the first item', async () => {
		await create({ orderId: 501 });
		const [batch] = await read(files);
		expect(batch?.binary?.data?.fileName).toMatch(/^labels-ANT-batch-75-[\d-]+\.pdf$/);
		expect(batch?.binary?.orders?.fileName).toMatch(/^orders-ANT-batch-75-[\d-]+\.pdf$/);
		expect(batch?.json.ordersUrl).toContain('/files/job/');
		const labels = Buffer.from(batch?.binary?.data?.data ?? '', 'base64');
		expect(readLabelsPdf(labels)).toHaveLength(2);
		const orders = await read({ downloadLabels: true, output: 'orders' });
		expect(orders.map(({ binary }) => Object.keys(binary ?? {}))).toEqual([['data'], []]);
	});

	test('says why a file is missing', async () => {
		await create({ orderId: 501 });
		sandbox.fault({ operation: 'labelFile', kind: 'html' });
		const [{ binary, json } = { json: {} as IDataObject }] = await read({ downloadLabels: true });
		expect(binary).toBeUndefined();
		expect(json.labelsNotDownloaded).toBe('The service returned a web page instead of a PDF file');
		const { items } = await run(getBatch(71, { options: files } as never));
		expect(items[0]?.json.ordersNotDownloaded).toBe('Batch 71 has no file with its orders');
	});
});
