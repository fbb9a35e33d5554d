import { announcedFields, fieldsOf, linksOf, valuesOf } from '../support/outputs';
import { SERVICE_KINDS, SERVICES } from '../support/services';
import { orderItem, orderOf, ordersOf, refusedOrder } from '../support/shop';
import { useShop } from '../support/useShop';

const shop = useShop();
const creations = () => shop.requests('createShipments');
const STOP = { onError: 'stopWorkflow' } as const;
const NO_POINT = 'Unknown pickup point "NOWHERE"';

test('an order becomes a shipment with its batch and its labels', async () => {
	const { items } = await shop.create(ordersOf('A-1'));
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
	const names = Object.keys(items[0]?.json ?? {});
	expect(names.slice(0, 4)).toEqual([
		'packageNumberCustom',
		'carrierCode',
		'packageNumberCarrier',
		'trackingUrl',
	]);
	expect(names.sort()).toEqual(announcedFields('shipment/create'));
});

test('250 orders are sent in three requests, and each shipment is linked to its own order', async () => {
	const references = Array.from({ length: 250 }, (_, index) => `BULK-${index}`);
	const { items } = await shop.create(ordersOf(...references));
	expect(creations().map(({ body }) => (body as unknown[]).length)).toEqual([100, 100, 50]);
	expect(linksOf(items)).toEqual([...references.keys()]);
	expect(valuesOf(items, 'packageNumberCustom')).toEqual(references);
});

test('orders for the carriers A, B and A make one request and one batch per carrier', async () => {
	const orders = [orderOf('ANT', 'A-1'), orderOf('BEAVER', 'B-1'), orderOf('ANT', 'A-2')];
	const { items } = await shop.create(orders);
	expect(creations()).toHaveLength(2);
	const carriers = shop.sandbox.database.batches().map(({ carrierCode }) => carrierCode);
	expect(carriers.sort()).toEqual(['ANT', 'BEAVER']);
	expect(valuesOf(items, 'packageNumberCustom')).toEqual(['A-1', 'B-1', 'A-2']);
	expect(linksOf(items)).toEqual([0, 1, 2]);
});

test('one order of three pieces gives three outputs, all linked to it', async () => {
	const { items } = await shop.create([orderItem('A-1'), orderItem('A-2', { pieceCount: 3 })]);
	expect(linksOf(items)).toEqual([0, 1, 1, 1]);
	expect(valuesOf(items, 'pieceIndex')).toEqual([0, 0, 1, 2]);
});

describe('Of three orders, one is refused by the node and one by the carrier:', () => {
	const orders = [orderItem('A-1'), orderItem('A-2', { recPhone: '777' }), refusedOrder('A-3')];

	test('each leaves through the error output with its fields and the reason', async () => {
		const { items, errorItems, hints } = await shop.create(orders);
		expect(fieldsOf(items, 'packageNumberCustom')).toEqual([['A-1']]);
		expect(linksOf(items)).toEqual([0]);
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
					details: expect.objectContaining({
						carrierErrors: NO_POINT,
						statusCode: 400,
						correlationId: creations()[0]?.correlationId,
						packageNumberCustom: 'A-3',
					}),
				},
				pairedItem: [{ item: 2 }],
			},
		]);
		expect(hints).toEqual(["2 orders failed. See the 'Error' output."]);
	});

	test('with Stop, the first problem ends the workflow before anything is sent', async () => {
		const { error } = await shop.create(orders, {}, STOP);
		expect(error?.message).toContain('Invalid Recipient Phone: "777"');
		expect(creations()).toEqual([]);
	});
});

describe('A carrier that refuses orders', () => {
	test('ends the workflow under Stop, after all requests, and the error names all shipments', async () => {
		const orders = [orderItem('A-1'), refusedOrder('A-2'), orderItem('A-3'), refusedOrder('A-4')];
		const { error } = await shop.create(orders, { batchSize: 1, maxConcurrency: 1 }, STOP);
		// Without n8n's "[item 1]", which is the second order.
		expect(error?.message).toBe(`A-2: ${NO_POINT}`);
		expect(error?.description).toContain(
			'These shipments exist and are not created again: A-1 (ID 1001, ANT 0012345000000000001001), A-3 (ID 1002, ANT 0012345000000000001002).',
		);
		expect(error?.description).toContain('A-4: Unknown pickup point');
	});

	test('leaves nothing on the success branch if it refuses all of them', async () => {
		const { items, errorItems } = await shop.create([refusedOrder('A-1'), refusedOrder('A-2')]);
		expect(items).toEqual([]);
		expect(linksOf(errorItems)).toEqual([0, 1]);
	});
});

