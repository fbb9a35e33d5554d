import type { RunSettings } from '../support/engine';
import { fieldsOf, linksOf, valuesOf } from '../support/outputs';
import { orderItem, orderOf, ordersOf, refusedOrder } from '../support/shop';
import { useShop } from '../support/useShop';

// What a person gets who retries an execution. What is sent again is in the simulation.

const shop = useShop();
/** At another carrier, and so in a request of its own. */
const REFUSED_BY_OTHER = orderOf('CRANE', 'A-2', { recPhone: undefined });

const NO_RETRY = { maxRetryWait: 0 };
const ONE_AT_A_TIME = { maxParallelRequests: 1 };

test('a print job with a lost response is not sent again in a retry by a person', async () => {
	const [{ id } = { id: 0 }] = shop.sandbox.seedShipments(1);
	const parameters = {
		...{ resource: 'label', operation: 'sendToPrinter', labels: 'shipments' },
		...{ shipmentIds: id, printerName: 'Warehouse Zebra' },
	};
	const printShipment = async (more: Partial<RunSettings> = {}) =>
		shop.engine.run({ parameters, limits: NO_RETRY, ...more });
	shop.fault('sendToPrinter', { kind: 'reset', when: 'after' });
	const { error } = await printShipment({ retryOf: await printShipment() });
	expect(error?.message).toContain('may or may not have been printed on "Warehouse Zebra');
	expect(error?.description).toContain(
		'Check the printer. To print anyway, run Label: Send to Printer.',
	);
	expect(shop.requests('sendToPrinter')).toHaveLength(1);
	expect((await printShipment()).error).toBeUndefined();
});

test('a print hash that was printed is not sent to the printer of the retry as well', async () => {
	const hashes: string[] = [];
	for (const { id } of shop.sandbox.seedShipments(2)) {
		const form = { resource: 'label', operation: 'create', shipments: 'ids', shipmentIds: id };
		const { items } = await shop.engine.run({ parameters: form });
		hashes.push(String(items[0]?.json.hash));
	}
	const print = async (printerName: string, more: Partial<RunSettings> = {}) =>
		shop.engine.run({
			parameters: {
				...{ resource: 'label', operation: 'sendToPrinter', labels: 'hash' },
				...{ hash: '={{ $json.hash }}', printerName },
			},
			limits: ONE_AT_A_TIME,
			items: hashes.map((hash) => ({ hash })),
			...more,
		});
	const onlyIf = ({ hash }: { hash: string }) => hash === hashes[1];
	shop.fault('sendToPrinter', { kind: 'status', status: 400, onlyIf });
	const failed = await print('Warehouse Zebra');
	expect(failed.error?.description).toContain('Already printed: item 0.');
	const { items } = await print('Warehouse A4', { retryOf: failed });
	expect(valuesOf(items, 'printerName')).toEqual(['Warehouse Zebra', 'Warehouse A4']);
	expect(shop.sandbox.database.printJobs()).toHaveLength(2);
});

test('a hash that items name for two printers is printed once, and the output is that of both', async () => {
	const [{ id } = { id: 0 }] = shop.sandbox.seedShipments(1);
	const form = { resource: 'label', operation: 'create', shipments: 'ids', shipmentIds: id };
	const { items: files } = await shop.engine.run({ parameters: form });
	const { items } = await shop.engine.run({
		parameters: {
			...{ resource: 'label', operation: 'sendToPrinter', labels: 'hash' },
			...{ hash: String(files[0]?.json.hash), printerName: '={{ $json.printer }}' },
		},
		items: [{ printer: 'Warehouse Zebra' }, { printer: 'Attic' }],
	});
	expect(linksOf(items)).toEqual([[0, 1]]);
	expect(valuesOf(items, 'printerName')).toEqual(['Warehouse Zebra']);
	expect(shop.sandbox.database.printJobs()).toHaveLength(1);
});

test('a retry leaves out what another execution has printed since, if this one has created no label', async () => {
	shop.sandbox.seedShipments(2);
	const parameters = {
		...{ resource: 'label', operation: 'sendToPrinter', labels: 'notPrinted' },
		...{ printerName: 'Warehouse Zebra' },
	};
	shop.fault('printLabels', { kind: 'status', status: 429 });
	const failed = await shop.engine.run({ parameters, limits: NO_RETRY });
	expect(failed.error?.message).toContain('429');
	await shop.engine.run({ parameters });
	const { items } = await shop.engine.run({ parameters, retryOf: failed });
	expect(valuesOf(items, 'message')).toEqual(['Nothing to print']);
	expect(shop.sandbox.database.printJobs()).toHaveLength(1);
});

