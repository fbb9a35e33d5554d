import { fieldsOf, jsonOf, linksOf, valuesOf } from '../support/outputs';
import { orderItem, orderOf, ordersOf } from '../support/shop';
import { useShop } from '../support/useShop';

const shop = useShop();
const DRY = { dryRun: true };

describe('Attach as PDF', () => {
	const labels = 'attach';

	test('attaches one file per piece, also of a shipment that existed', async () => {
		const orders = [orderItem('A-0', { pieceCount: 2 }), orderItem('A-1')];
		shop.rewrite('createShipments', ({ result }: { result: object[] }) => {
			// The carrier assigns it later.
			Object.assign(result[2] ?? {}, { packageNumberCarrier: null });
			return { result };
		});
		const { items } = await shop.create(orders, { labels });
		const numbers = ['0012345000000000001001', '0012345000000000001002', '1003'];
		expect(items.map(({ binary }) => binary?.data?.fileName)).toEqual(
			numbers.map((number) => `label-ANT-${number}.pdf`),
		);
		const again = await shop.create(ordersOf('A-1'), { labels });
		expect(again.items[0]?.json.alreadyExisted).toBe(true);
		expect(again.items[0]?.binary?.data?.mimeType).toBe('application/pdf');
	});

	test('keeps the shipment with its link if the download fails', async () => {
		shop.fault('labelFile', { kind: 'html', times: Infinity });
		const { items, errorItems } = await shop.create(ordersOf('A-1'), { labels });
		expect([errorItems, items[0]?.binary]).toEqual([[], undefined]);
		expect(items[0]?.json).toMatchObject({
			labelUrl: expect.stringContaining('/files/shipment/1001'),
			labelNotDownloaded: 'The provider did not return a PDF file',
		});
	});
});

describe('A dry run', () => {
	test('sends nothing and outputs what would happen to each item', async () => {
		const wrong = orderItem('A-2', { recPhone: '777 123' });
		const two = [orderItem('A-3'), orderItem('A-3', { price: 2 })];
		shop.sandbox.seedShipments(1, { packageNumberCustom: 'A-1', recZip: '01001' });
		const orders = [...ordersOf('A-0', 'A-1'), wrong, ...two];
		const { items, hints } = await shop.create(
			orders,
			{ ...DRY, ifShipped: 'return' },
			{ onError: 'stopWorkflow' },
		);
		expect(linksOf(items)).toEqual([0, 1, 2, 3, 4]);
		expect(shop.shipments()).toHaveLength(1);
		const message = '2 items have the same Order Number "A-3", but not the same values';
		const invalid = 'Invalid Recipient Phone: "777 123"';
		const phone = { field: 'recPhone', caption: 'Recipient Phone', message: invalid };
		expect(jsonOf(items)).toMatchObject([
			{ reason: null, wouldDo: 'create', request: { recZip: '01001' } },
			{ reason: null, wouldDo: 'reuse', shipments: [{ id: 1001 }] },
			{ reason: invalid, wouldDo: 'refuse', problems: [phone] },
			{ reason: message, wouldDo: 'refuse', problems: [{ message }] },
			{ reason: message, wouldDo: 'refuse', problems: [{ message }] },
		]);
		// In the table of the editor, the first column.
		expect(items.map(({ json }) => Object.keys(json)[0])).toEqual(Array(5).fill('reason'));
		expect(hints).toEqual(['Nothing was sent: 1 would be created, 1 exist, 3 refused.']);
	});

	test('shows the request that is sent later', async () => {
		const order = orderItem('A-0', {
			...{ recPhone: '777 123 456', recCountry: 'Česko', price: '1 290,50 Kč' },
			...{ cod: 'Dobírka', codCurrency: 'czk' },
		});
		const dry = await shop.create([order], DRY);
		expect(dry.items[0]?.json).toMatchObject({
			request: { recPhone: '+420777123456', recCountry: 'CZ', price: 1290.5, codPrice: 1290.5 },
		});
		await shop.create([order]);
		expect(shop.requests('createShipments')[0]?.body).toEqual([dry.items[0]?.json.request]);
	});
});

const ZEBRA = 'Warehouse Zebra';
const A4 = 'Warehouse A4';
const names = ['P-1', 'P-2', 'P-3'];
const orders = ['ANT', 'CRANE', 'ANT'].map((carrier, at) => orderOf(carrier, names[at] ?? ''));

test('Print uses the printer of each item, and says so in each shipment', async () => {
	const each = orders.map((order, index) => ({ ...order, printer: index === 0 ? A4 : ZEBRA }));
	const { items } = await shop.create(each, { printerName: '={{ $json.printer }}' });
	expect(valuesOf(items, 'printedOn')).toEqual([A4, ZEBRA, ZEBRA]);
	const jobs = shop.sandbox.database.printJobs().map(({ printerName }) => printerName);
	expect(jobs.sort()).toEqual([A4, ZEBRA, ZEBRA]);
});

test('Print creates the labels if the hash of the batch is empty', async () => {
	shop.rewrite('createShipments', (response: object) => ({ ...response, labelsHash: '' }));
	const { items, errorItems } = await shop.create(orders, { printerName: ZEBRA });
	expect(errorItems).toEqual([]);
	expect(valuesOf(items, 'printedOn')).toEqual([ZEBRA, ZEBRA, ZEBRA]);
	expect(valuesOf(items, 'labelsHash').every(Boolean)).toBe(true);
});

test('Print fails the labels that a printer does not accept, outputs the shipments, and the next run prints them', async () => {
	const print = async (printerName: string) => shop.create(orders, { printerName });
	const { items, errorItems, hints } = await print('Front Desk');
	const reason = 'The label was not printed on "Front Desk": the printer did not accept it';
	expect(fieldsOf(items, 'packageNumberCustom', 'labelNotPrinted')).toEqual(
		names.map((name) => [name, reason]),
	);
	expect(fieldsOf(errorItems, 'packageNumberCustom', 'error')).toEqual(
		names.map((name) => [name, reason]),
	);
	for (const [index, { json }] of errorItems.entries()) {
		const { id, packageNumberCustom, packageNumberCarrier, trackingUrl } = items[index]?.json ?? {};
		expect(Object.entries(json.details ?? {}).slice(0, 4)).toEqual([
			['packageNumberCustom', packageNumberCustom],
			['shipmentId', id],
			['packageNumberCarrier', packageNumberCarrier],
			['trackingUrl', trackingUrl],
		]);
		expect(json.details).toMatchObject({ labelNotPrinted: reason });
		expect(json.message).toMatch(
			/^The shipment exists .*do not create it again.*choose another one/,
		);
	}
	expect(linksOf(errorItems)).toEqual(linksOf(items));
	expect(hints).toContain("3 labels were not printed. See the 'Error' output.");
	const again = await print(ZEBRA);
	expect(new Set(valuesOf(again.items, 'printedOn'))).toEqual(new Set([ZEBRA]));
	expect(shop.shipments()).toHaveLength(3);
});
