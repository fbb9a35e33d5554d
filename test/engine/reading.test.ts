// The operations that only read, at providers that respond in different ways.
import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { announcedFields, jsonOf, keysOf, linksOf, valuesOf } from '../support/outputs';
import { SERVICE_KINDS, SERVICES } from '../support/services';

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

/** Starts a provider with five shipments in the batches 71 to 74, the last one of three pieces. */
function useProvider(options: SandboxOptions = {}): void {
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
	});
	afterAll(() => sandbox.close());
}

/** The item says the carrier of an ID. */
const run = async (parameters: INodeParameters, items: IDataObject[] = [{ carrierCode: 'ANT' }]) =>
	engine.run({ parameters, items, onError: 'continueErrorOutput' });

const many = (resource: string, filters: IDataObject = {}, more: INodeParameters = {}) =>
	({ resource, operation: 'getAll', returnAll: true, filters, ...more }) as INodeParameters;
type Value = INodeParameters[string];
const readOf = (resource: string, operation: string, more: INodeParameters): INodeParameters => ({
	...{ resource, operation, ...more },
});
const get = (shipmentIds: Value) => readOf('shipment', 'get', { shipments: 'ids', shipmentIds });
const getBatch = (batchId: Value) => readOf('batch', 'get', { batchId });
const getServices = (carrierCode: Value) => readOf('carrier', 'getServices', { carrierCode });

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
	many('pickupPoint', filters, { carrierCode: 'ANT', ...more });
const fromList = (value: string) => ({ mode: 'list', value, __rl: true, cachedResultName: 'x' });
const isoDay = '={{ DateTime.fromISO("2026-11-20T12:00:00Z") }}';

describe.each(SERVICE_KINDS)('At the %s provider are found', (kind) => {
	useProvider(SERVICES[kind]);

	test.each<[string, INodeParameters, unknown[]]>([
		['main shipments, newest first', many('shipment', main), MAIN],
		['all pieces', many('shipment', { onlyMaster: false }), ['PIECES', 'PIECES', ...MAIN]],
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
		['shipments by order ID', many('shipment', { orderId: '={{ "502" }}' }), ['DODO-1']],
		['shipments by status', many('shipment', { status: 'NotPicked', ...main }), TODAY.slice(0, 2)],
		['shipments since a day', many('shipment', { createdFrom: isoDay, ...main }), TODAY],
		['batches, newest first', many('batch'), [74, 73, 72, 71]],
		['batches by carrier', many('batch', { carrierCodes: ['DODO', 'OWL'] }), [73]],
		['pickup points by country', points({ country: 'sk' }), ['P-101']],
		['a shipment with all of its pieces', get('1005'), ['PIECES', 'PIECES', 'PIECES']],
		['services of a carrier from the list', getServices(fromList('SNAIL')), ['SNAIL-PALLET']],
	])('%s', async (_, parameters, names) => {
		const { items, errorItems } = await run(parameters);
		expect([errorItems, items.map(nameOf)]).toEqual([[], names]);
	});
});

/** Each operation with the endpoint that it calls. */
const operations: Array<[string, Fault['operation'], INodeParameters, unknown[]]> = [
	['shipment/getAll', 'findShipments', many('shipment', main), MAIN],
	['shipment/get', 'getShipment', get(1003), ['COD']],
	['batch/getAll', 'findBatches', many('batch'), [74, 73, 72, 71]],
	['batch/get', 'getBatch', getBatch(72), [72]],
	['carrier/getAll', 'findCarriers', many('carrier'), CARRIERS],
	[
		'carrier/getServices',
		'findServices',
		getServices('BEAVER'),
		['BEAVER-PARCEL', 'BEAVER-LETTER'],
	],
	['printer/getAll', 'findPrinters', many('printer'), PRINTERS],
	[
		'pickupPoint/getAll',
		'findPickupPoints',
		points({ branchType: 'Branch' }),
		['P-001', 'P-002', 'P-101'],
	],
];
type Response = { result: IDataObject[] | { data: IDataObject[] } | IDataObject };
const recordsOf = ({ result }: Response): IDataObject[] =>
	[(result as { data: IDataObject[] }).data ?? result].flat();

