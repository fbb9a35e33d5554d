import type { AxiosInstance } from 'axios';
import { type Sandbox, startSandbox } from '../../sandbox';
import type {
	CreatedShipment,
	CreationEnvelope,
	ShipmentCreation,
} from '../../sandbox/contract.generated';
import { clientOf, shipment } from './client';

let sandbox: Sandbox;
let client: AxiosInstance;

beforeAll(async () => {
	sandbox = await startSandbox();
	client = clientOf(sandbox);
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

async function create(...shipments: Array<Partial<ShipmentCreation>>): Promise<CreationEnvelope> {
	const response = await client.post('/Package/Create', shipments.map(shipment));
	expect(response.status).toBe(200);
	return response.data as CreationEnvelope;
}

async function carrierErrorsOf(
	fields: Partial<ShipmentCreation>,
): Promise<CreatedShipment['carrierErrors'] | undefined> {
	const { result } = await create(fields);
	expect(result).toHaveLength(1);
	expect(result[0]).toMatchObject({ id: 0, packageNumberCarrier: '', statusCode: 400 });
	return result[0]?.carrierErrors;
}

test('creates a shipment and its batch', async () => {
	const { result, ...envelope } = await create({ orderId: 502 });
	expect(result).toMatchObject([
		{
			packageNumberCarrier: expect.stringMatching(/^0012345\d{15}$/),
			packageNumberCustom: 'ORDER-1',
			orderId: 502,
			orderNumber: 'WEB-0502',
			statusCode: 200,
			carrierErrors: null,
		},
	]);
	expect(envelope).toMatchObject({ packagesCount: 1, labelsHash: expect.any(String) });
	expect(envelope.ordersHash).not.toBe(envelope.labelsHash);

	const batch = await client.get(`/Batch/${envelope.batchId}`);
	expect(batch.data.result).toMatchObject({
		id: envelope.batchId,
		carrierCode: 'ANT',
		ordersCount: 1,
		packagesCount: 1,
		errorsCount: 0,
		labelsHash: envelope.labelsHash,
		created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+$/),
		orders: [
			{ id: result[0]?.id, orderId: 502, orderDeliveryName: 'Jana Nováková', success: true },
		],
	});
});

test('each shipment of a request succeeds or fails on its own, in the same batch', async () => {
	const envelope = await create(
		{ packageNumberCustom: 'A' },
		{ packageNumberCustom: 'B', recStreet: '' },
		{ packageNumberCustom: 'C' },
	);
	expect(envelope.result.map((row) => [row.packageNumberCustom, row.statusCode])).toEqual([
		['A', 200],
		['B', 400],
		['C', 200],
	]);
	expect(envelope.packagesCount).toBe(2);
	const [batch] = sandbox.database.batches();
	expect(batch).toMatchObject({ ordersCount: 3, packagesCount: 2, errorsCount: 1 });
	expect(batch?.orders?.[1]).toMatchObject({ success: false, message: 'recStreet is missing' });
});

test('a batch with only refused shipments has no labels', async () => {
	const envelope = await create({ recCity: '' });
	expect(envelope).toMatchObject({ labelsUrl: null, labelsHash: null, packagesCount: 0 });
	expect(sandbox.database.shipments()).toEqual([]);
});

test('three pieces are three shipments, and the first is the main shipment', async () => {
	const { result } = await create({ pieceCount: 3 });
	expect(result.map((row) => row.pieceIndex)).toEqual([0, 1, 2]);
	expect(new Set(result.map((row) => row.packageNumberCarrier)).size).toBe(3);
	const mainId = result[0]?.id;
	expect(sandbox.database.shipments().map((piece) => piece.mainId)).toEqual([
		mainId,
		mainId,
		mainId,
	]);
});

test('piece numbers can start at one', async () => {
	const other = await startSandbox({ firstPieceIndex: 1 });
	const response = await clientOf(other).post('/Package/Create', [shipment({ pieceCount: 2 })]);
	await other.close();
	expect(response.data.result.map((row: { pieceIndex: number }) => row.pieceIndex)).toEqual([1, 2]);
});

test('sending the same reference twice creates two shipments, because the service does not compare references', async () => {
	await create({ packageNumberCustom: 'SAME' });
	await create({ packageNumberCustom: 'SAME' });
	expect(sandbox.database.shipments()).toHaveLength(2);
});

test('accepts fields that the interface document does not list', async () => {
	await create({ carrierSpecific: { color: 'red' } } as Partial<ShipmentCreation>);
	expect(sandbox.database.shipments()[0]?.input).toMatchObject({
		carrierSpecific: { color: 'red' },
	});
});

test.each<[string, Partial<ShipmentCreation>, RegExp]>([
	['an unknown service', { serviceType: 'NOPE' }, /Unknown service "NOPE"/],
	['a carrier that is not activated', { serviceType: 'OWL-NIGHT' }, /OWL is not activated/],
	['no recipient', { recName: '' }, /recName or recCompany is missing/],
	['a phone with spaces', { recPhone: '+420 777 123 456' }, /recPhone must be a plus sign/],
	[
		'a country name instead of a code',
		{ recCountry: 'Czechia' },
		/recCountry must be a two-letter/,
	],
	['an email without @', { recEmail: 'jana' }, /recEmail is not an email address/],
	[
		'a carrier that needs a phone',
		{ serviceType: 'CRANE-EU', recPhone: '' },
		/recPhone is missing/,
	],
	[
		'a sender address that the service does not accept',
		{ senderName: 'Me' },
		/does not accept a sender address/,
	],
	[
		'a cover address that the service does not accept',
		{ coverName: 'Me' },
		/does not accept a cover address/,
	],
	['cash on delivery without amount', { cod: true, codCurrency: 'CZK' }, /codPrice is missing/],
	['cash on delivery without currency', { cod: true, codPrice: 5 }, /codCurrency is missing/],
	['a cash-on-delivery service', { serviceType: 'ANT-COD' }, /codPrice is missing/],
	['no pickup point', { serviceType: 'ANT-POINT' }, /branchId is missing/],
	['an unknown pickup point', { serviceType: 'ANT-POINT', branchId: 'X' }, /Unknown pickup point/],
	['two pieces', { serviceType: 'BEAVER-PARCEL', pieceCount: 2 }, /accepts one piece only/],
	['an unknown order', { orderId: 9 }, /Order 9 does not exist/],
])('%s is refused with the error of the carrier', async (_case, fields, message) => {
	expect(await carrierErrorsOf(fields)).toMatch(message);
});

test.each<[string, Partial<ShipmentCreation>]>([
	[
		'a sender address',
		{ serviceType: 'ANT-RETURN', senderName: 'Me', senderPhone: '+420777000111' },
	],
	['a cover address', { serviceType: 'BEAVER-LETTER', coverName: 'Another Company' }],
	['a pickup point', { serviceType: 'ANT-POINT', branchId: 'P-002' }],
	['cash on delivery', { cod: true, codPrice: 10, codCurrency: 'CZK', vs: '0000012' }],
])('%s is accepted if the service supports it', async (_case, fields) => {
	const { result } = await create(fields);
	expect(result[0]).toMatchObject({ statusCode: 200, carrierErrors: null });
});

test('the carrier in the path only accepts its own services', async () => {
	const own = await client.post('/ANT/Create', [shipment()]);
	expect(own.data.result[0].statusCode).toBe(200);
	const foreign = await client.post('/BEAVER/Create', [shipment()]);
	expect(foreign.data.result[0].carrierErrors).toMatch(
		/ANT-HOME does not belong to carrier BEAVER/,
	);
	const unknown = await client.post('/UNKNOWN/Create', [shipment()]);
	expect(unknown).toMatchObject({
		status: 404,
		data: { message: 'There is no carrier "UNKNOWN"' },
	});
});

test.each([
	['the price as text', [{ ...shipment(), price: '12' }], /\/0\/price must be number/],
	['no reference', [{ serviceType: 'ANT-HOME', price: 1 }], /packageNumberCustom/],
	['one object instead of a list', shipment(), /must be array/],
	['an empty list', [], /contains no shipments/],
])('rejects a request with %s', async (_case, body, message) => {
	const response = await client.post('/Package/Create', body);
	expect(response.status).toBe(400);
	expect(response.data).toMatchObject({
		correlationId: expect.any(String),
		message: expect.stringMatching(message),
	});
	expect(sandbox.database.batches()).toEqual([]);
});

test('returns the error envelope for a body that is not JSON', async () => {
	const response = await client.post('/Package/Create', '[{', {
		headers: { 'Content-Type': 'application/json' },
	});
	expect(response.status).toBe(400);
	expect(response.data).toMatchObject({ correlationId: expect.any(String) });
});
