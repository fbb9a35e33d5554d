import { linksOf } from '../support/outputs';
import { orderItem, ordersOf, refusedOrder } from '../support/shop';
import { useShop } from '../support/useShop';

const shop = useShop();
const ORDERS = [
	orderItem('A-0', { pieceCount: 2 }),
	orderItem('A-1'),
	refusedOrder('A-2'),
	orderItem('A-3'),
];
const BATCHES = { output: 'batches' };

describe('One Item per Batch', () => {
	test('gives an item with the shipments of the batch, linked to all their orders', async () => {
		const { items, errorItems } = await shop.create(ORDERS, BATCHES);
		const [batch] = shop.sandbox.database.batches();
		expect(items).toHaveLength(1);
		expect(items[0]?.json).toMatchObject({
			batchId: batch?.id,
			carrierCode: 'ANT',
			packagesCount: 4,
			labelsUrl: batch?.labelsUrl,
			labelsHash: batch?.labelsHash,
			alreadyExisted: false,
			shipments: [{ id: 1001 }, { id: 1002 }, { id: 1003 }, { id: 1004 }],
		});
		expect(items[0]?.pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 3 }]);
		expect(linksOf(errorItems)).toEqual([2]);
	});

	test('lists all shipments in the error under Stop', async () => {
		const { error } = await shop.create(ORDERS, BATCHES, { onError: 'stopWorkflow' });
		for (const id of [1001, 1002, 1003, 1004]) expect(error?.description).toContain(`(ID ${id},`);
	});
});

describe('Download Labels attaches the labels', () => {
	const DOWNLOAD = { downloadLabels: true };

	test('as one file per piece, each with its own name', async () => {
		const { items } = await shop.create(ORDERS, DOWNLOAD);
		const files = items.map(({ binary }) => binary?.data);
		expect(new Set(files.map((file) => file?.fileName)).size).toBe(4);
		expect(files[0]).toMatchObject({
			fileName: 'label-ANT-0012345000000000001001.pdf',
			mimeType: 'application/pdf',
		});
	});

	test('as one file per batch', async () => {
		const { items } = await shop.create(ORDERS, { ...DOWNLOAD, ...BATCHES });
		expect(items.map(({ binary }) => binary?.data?.fileName)).toEqual([
			expect.stringMatching(/^labels-ANT-\d{4}-\d\d-\d\d-4-[0-9a-f]{8}\.pdf$/),
		]);
	});

	test('also of a shipment that already existed', async () => {
		await shop.create(ORDERS);
		const { items } = await shop.create(ordersOf('A-1'), DOWNLOAD);
		expect(items[0]?.json).toMatchObject({ alreadyExisted: true, labelUrl: expect.any(String) });
		expect(items[0]?.binary?.data?.fileExtension).toBe('pdf');
	});

	test('and keeps the shipment with its link if the download fails', async () => {
		shop.fault('labelFile', { kind: 'html', times: Infinity });
		const { items, errorItems } = await shop.create(ordersOf('A-1'), DOWNLOAD);
		expect(errorItems).toEqual([]);
		expect(items[0]?.binary).toBeUndefined();
		expect(items[0]?.json).toMatchObject({
			id: 1001,
			labelUrl: expect.stringContaining('/files/shipment/1001'),
			labelNotDownloaded: 'The service returned a web page instead of a PDF file',
		});
	});
});

describe('A dry run', () => {
	const DRY = { dryRun: true };

	test('sends nothing and outputs what would happen to each item', async () => {
		const wrong = orderItem('A-2', { recPhone: '777 123' });
		const two = [orderItem('A-3'), orderItem('A-3', { price: 2 })];
		const orders = [...ordersOf('A-0', 'A-1'), wrong, ...two];
		shop.sandbox.seedShipments(1, { packageNumberCustom: 'A-1', recZip: '01001' });
		const options = { ...DRY, ifDiffers: 'reuse' };
		const { items } = await shop.create(orders, options, { onError: 'stopWorkflow' });
		expect(linksOf(items)).toEqual([0, 1, 2, 3, 4]);
		expect(shop.shipments()).toHaveLength(1);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ wouldDo: 'create', endpoint: 'POST /Package/Create', request: { recZip: '01001' } },
			{ wouldDo: 'reuse', shipments: [{ id: 1001 }] },
			{
				wouldDo: 'refuse',
				problems: [{ field: 'recPhone', caption: 'Recipient Phone', found: '"777 123"' }],
			},
			{
				wouldDo: 'refuse',
				problems: [
					{
						message: '2 items have the same Order Number "A-3", but not the same Shipment Value',
					},
				],
			},
			{ wouldDo: 'refuse' },
		]);
	});

	test('shows the request that is sent later, and what was cleaned up in it', async () => {
		const order = orderItem('A-0', {
			recPhone: '777 123 456',
			recCountry: 'Česko',
			price: '1 290,50 Kč',
			cod: 'Dobírka',
			codPrice: '1290,5',
			codCurrency: 'czk',
		});
		const dry = await shop.create([order], DRY);
		expect(dry.items[0]?.json).toMatchObject({
			wouldDo: 'create',
			request: { recPhone: '+420777123456', recCountry: 'CZ', price: 1290.5, codPrice: 1290.5 },
			cleaned: {
				recPhone: ['777 123 456', '+420777123456'],
				recCountry: ['Česko', 'CZ'],
				price: ['1 290,50 Kč', '1290.50'],
				cod: ['Dobírka', true],
			},
		});
		expect(dry.hints).toEqual([
			`Cleaned up the values of 1 order, for example A-0: "1 290,50 Kč" to "1290.50". 'Dry Run' lists all of them.`,
		]);
		await shop.create([order]);
		expect(shop.requests('createShipments')[0]?.body).toEqual([dry.items[0]?.json.request]);
	});
});