describe('The same number on two orders', () => {
	const corrected = orderItem('SAME', { recStreet: 'Nová 1', price: 2 });
	const orders = [...ordersOf('SAME', 'OTHER'), corrected];
	const REFUSED =
		'2 items have the same Order Number "SAME", but not the same Shipment Value, Recipient Street';

	test('that differ is refused before any request, naming once in what', async () => {
		const { error } = await shop.create(orders, {}, STOP);
		expect(error?.message).toBe(REFUSED);
		expect(error?.description).not.toContain('SAME');
		expect([...creations(), ...shop.requests('findShipments')]).toEqual([]);
	});

	test('that differ fails only these two under Continue', async () => {
		const { items, errorItems } = await shop.create(orders);
		expect([linksOf(items), linksOf(errorItems)]).toEqual([[1], [0, 2]]);
		expect(valuesOf(errorItems, 'error')).toEqual([REFUSED, REFUSED]);
	});

	test.each([false, true])(
		'that are identical gives one shipment, linked to both items; response lost: %s',
		async (isLost) => {
			if (isLost) shop.fault('createShipments', { kind: 'reset', when: 'after' });
			const same = ordersOf('SAME', 'OTHER', 'SAME');
			const { items, hints } = await shop.create(same);
			expect(shop.references()).toEqual(['SAME', 'OTHER']);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
				[{ item: 0 }, { item: 2 }],
				[{ item: 1 }],
			]);
			expect(hints).toContain(
				'An order came in several items: SAME. Each gets one shipment, which is linked to all of its items.',
			);
			const again = await shop.create(same);
			expect(again.items.map(({ pairedItem }) => [pairedItem].flat().length)).toEqual([2, 1]);
		},
	);

	test.each([
		['allCarriers', 0],
		['sameCarrier', 2],
	])('at two carriers, looking at %s, gives %i shipments', async (lookUpScope, expected) => {
		const two = [orderOf('ANT', 'SAME'), orderOf('BEAVER', 'SAME')];
		const { items } = await shop.create(two, { lookUpScope });
		expect([items.length, shop.shipments().length]).toEqual([expected, expected]);
	});

	test('is created twice under Create Another One, each linked to its own order', async () => {
		const two = [orderItem('SAME', { price: 1 }), orderItem('SAME', { price: 2 })];
		const { items } = await shop.create(two, { ifExists: 'create' });
		expect(linksOf(items)).toEqual([0, 1]);
		const priceOf = (id: unknown) => shop.shipments().find((each) => each.id === id)?.input.price;
		expect(valuesOf(items, 'id').map(priceOf)).toEqual([1, 2]);
	});
});

test('nothing is sent to a carrier if the look-up fails', async () => {
	shop.fault('findShipments', { kind: 'html', times: Infinity });
	const { errorItems } = await shop.create(ordersOf('A-1'));
	expect(errorItems[0]?.json.error).toContain('The service returned a web page instead of data');
	expect(creations()).toEqual([]);
});

describe.each(['rich', 'documented'] as const)('At a service with a %s list', (listRecords) => {
	const other = useShop({ listRecords });

	test('the same workflow gets all pieces of its existing shipments tomorrow', async () => {
		const orders = [orderItem('A-1', { pieceCount: 2 }), orderItem('A-2')];
		const first = await other.create(orders);
		other.sandbox.advance(24);
		const second = await other.create(orders);
		const fields = ['id', 'pieceIndex', 'packageNumberCarrier', 'trackingUrl', 'serviceType'];
		expect(fieldsOf(second.items, ...fields)).toEqual(fieldsOf(first.items, ...fields));
		expect(valuesOf(second.items, 'alreadyExisted')).toEqual([true, true, true]);
		expect(other.shipments()).toHaveLength(3);
		expect(second.hints[0]).toContain('2 shipments already existed');
	});
});

describe.each(SERVICE_KINDS)('At a %s service', (kind) => {
	const other = useShop(SERVICES[kind]);

	test('a corrected order to a pickup point fails, and everything is compared', async () => {
		const toPoint = { serviceType: 'ANT-POINT', branchId: 'P-001' };
		const order = orderItem('A-1', toPoint);
		await other.create([order]);
		const again = await other.create([order]);
		expect(valuesOf(again.items, 'alreadyExisted')).toEqual([true]);
		expect(again.hints.join()).not.toContain('not compared');
		const corrections = {
			recStreet: 'Nová 1',
			recName: 'Jan Novák',
			recPhone: '+420777123457',
			recEmail: 'jan@example.com',
			recZip: '60200',
		};
		for (const [field, value] of Object.entries(corrections)) {
			const { errorItems } = await other.create([{ ...order, [field]: value }]);
			expect(errorItems[0]?.json.error).toMatch(
				/ already exists, but with Recipient [^,]+ instead/,
			);
			expect(errorItems[0]?.json.error).toContain(value);
		}
		expect(other.shipments()).toHaveLength(1);
	});
});

