import { fieldsOf, valuesOf } from '../support/outputs';
import { creationForm, orderItem, orderOf, ordersOf, refusedOrder } from '../support/shop';
import { useShop } from '../support/useShop';

// What a person gets who retries an execution. What is sent again is in the simulation.

const shop = useShop();
/** At another carrier, and so in a request of its own. */
const REFUSED_BY_OTHER = orderOf('CRANE', 'A-2', { recPhone: undefined });

const STOP = { onError: 'stopWorkflow' } as const;
const LOST = { kind: 'reset', when: 'after' } as const;
const NO_RETRY = { maxRetryWait: 0 };
const ONE_AT_A_TIME = { maxParallelRequests: 1 };

test('a retry by n8n finds a shipment although the number of its order contains the current time', async () => {
	const { carrierCode, serviceType, ...fields } = orderItem('A-1');
	const mapped = Object.keys(fields).map((name) => [name, `={{ $json.${name} }}`]);
	const packageNumberCustom = '={{ $json.packageNumberCustom + $now.toMillis() }}';
	const value = { ...Object.fromEntries(mapped), packageNumberCustom };
	const parameters = {
		...creationForm(),
		shipment: { mappingMode: 'defineBelow', value },
	} as never;
	shop.fault('createShipments', LOST);
	shop.fault('findShipments', { kind: 'status', status: 500, skip: 1 });
	const more = { parameters, tries: 2, limits: NO_RETRY };
	const { items } = await shop.create(ordersOf('A-1'), {}, more);
	expect(fieldsOf(items, 'id', 'recovered')).toEqual([[1001, true]]);
	expect(shop.shipments()).toHaveLength(1);
});

test('a person who corrects a refused order and retries gets the others as they were created', async () => {
	const failed = await shop.create([orderItem('A-1'), refusedOrder('A-2')], {}, STOP);
	expect(failed.error?.description).toContain('A-1 (ID 1001');
	const { items } = await shop.create(ordersOf('A-1', 'A-2'), {}, { ...STOP, retryOf: failed });
	expect(fieldsOf(items, 'id', 'alreadyExisted')).toEqual([
		[1001, false],
		[1002, false],
	]);
	expect(shop.shipments()).toHaveLength(2);
});

test('a person who corrects an order that was created and retries is told how its shipment differs', async () => {
	const failed = await shop.create([orderItem('A-1'), refusedOrder('A-2')], {}, STOP);
	const corrected = [{ ...orderItem('A-1'), recName: 'Eva Nováková' }, orderItem('A-2')];
	const retried = await shop.create(corrected, {}, { ...STOP, retryOf: failed });
	expect(retried.error?.message).toContain(
		'A shipment of order "A-1" already exists at ANT (ID 1001) but differs. Recipient Name: ',
	);
	const asItIs = { ifShipped: 'return' };
	const { items } = await shop.create(corrected, asItIs, { ...STOP, retryOf: failed });
	expect(valuesOf(items, 'differences')).toEqual([
		[expect.objectContaining({ field: 'recName', ordered: 'Eva Nováková' })],
		undefined,
	]);
	expect(shop.livingIds()).toEqual([1001, 1002]);
});

test('a person who corrects an order whose response was lost and retries is told how its shipment differs', async () => {
	shop.fault('createShipments', LOST);
	shop.fault('findShipments', { kind: 'status', status: 500, skip: 1 });
	const failed = await shop.create(ordersOf('A-1'), {}, { ...STOP, limits: NO_RETRY });
	const corrected = [{ ...orderItem('A-1'), recName: 'Eva Nováková' }];
	const { error } = await shop.create(corrected, {}, { ...STOP, retryOf: failed });
	expect(error?.message).toContain(
		'A shipment of order "A-1" already exists at ANT (ID 1001) but differs. Recipient Name: ',
	);
	const asItWas = await shop.create(ordersOf('A-1'), {}, { ...STOP, retryOf: failed });
	expect(fieldsOf(asItWas.items, 'id', 'recovered')).toEqual([[1001, true]]);
});

test('a person who retries is told that a shipment was canceled since then', async () => {
	shop.fault('createShipments', LOST);
	const orders = [orderItem('A-1'), REFUSED_BY_OTHER];
	const failed = await shop.create(orders, {}, { ...STOP, limits: ONE_AT_A_TIME });
	shop.sandbox.cancelShipment(1001);
	const { error } = await shop.create(ordersOf('A-1', 'A-2'), {}, { ...STOP, retryOf: failed });
	expect(error?.message).toBe(
		'The shipment of order "A-1" has been canceled since the execution first ran (ID 1001)',
	);
	expect(error?.description).toContain('These shipments exist and are not created again: A-2');
	expect(shop.livingIds()).toEqual([1002]);
});

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

const hideShipments = (areHidden: () => boolean) =>
	shop.rewrite(
		'findShipments',
		(response: object) =>
			areHidden() ? { ...response, result: { data: [], total: 0 } } : response,
		{ times: Infinity },
	);

test('of a shipment that the list shows only after a person has created the order again, the label is left, and the item says so', async () => {
	const options = { printerName: 'Warehouse Zebra' };
	const more = { ...STOP, limits: NO_RETRY };
	hideShipments(() => shop.shipments().length < 2);
	shop.fault('createShipments', LOST);
	const failed = await shop.create(ordersOf('A-9'), options, more);
	expect(failed.error?.message).toContain('Could not confirm');
	const retried = { ...more, retryOf: failed };
	const { items, error } = await shop.create(ordersOf('A-9'), options, retried);
	expect([error, shop.livingIds()]).toEqual([undefined, [1001]]);
	expect(fieldsOf(items, 'id', 'labelNotPrinted')).toEqual([
		[1001, expect.stringContaining('The order has a shipment that was created first')],
	]);
});

test('an order whose outcome is unknown is named, and does not count as fine, if a retry sends nothing', async () => {
	const more = { ...STOP, limits: { ...NO_RETRY, ...ONE_AT_A_TIME } };
	hideShipments(() => true);
	shop.fault('createShipments', LOST);
	const failed = await shop.create([orderItem('A-1'), REFUSED_BY_OTHER], {}, more);
	const items = [orderItem('A-1'), { ...REFUSED_BY_OTHER, recEmail: 'none' }];
	const { error } = await shop.create(items, {}, { ...more, retryOf: failed });
	const unknown = 'Could not confirm whether ANT created the shipment of order "A-1"';
	expect(error?.message).toBe(unknown);
	expect(error?.description).toContain('A-2: Invalid Recipient Email');
});

test.each(['by n8n', 'by a person'])(
	'labels that the printer has refused are printed in a retry %s, although the provider counts them as printed',
	async (by) => {
		const options = { printerName: 'Warehouse Zebra' };
		shop.rewrite('sendToPrinter', (response: object) => ({ ...response, result: false }));
		const tries = by === 'by n8n' ? { tries: 2 } : {};
		const first = await shop.create(ordersOf('A-1', 'A-2'), options, { ...STOP, ...tries });
		const last =
			by === 'by n8n'
				? first
				: await shop.create(ordersOf('A-1', 'A-2'), options, { ...STOP, retryOf: first });
		expect(valuesOf(last.items, 'printedOn')).toEqual(['Warehouse Zebra', 'Warehouse Zebra']);
		expect(shop.requests('sendToPrinter')).toHaveLength(2);
	},
);
