import { announcedFields, fieldsOf, keysOf, linksOf, valuesOf } from '../support/outputs';
import { SERVICE_KINDS, SERVICES } from '../support/services';
import { orderItem, orderOf, ordersOf, refusedOrder } from '../support/shop';
import { useShop } from '../support/useShop';

const shop = useShop();
const creations = () => shop.requests('createShipments');
const STOP = { onError: 'stopWorkflow' } as const;
const NO_POINT = 'Unknown pickup point "NOWHERE"';
const cod = { cod: true, codPrice: 500, codCurrency: 'CZK', vs: '1' };

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

test('each carrier gets one request and one batch, and an order of three pieces gives three items, of which one collects', async () => {
	const pieces = { pieceCount: 3, ...cod };
	const orders = [orderOf('ANT', 'A-1'), orderOf('BEAVER', 'B-1'), orderOf('ANT', 'A-2', pieces)];
	const { items } = await shop.create(orders);
	expect(creations()).toHaveLength(2);
	const carriers = shop.sandbox.database.batches().map(({ carrierCode }) => carrierCode);
	expect(carriers.sort()).toEqual(['ANT', 'BEAVER']);
	expect(linksOf(items)).toEqual([0, 1, 2, 2, 2]);
	expect(fieldsOf(items, 'packageNumberCustom', 'pieceIndex', 'codPrice')).toEqual([
		...[
			['A-1', 0, null],
			['B-1', 0, null],
			['A-2', 0, 500],
			['A-2', 1, null],
			['A-2', 2, null],
		],
	]);
});

test('a refused order leaves through the error output with its fields and the reason', async () => {
	const orders = [orderItem('A-1'), orderItem('A-2', { recPhone: '777' }), refusedOrder('A-3')];
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

test('an error of a whole request appears once, with the numbers of its orders', async () => {
	const fault = { kind: 'status', status: 400, body: { message: 'Maintenance' } } as const;
	shop.fault('createShipments', { ...fault, skip: 1 });
	const orders = [orderOf('BEAVER', 'A-0'), ...ordersOf('A-1', 'A-2', 'A-3')];
	const { error } = await shop.create(orders, {}, { ...STOP, limits: { maxParallelRequests: 1 } });
	expect(error?.message).toBe('A-1, A-2, A-3: The provider said: Maintenance');
	expect(error?.description).toMatch(/^Correct the values .* These shipments exist .*: A-0 \(/);
	expect(error?.description).not.toMatch(/Item|A-[123]/);
});

test('one order number on two items that differ is refused before any request, and named once', async () => {
	const corrected = orderItem('SAME', { recStreet: 'Nová 1', price: 2 });
	const { error } = await shop.create([...ordersOf('SAME', 'OTHER'), corrected], {}, STOP);
	expect(error?.message).toBe(
		'1 valid item was not sent. 2 items have the same Order Number "SAME", but not the same values',
	);
	expect(error?.description).not.toContain('SAME');
	expect([...creations(), ...shop.requests('findShipments')]).toEqual([]);
});

test('an exchange creates two shipments: both are output, printed, and never canceled as duplicates', async () => {
	const exchange = { additionalFields: '{ "exchangeOrder": true }' };
	const printedOn = 'Warehouse Zebra';
	const orders = [orderItem('A-1', { pieceCount: 2 })];
	const { items } = await shop.create(orders, { ...exchange, printerName: printedOn });
	expect(fieldsOf(items, 'id', 'alreadyExisted', 'printedOn')).toEqual(
		// The first pieces of both, then the second ones.
		[1001, 1003, 1002, 1004].map((id) => [id, false, printedOn]),
	);
	shop.fault('createShipments', { kind: 'reset', when: 'after' });
	const lost = await shop.create(ordersOf('B-1'), exchange);
	expect(fieldsOf(lost.items, 'id', 'recovered')).toEqual([[1005, true]]);
	expect(lost.items[0]?.json.duplicates).toMatchObject([{ id: 1006 }]);
	expect(shop.livingIds()).toHaveLength(6);
});

describe('A hint names', () => {
	test('both amounts, if the second parcel of an order collects one as well', async () => {
		await shop.create([orderItem('A-1', cod), orderItem('C-1')]);
		const both = expect.stringContaining('A-1-2 collects 500 CZK, and A-1 already collects 500');
		const later = ['A-1-2', 'B-1-2', 'C-1-2'].map((number) => orderItem(number, cod));
		const dry = await shop.create(later, { dryRun: true });
		expect(dry.hints).toEqual(['Nothing was sent: 3 would be created.', both]);
		expect((await shop.create(later)).hints).toEqual(['3 shipments created.', both]);
	});

	test('a service without pickup points that gets an order to one', async () => {
		const toPoint = { branchId: 'P-001' };
		const orders = [
			orderItem('A-1', toPoint),
			orderItem('A-2', { ...toPoint, serviceType: 'ANT-POINT' }),
			orderOf('CRANE', 'A-3', toPoint),
		];
		expect((await shop.create(orders)).hints.slice(1)).toEqual([
			expect.stringContaining(
				'ANT-HOME of ANT has no pickup points, but these orders go to one: A-1.',
			),
		]);
	});
});

describe.each(SERVICE_KINDS)('An order that exists (%s)', (kind) => {
	const own = useShop(SERVICES[kind]);

	test('is compared, and if it was corrected or is at another carrier, it fails and the error says why', async () => {
		const order = orderItem('A-1', { serviceType: 'ANT-POINT', branchId: 'P-001' });
		await own.create([order]);
		expect(valuesOf((await own.create([order])).items, 'alreadyExisted')).toEqual([true]);
		for (const [correction, message] of [
			[{ recName: 'Eva Nová' }, 'Recipient Name: '],
			[{ recPhone: '+420777123457' }, 'Recipient Phone: +420777123456 (order: +420777123457)'],
			[orderOf('CRANE', 'A-1'), 'Carrier: ANT (order: CRANE), Service: '],
		] as const) {
			const { items, errorItems } = await own.create([{ ...order, ...correction }]);
			expect([items, valuesOf(errorItems, 'error')]).toEqual([
				[],
				[
					expect.stringContaining(
						`A shipment of order "A-1" already exists at ANT (ID 1001) but differs. ${message}`,
					),
				],
			]);
		}
		expect(own.shipments()).toHaveLength(1);
	});
});

test('an order is found however old its shipment is, unless it comes with others', async () => {
	shop.sandbox.seedShipments(1, { ...orderItem('A-9'), hoursAgo: 24 * 90 });
	const { items } = await shop.create(ordersOf('A-9'));
	expect(fieldsOf(items, 'id', 'alreadyExisted')).toEqual([[1001, true]]);
	const several = await shop.create(ordersOf('A-9', 'B-9'));
	expect(fieldsOf(several.items, 'id', 'alreadyExisted')).toEqual([
		[1002, false],
		[1003, false],
	]);
});
