import { dialectNames, startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { startEngine } from '../support/engine';
import { announcedFields, fieldsOf, jsonOf, keysOf, linksOf, valuesOf } from '../support/outputs';
import { SERVICE_KINDS, SERVICES } from '../support/services';
import { creationForm, orderItem, orderOf, ordersOf, refusedOrder } from '../support/shop';
import { useShop } from '../support/useShop';

const shop = useShop();
const creations = () => shop.requests('createShipments');
const STOP = { onError: 'stopWorkflow' } as const;
const NO_POINT = 'Unknown pickup point "NOWHERE"';

test('an order becomes a shipment with its batch and its labels', async () => {
	const { items } = await shop.create([orderItem('A-1', { shopOrderId: 5042 })]);
	const [batch] = shop.sandbox.database.batches();
	expect(linksOf(items)).toEqual([0]);
	expect(items[0]?.json).toMatchObject({
		...{ id: 1001, packageNumberCustom: 'A-1', carrierCode: 'ANT', serviceType: 'ANT-HOME' },
		...{ batchId: batch?.id, labelsUrl: batch?.labelsUrl, labelsHash: batch?.labelsHash },
		packageNumberCarrier: '0012345000000000001001',
		trackingUrl: expect.stringContaining('0012345000000000001001'),
		labelUrl: `${shop.sandbox.url}/files/shipment/1001`,
		correlationId: creations()[0]?.correlationId,
		...{ statusCode: 200, message: 'Created', alreadyExisted: false, recovered: false },
		...{ recName: 'Recipient of A-1', codPrice: null, codCurrency: null },
	});
	expect(Object.keys(items[0]?.json ?? {}).slice(0, 4)).toEqual([
		...['packageNumberCustom', 'packageNumberCarrier', 'carrierCode', 'trackingUrl'],
	]);
	expect(keysOf(items)).toEqual(announcedFields('shipment/create'));
});

test('250 orders are sent in three requests, and each shipment is linked to its own order', async () => {
	const references = Array.from({ length: 250 }, (_, index) => `BULK-${index}`);
	const { items } = await shop.create(ordersOf(...references));
	expect(creations().map(({ body }) => (body as unknown[]).length)).toEqual([100, 100, 50]);
	expect(linksOf(items)).toEqual([...references.keys()]);
	expect(valuesOf(items, 'packageNumberCustom')).toEqual(references);
});

test('each carrier gets one request and one batch, and an order of three pieces gives three items', async () => {
	const pieces = { pieceCount: 3 };
	const orders = [orderOf('ANT', 'A-1'), orderOf('BEAVER', 'B-1'), orderOf('ANT', 'A-2', pieces)];
	const { items } = await shop.create(orders);
	expect(creations()).toHaveLength(2);
	const carriers = shop.sandbox.database.batches().map(({ carrierCode }) => carrierCode);
	expect(carriers.sort()).toEqual(['ANT', 'BEAVER']);
	expect(linksOf(items)).toEqual([0, 1, 2, 2, 2]);
	expect(fieldsOf(items, 'packageNumberCustom', 'pieceIndex')).toEqual([
		...[['A-1', 0], ['B-1', 0], ...[0, 1, 2].map((index) => ['A-2', index])],
	]);
});

describe('A refused order', () => {
	const orders = [orderItem('A-1'), orderItem('A-2', { recPhone: '777' }), refusedOrder('A-3')];

	test('leaves through the error output with its fields and the reason', async () => {
		const { items, errorItems, hints } = await shop.create(orders);
		expect([valuesOf(items, 'packageNumberCustom'), linksOf(items)]).toEqual([['A-1'], [0]]);
		const details = {
			carrierErrors: NO_POINT,
			statusCode: 400,
			correlationId: creations()[0]?.correlationId,
			packageNumberCustom: 'A-3',
		};
		expect(errorItems).toEqual([
			{
				json: {
					...orders[1],
					error: expect.stringContaining('Invalid Recipient Phone: "777"'),
					message: expect.any(String),
					details: {
						packageNumberCustom: 'A-2',
						problems: [expect.objectContaining({ field: 'recPhone' })],
					},
				},
				pairedItem: [{ item: 1 }],
			},
			{
				json: {
					...orders[2],
					error: NO_POINT,
					message: expect.stringContaining('Correct the values'),
					details: expect.objectContaining(details),
				},
				pairedItem: [{ item: 2 }],
			},
		]);
		expect(hints).toEqual([
			'1 shipment created.',
			`2 items failed. A-2: Invalid Recipient Phone: "777". See the 'Error' output.`,
		]);
	});
});

test('an error of a whole request appears once, with the numbers of its orders', async () => {
	const fault = { kind: 'status', status: 400, body: { message: 'Maintenance' } } as const;
	shop.fault('createShipments', { ...fault, skip: 1, times: 2 });
	const orders = [orderOf('BEAVER', 'A-0'), ...ordersOf('A-1', 'A-2', 'A-3')];
	const more = { ...STOP, limits: { maxParallelRequests: 1 } };
	const { error } = await shop.create(orders, {}, more);
	expect(error?.message).toBe('A-1, A-2, A-3: The provider said: Maintenance');
	expect(error?.description).toMatch(/^Correct the values .* These shipments exist .*: A-0 \(/);
	expect(error?.description).not.toMatch(/Item|A-[123]/);

	shop.fault('createShipments', { ...fault, times: 1 });
	const { errorItems } = await shop.create(ordersOf('A-1', 'A-2'));
	expect(jsonOf(errorItems)).toMatchObject([
		{ details: { packageNumberCustom: 'A-1' } },
		{ details: { packageNumberCustom: 'A-2' } },
	]);
});

describe('The same number on two orders', () => {
	test('that differ is refused before any request, and named once', async () => {
		const corrected = orderItem('SAME', { recStreet: 'Nová 1', price: 2 });
		const orders = [...ordersOf('SAME', 'OTHER'), corrected];
		const refused = '2 items have the same Order Number "SAME", but not the same values';
		const { error } = await shop.create(orders, {}, STOP);
		expect(error?.message).toBe(`Nothing was sent, although 1 of 3 items is fine. ${refused}`);
		expect(error?.description).not.toContain('SAME');
		expect([...creations(), ...shop.requests('findShipments')]).toEqual([]);
		const { items, errorItems } = await shop.create(orders);
		expect([linksOf(items), linksOf(errorItems)]).toEqual([[1], [0, 2]]);
		expect(valuesOf(errorItems, 'error')).toEqual([refused, refused]);
	});
});

describe.each(dialectNames)('A service of the %s dialect', (dialect) => {
	const own = useShop({ dialect });
	const amount = { cod: true, codPrice: 1290, codCurrency: 'CZK', vs: '1' };

	test('collects cash on delivery of several pieces once, and it is in the output once', async () => {
		const orders = [orderItem('A-1', { ...amount, pieceCount: 3 })];
		const { items } = await own.create(orders);
		expect(valuesOf(items, 'codPrice')).toEqual([1290, null, null]);
		const again = await own.create(orders);
		expect(valuesOf(again.items, 'codPrice')).toEqual([1290, null, null]);
	});

	test('creates two shipments for an exchange: both are output, printed, and never canceled as duplicates', async () => {
		const exchange = { additionalFields: '{ "exchangeOrder": true }' };
		const options = { ...exchange, printerName: 'Warehouse Zebra' };
		const printedOn = 'Warehouse Zebra';
		const { items } = await own.create([orderItem('A-1', { pieceCount: 2 })], options);
		expect(fieldsOf(items, 'id', 'alreadyExisted', 'printedOn')).toEqual(
			// The first pieces of both, then the second ones.
			[1001, 1003, 1002, 1004].map((id) => [id, false, printedOn]),
		);
		const [{ shipmentIds } = { shipmentIds: [] }] = own.sandbox.database.printJobs();
		expect([...shipmentIds].sort()).toEqual([1001, 1002, 1003, 1004]);
		own.fault(dialect === 'interface' ? 'createShipments' : 'createShipmentsOfCarrier', {
			kind: 'reset',
			when: 'after',
		});
		const lost = await own.create(ordersOf('B-1'), exchange);
		expect(fieldsOf(lost.items, 'id', 'recovered')).toEqual([[1005, true]]);
		expect(lost.items[0]?.json.duplicates).toMatchObject([{ id: 1006 }]);
		expect(own.livingIds()).toHaveLength(6);
	});
});

describe('A hint names', () => {
	test('both amounts, if the second parcel of an order collects one as well', async () => {
		const cod = { cod: true, codPrice: 500, codCurrency: 'CZK' };
		const items = ['A-1', 'A-1-2', 'B-1-2'].map((number) => orderItem(number, cod));
		await shop.create([...items.slice(0, 1), orderItem('C-1')]);
		const both = expect.stringContaining('A-1-2 collects 500 CZK, and A-1 already collects 500');
		const later = [...items.slice(1), orderItem('C-1-2', cod)];
		const dry = await shop.create(later, { dryRun: true });
		expect(dry.hints).toEqual(['Nothing was sent: 3 would be created.', both]);
		expect((await shop.create(later)).hints).toEqual(['3 shipments created.', both]);
		expect((await shop.create([orderItem('A-1-3')])).hints).toEqual(['1 shipment created.']);
	});

	test('a service without pickup points that gets an order to one', async () => {
		const home = orderItem('A-1', { branchId: 'P-001' });
		const point = orderItem('A-2', { branchId: 'P-001', serviceType: 'ANT-POINT' });
		const { hints } = await shop.create([home, point]);
		expect(hints.slice(1)).toEqual([
			expect.stringContaining(
				'ANT-HOME of ANT has no pickup points, but these orders go to one: A-1.',
			),
		]);
		const elsewhere = orderOf('CRANE', 'A-3', { branchId: 'P-001' });
		expect((await shop.create([elsewhere])).hints.slice(1)).toEqual([]);
	});
});

describe('An order that exists', () => {
	const withCod = orderItem('A-1', { cod: true, codPrice: 1290, codCurrency: 'CZK' });
	const EXISTS = 'A shipment of order "A-1" already exists at ANT (ID 1001)';

	test.each([
		['and was corrected', withCod, {}, `${EXISTS}, but without Cash on Delivery 1290.00 CZK`],
		[
			'at another carrier',
			orderOf('CRANE', 'A-1'),
			{},
			`${EXISTS}, but with Carrier ANT instead of CRANE, with Service ANT-HOME instead of CRANE-EU`,
		],
	])('fails %s, and the error says why', async (_, order, options, message) => {
		await shop.create(ordersOf('A-1'));
		const { items, errorItems } = await shop.create([order], options);
		expect([items, valuesOf(errorItems, 'error')]).toEqual([[], [message]]);
		expect(shop.shipments()).toHaveLength(1);
	});

	test('is found however old its shipment is, unless it comes with others', async () => {
		shop.sandbox.seedShipments(1, { ...orderItem('A-9'), hoursAgo: 24 * 90 });
		const { items } = await shop.create(ordersOf('A-9'));
		expect(fieldsOf(items, 'id', 'alreadyExisted')).toEqual([[1001, true]]);
		const several = await shop.create(ordersOf('A-9', 'B-9'));
		expect(fieldsOf(several.items, 'id', 'alreadyExisted')).toEqual([
			[1002, false],
			[1003, false],
		]);
	});
});

test.each(SERVICE_KINDS)(
	'A corrected order is compared with the detail (%s service)',
	async (kind) => {
		const sandbox = await startSandbox(SERVICES[kind]);
		const engine = await startEngine(sandboxCredential(sandbox.url));
		const order = orderItem('A-1', { serviceType: 'ANT-POINT', branchId: 'P-001' });
		const create = async (more = {}) =>
			engine.run({ parameters: creationForm(), items: [{ ...order, ...more }] });
		await create();
		const again = await create();
		expect(valuesOf(again.items, 'alreadyExisted')).toEqual([true]);
		const messages = [];
		for (const correction of [{ recName: 'Eva Nová' }, { recPhone: '+420777123457' }]) {
			messages.push((await create(correction)).error?.message);
		}
		await sandbox.close();
		expect(messages).toEqual([
			expect.stringContaining('(ID 1001), but with Recipient Name'),
			expect.stringMatching(/but with Recipient Phone \+420777123456 instead of \+420777123457/),
		]);
	},
);

test('an order of three pieces ends with three, whichever name its carrier reads their number by', async () => {
	const sandbox = await startSandbox({ dialect: 'documented' });
	const engine = await startEngine(sandboxCredential(sandbox.url));
	const items = ['ANT', 'CRANE'].map((carrier) => orderOf(carrier, carrier, { pieceCount: 3 }));
	const { items: pieces } = await engine.run({ parameters: creationForm(), items });
	expect(valuesOf(pieces, 'packageNumberCustom')).toEqual([
		...['ANT', 'ANT', 'ANT'],
		...['CRANE', 'CRANE', 'CRANE'],
	]);
	expect(sandbox.database.shipments()).toHaveLength(6);
	await sandbox.close();
});