describe('An order is created although the service has', () => {
	test.each([
		['a canceled shipment with its number', {}, {}],
		['a shipment that is older than the look-back', { hoursAgo: 24 * 9 }, { lookbackDays: 5 }],
		['a number of which its own is a part', { packageNumberCustom: 'A-11' }, {}],
		[
			'its number at another carrier, which does not count',
			{ serviceType: 'CRANE-EU' },
			{ lookUpScope: 'sameCarrier' },
		],
	])('%s', async (name, seed, options) => {
		const existing = { packageNumberCustom: 'A-1', recZip: '01001', ...seed };
		const [older] = shop.sandbox.seedShipments(1, existing);
		if (name.includes('canceled')) shop.sandbox.cancelShipment(older?.id ?? 0);
		const { items } = await shop.create(ordersOf('A-1'), options);
		expect(fieldsOf(items, 'id', 'alreadyExisted')).toEqual([[1002, false]]);
	});

	test('its number in a list that was requested for another carrier', async () => {
		shop.sandbox.seedShipments(1, { packageNumberCustom: 'A-1' });
		const asCrane = (list: unknown) =>
			JSON.parse(JSON.stringify(list).replaceAll('"ANT"', '"CRANE"'));
		shop.rewrite('findShipments', asCrane, { times: Infinity });
		const { items } = await shop.create(ordersOf('A-1'), { lookUpScope: 'sameCarrier' });
		expect(fieldsOf(items, 'id', 'alreadyExisted')).toEqual([[1002, false]]);
	});
});

describe('An order that exists', () => {
	const existing = { packageNumberCustom: 'A-1', recZip: '01001' };
	const again = async (order = orderItem('A-1'), options = {}) => {
		await shop.create(ordersOf('A-1'));
		const run = await shop.create([order], options);
		expect(shop.shipments()).toHaveLength(1);
		return run;
	};
	const withCod = orderItem('A-1', { cod: true, codPrice: 1290, codCurrency: 'CZK' });
	const REUSE = { ifDiffers: 'reuse' };

	test.each([
		[90, 1],
		[900, 4],
	])(
		'is found among %i shipments, with at most %i requests for three orders',
		async (others, most) => {
			shop.sandbox.seedShipments(1, { ...existing, hoursAgo: 24 * 9 });
			shop.sandbox.seedShipments(others);
			const options = { lookbackDays: 10, checkForDuplicates: false, ...REUSE };
			const { items } = await shop.create(ordersOf('A-1', 'A-2', 'A-3'), options);
			expect(valuesOf(items, 'alreadyExisted')).toEqual([true, false, false]);
			expect(shop.requests('findShipments').length).toBeLessThanOrEqual(most);
		},
	);

	test('fails under Fail the Item, naming the existing shipment', async () => {
		const { errorItems } = await again(undefined, { ifExists: 'fail' });
		expect(valuesOf(errorItems, 'error')).toEqual([
			'A shipment of order "A-1" already exists at ANT (ID 1001)',
		]);
	});

	test('and was corrected afterwards fails, naming what its shipment lacks', async () => {
		const { items, errorItems } = await again(withCod);
		expect(items).toEqual([]);
		expect(errorItems[0]?.json).toMatchObject({
			error: 'A shipment of order "A-1" already exists, but without Cash on Delivery 1290.00 CZK',
			message: expect.stringContaining('cancel this shipment with Shipment: Cancel, by ID'),
			details: { shipmentIds: [1001], carrierCode: 'ANT' },
		});
	});

	test('and was corrected comes back with the differences under Use the Existing One', async () => {
		const { items, hints } = await again(withCod, REUSE);
		expect(items[0]?.json).toMatchObject({
			id: 1001,
			alreadyExisted: true,
			differences: [{ field: 'cod', ordered: '1290.00 CZK', existing: null }],
		});
		expect(hints).toContain(
			'1 existing shipment differs from the order. See differences in the output.',
		);
	});

	test('at another carrier does not ship twice', async () => {
		const { errorItems } = await again(orderOf('CRANE', 'A-1'));
		expect(errorItems[0]?.json.error).toContain('with Carrier ANT instead of CRANE');
		const { items } = await shop.create([orderOf('CRANE', 'A-1')], REUSE);
		expect(fieldsOf(items, 'id', 'carrierCode', 'serviceType')).toEqual([
			[1001, 'ANT', 'ANT-HOME'],
		]);
	});
});