test('a print job that may have been printed does not keep a person from printing what was not sent', async () => {
	const printers = ['Warehouse Zebra', 'Warehouse A4', 'Warehouse Zebra'];
	const items = shop.sandbox.seedShipments(3).map(({ id }, at) => ({ id, printer: printers[at] }));
	const print = async (more: Partial<RunSettings> = {}) =>
		shop.engine.run({
			parameters: {
				...{ resource: 'label', operation: 'sendToPrinter', labels: 'shipments' },
				...{ shipmentIds: '={{ $json.id }}', printerName: '={{ $json.printer }}' },
			},
			limits: ONE_AT_A_TIME,
			items,
			...more,
		});
	shop.fault('sendToPrinter', { kind: 'reset', when: 'after' });
	const failed = await print();
	const { error } = await print({ retryOf: failed });
	const printed = shop.sandbox.database.printJobs().flatMap(({ shipmentIds }) => shipmentIds);
	expect(error?.message).toContain('may or may not have been printed');
	expect(error?.description).toContain('Already printed: item 1 (ANT).');
	expect(printed.sort()).toEqual(items.map(({ id }) => id));
});

test('a person who corrects a refused order and retries gets the others as they were created', async () => {
	const stop = { onError: 'stopWorkflow' } as const;
	const failed = await shop.create([orderItem('A-1'), refusedOrder('A-2')], {}, stop);
	expect(failed.error?.description).toContain('A-1 (ID 1001');
	const { items } = await shop.create(ordersOf('A-1', 'A-2'), {}, { ...stop, retryOf: failed });
	expect(fieldsOf(items, 'id', 'alreadyExisted')).toEqual([
		[1001, false],
		[1002, false],
	]);
	expect(shop.shipments()).toHaveLength(2);
});

test('a person who corrects an order that was created and retries is told how its shipment differs', async () => {
	const stop = { onError: 'stopWorkflow' } as const;
	const failed = await shop.create([orderItem('A-1'), refusedOrder('A-2')], {}, stop);
	const corrected = [{ ...orderItem('A-1'), recName: 'Eva Nováková' }, orderItem('A-2')];
	const retried = await shop.create(corrected, {}, { ...stop, retryOf: failed });
	expect(retried.error?.message).toContain(
		'A shipment of order "A-1" already exists at ANT (ID 1001), but with Recipient',
	);
	const asItIs = { ifShipped: 'return' };
	const { items } = await shop.create(corrected, asItIs, { ...stop, retryOf: failed });
	expect(valuesOf(items, 'differences')).toEqual([
		[expect.objectContaining({ field: 'recName', ordered: 'Eva Nováková' })],
		undefined,
	]);
	expect(shop.livingIds()).toEqual([1001, 1002]);
});

describe('A person who retries an execution days after its shipments were created', () => {
	const stop = { onError: 'stopWorkflow' } as const;
	const failWithLostResponse = async () => {
		shop.fault('createShipments', { kind: 'reset', when: 'after' });
		const orders = [orderItem('A-1'), REFUSED_BY_OTHER];
		return await shop.create(orders, {}, { ...stop, limits: ONE_AT_A_TIME });
	};
	const retry = async (retryOf: Awaited<ReturnType<typeof failWithLostResponse>>) =>
		shop.create(ordersOf('A-1', 'A-2'), {}, { ...stop, retryOf });

	test('is told that the shipment was canceled, and the one that was created instead is not canceled', async () => {
		const failed = await failWithLostResponse();
		shop.sandbox.cancelShipment(1001);
		const again = await shop.create(ordersOf('A-1'));
		expect(fieldsOf(again.items, 'id', 'alreadyExisted')).toEqual([[1002, false]]);
		const { error } = await retry(failed);
		expect(error?.message).toContain('"A-1" has been canceled since the execution first ran');
		expect(shop.livingIds()).toEqual([1002, 1003]);
		// The next run finds it.
		const { items } = await shop.create(ordersOf('A-1'));
		expect(fieldsOf(items, 'id', 'alreadyExisted')).toEqual([[1002, true]]);
	});

	test('is told of another shipment of the order, and both live', async () => {
		const failed = await failWithLostResponse();
		shop.sandbox.seedShipments(1, { packageNumberCustom: 'A-1' });
		const { items } = await retry(failed);
		expect(valuesOf(items, 'duplicates')).toEqual([
			[expect.objectContaining({ id: 1002 })],
			undefined,
		]);
		expect(shop.livingIds()).toEqual([1001, 1002, 1003]);
	});

	test('is told that the shipment was canceled if there is no other one', async () => {
		const failed = await failWithLostResponse();
		shop.sandbox.cancelShipment(1001);
		const { error } = await retry(failed);
		const message =
			'The shipment of order "A-1" has been canceled since the execution first ran (ID 1001)';
		expect(error).toMatchObject({ message });
		expect(error?.description).toContain('These shipments exist and are not created again: A-2');
		expect(shop.livingIds()).toEqual([1002]);
	});
});