describe.each(dialectNames)('At a provider in the %s dialect', (dialect) => {
	useProvider({ dialect });
	// The documented provider has no other path for the detail of a shipment.
	const ofDialect = operations.map(([name, operation, ...rest]): (typeof operations)[number] => {
		const isShort = dialect === 'documented' && operation === 'getShipment';
		return [name, isShort ? 'getShipmentShort' : operation, ...rest];
	});
	const requestCount = (operation: string) =>
		sandbox.requests.filter(
			({ operationId, status }) => operationId === operation && status === 200,
		).length;

	test.each(ofDialect)(
		'%s returns the announced fields for each item, from one request that is repeated if it fails',
		async (name, operation, parameters, names) => {
			sandbox.fault({ operation, kind: 'rateLimit', retryAfter: '0' });
			const { items, errorItems } = await run(parameters, [{}, {}]);
			expect([errorItems, items.map(nameOf)]).toEqual([[], [...names, ...names]]);
			expect(linksOf(items)).toEqual([...names.map(() => 0), ...names.map(() => 1)]);
			// Only shipments of several pieces have this field, at providers that send it.
			const fields = keysOf(items).filter((field) => field !== 'pieceCount');
			expect(fields).toEqual(announcedFields(name));
			expect(requestCount(operation)).toBe(1);
			if (!name.endsWith('/getAll')) return;
			const limited = await run({ ...parameters, returnAll: false, limit: 2 });
			expect(limited.items.map(nameOf)).toEqual(names.slice(0, 2));
		},
	);

	test.each(ofDialect.filter(([name]) => !/carrier|printer/.test(name)))(
		'%s without Simplify returns the records of the provider, unknown fields included',
		async (_, operation, parameters) => {
			let sent: IDataObject[] = [];
			const rewrite = (response: Response) => {
				sent = recordsOf(response).map((each) => Object.assign(each, { colour: { name: 'blue' } }));
				return response;
			};
			sandbox.fault({ operation, kind: 'body', rewrite: rewrite as never });
			const { items } = await run({ ...parameters, simplify: false });
			expect(jsonOf(items)).toEqual(sent);
			expect(sent[0]?.colour).toEqual({ name: 'blue' });
		},
	);

	test('items with errors do not affect the others, or stop the run', async () => {
		const [orderId, createdFrom] = ['={{ $json.id }}', '={{ $json.from }}'];
		const parameters = many('shipment', { orderId, createdFrom });
		const items = [{ id: 502 }, { id: 'WEB-0501' }, { from: '20.11.2026' }];
		const outcomes = [
			'DODO-1',
			'Invalid Order ID: "WEB-0501"',
			'Invalid Created From: "20.11.2026"',
		];
		const continued = await engine.run({ parameters, items, onError: 'continueRegularOutput' });
		expect(continued.items.map(nameOf)).toEqual(outcomes);
		expect(linksOf(continued.items)).toEqual([0, 1, 2]);
		const branched = await run(parameters, items);
		expect([linksOf(branched.items), linksOf(branched.errorItems)]).toEqual([[0], [1, 2]]);
		const { error, items: output } = await engine.run({ parameters, items });
		expect([output, error?.message]).toEqual([[], `Item 1: ${outcomes[1]}`]);
	});

	test('a shipment has its numbers as text, its recipient and its status', async () => {
		const { items } = await run({ ...get(1003), simplify: true });
		const { packageNumberCarrier = '' } = sandbox.database.shipments()[2] ?? {};
		expect(packageNumberCarrier).toMatch(/^00/);
		expect(items[0]?.json).toEqual({
			...{ id: 1003, carrierCode: 'ANT', packageNumberCarrier, packageNumberCustom: 'COD' },
			...{ recName: 'Recipient 1', status: expect.stringMatching(/ /) },
			...{ statusCategory: 'TransitCarrier', delivered: false, canceled: false },
			trackingUrl: expect.stringContaining(packageNumberCarrier),
		});
		const listed = await run(many('shipment', { search: 'COD' }));
		expect(listed.items[0]?.json).toEqual(items[0]?.json);
	});
});

describe.each([
	['interface', 404],
	['documented', 405],
] as const)('A provider in the %s dialect without all lists', (dialect, status) => {
	useProvider({ dialect, withoutExtras: true });
	test.each([
		['printers', many('printer')],
		['pickup points', points({})],
		['hand-overs', many('handOver')],
	])('says that it does not offer %s', async (name, parameters) => {
		const { errorItems } = await run(parameters);
		const message = `This provider does not offer: List ${name} (${status})`;
		expect(valuesOf(errorItems, 'error')).toEqual([message]);
	});
});