test.each([
	['the execution', false],
	['somebody else before', true],
])(
	'a person who retries a cancellation by order number keeps the shipment that was created again since %s canceled the first one',
	async (_, alreadyCanceled) => {
		shop.sandbox.seedShipments(1, { packageNumberCustom: 'A-1' });
		if (alreadyCanceled) shop.sandbox.cancelShipment(1001);
		shop.sandbox.seedShipments(1, { packageNumberCustom: 'A-2', hoursAgo: 30 });
		const parameters = {
			...{ resource: 'shipment', operation: 'cancel', shipments: 'orderNumbers' },
			orderNumber: '={{ $json.order }}',
		};
		const failed = await shop.engine.run({
			parameters,
			items: [{ order: 'A-1' }, { order: 'A-2' }],
		});
		expect(failed.error?.description).toContain('Already canceled: order A-1, ');
		shop.sandbox.seedShipments(1, { packageNumberCustom: 'A-1' });
		const onError = 'continueErrorOutput';
		const { items, errorItems } = await shop.engine.run({ parameters, onError, retryOf: failed });
		expect(fieldsOf(items, 'id', 'packageNumberCustom', 'alreadyCanceled')).toEqual([
			[1001, 'A-1', alreadyCanceled],
		]);
		expect(linksOf(errorItems)).toEqual([1]);
		expect(shop.livingIds()).toEqual([1002, 1003]);
	},
);

test('a person who retries a cancellation with another order cancels only that one', async () => {
	for (const packageNumberCustom of ['A-1', 'A-2'])
		shop.sandbox.seedShipments(1, { packageNumberCustom });
	const cancel = { resource: 'shipment', operation: 'cancel', shipments: 'orderNumbers' };
	shop.fault('cancelShipments', { kind: 'reset', when: 'before' });
	shop.engine.credential.data.maxRetryWait = 0;
	const failed = await shop.engine.run({
		parameters: { ...cancel, orderNumber: 'A-1' },
		items: [{}],
	});
	expect(failed.error?.message).toContain('Could not confirm whether');
	const { items, errorItems } = await shop.engine.run({
		parameters: { ...cancel, orderNumber: 'A-2' },
		onError: 'continueErrorOutput',
		retryOf: failed,
	});
	expect(fieldsOf(items, 'packageNumberCustom', 'canceled')).toEqual([['A-2', true]]);
	expect(fieldsOf(errorItems, 'error')).toEqual([[expect.stringContaining('A-1')]]);
	expect(shop.livingIds()).toEqual([1001]);
});

test('an order that turns out to be refused is sent once more and has one outcome', async () => {
	shop.rewrite('createShipments', ({ result, ...rest }: { result: object[] }) => ({
		...rest,
		// Rows for the first order, which is refused, and the second one.
		result: result.slice(0, 2).map((row, index) => (index === 0 ? nameless(row) : row)),
	}));
	shop.fault('findShipments', { kind: 'status', status: 500, skip: 1, times: 2 });
	const orders = [refusedOrder('A-1'), orderItem('A-2'), orderItem('A-3')];
	const { items, errorItems } = await shop.create(orders, {}, { limits: NO_RETRY, tries: 2 });
	expect(linksOf(items).sort()).toEqual([1, 2]);
	expect(linksOf(errorItems)).toEqual([0]);
	expect(shop.livingIds()).toHaveLength(2);
});

const nameless = (row: object) => ({ ...row, packageNumberCustom: null });

const LOST = { kind: 'reset', when: 'after' } as const;

const hideShipments = (areHidden: () => boolean) =>
	shop.rewrite(
		'findShipments',
		(response: object) =>
			areHidden() ? { ...response, result: { data: [], total: 0 } } : response,
		{ times: Infinity },
	);

test('of a shipment that the list shows only after a person has created the order again, the label is left, and the item says so', async () => {
	const options = { printerName: 'Warehouse Zebra' };
	const limits = NO_RETRY;
	hideShipments(() => shop.shipments().length < 2);
	shop.fault('createShipments', LOST);
	const onError = 'stopWorkflow' as const;
	const failed = await shop.create(ordersOf('A-9'), options, { onError, limits });
	expect(failed.error?.message).toContain('Could not confirm');
	const { items, error } = await shop.create(ordersOf('A-9'), options, {
		...{ onError, limits, retryOf: failed },
	});
	expect([error, shop.livingIds()]).toEqual([undefined, [1001]]);
	expect(fieldsOf(items, 'id', 'labelNotPrinted')).toEqual([
		[1001, expect.stringContaining('The order has a shipment that was created first')],
	]);
});

test('an order whose outcome is unknown is named, and does not count as fine, if a retry sends nothing', async () => {
	const limits = { ...NO_RETRY, ...ONE_AT_A_TIME };
	const onError = 'stopWorkflow' as const;
	hideShipments(() => true);
	shop.fault('createShipments', LOST);
	const failed = await shop.create(
		[orderItem('A-1'), REFUSED_BY_OTHER],
		{},
		{
			...{ onError, limits },
		},
	);
	const items = [orderItem('A-1'), { ...REFUSED_BY_OTHER, recEmail: 'none' }];
	const { error } = await shop.create(items, {}, { onError, limits, retryOf: failed });
	const unknown = 'Could not confirm whether ANT created the shipment of order "A-1"';
	expect(error?.message).toBe(unknown);
	expect(error?.description).toContain('A-2: Invalid Recipient Email');
});
