import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { linksOf } from '../support/outputs';
import { creationForm, orderItem } from '../support/shop';

import { type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

interface AnswerRow {
	id: number;
	packageNumberCustom: string | null;
}
type Rows = AnswerRow[];

const bad = { serviceType: 'ANT-POINT', branchId: 'NOWHERE' };
const ORDERS = [
	orderItem('A-0', { pieceCount: 2 }),
	orderItem('A-1'),
	orderItem('A-2', bad),
	orderItem('A-3'),
];

function rewriteRows(rewrite: (rows: Rows) => Rows): void {
	sandbox.fault({
		operation: 'createShipments',
		kind: 'body',
		status: 200,
		rewrite: ((answer: { result: Rows }) => ({
			...answer,
			result: rewrite(answer.result),
		})) as never,
	});
}

async function run(items = ORDERS, options = {}) {
	return await engine.run({
		parameters: creationForm({ maxRetryWait: 100, ...options }),
		items,
		onError: 'continueErrorOutput',
	});
}

const nameless = (row: AnswerRow) => ({ ...row, packageNumberCustom: null });

describe('However the rows of an answer arrive, each is matched to its own order', () => {
	const careless: Array<[string, (rows: Rows) => Rows]> = [
		['reversed', (rows) => [...rows].reverse()],
		['without references', (rows) => rows.map(nameless)],
		['without references and reversed', (rows) => rows.map(nameless).reverse()],
		[
			'with one reference on all of them',
			(rows) => rows.map((row) => ({ ...row, packageNumberCustom: 'A-1' })),
		],
		[
			'with the refused one nameless, in front',
			(rows) => [nameless(rows[3] as AnswerRow), ...rows.filter((_, index) => index !== 3)],
		],
		['with a piece missing', (rows) => rows.slice(1)],
		['with the created ones missing', (rows) => rows.slice(3, 4)],
		['with one of them twice', (rows) => [...rows, ...rows.slice(0, 2)]],
	];
	test.each(careless)('%s', async (_, rewrite) => {
		rewriteRows(rewrite);
		const { items, errorItems } = await run();
		expect(linksOf(items)).toEqual([0, 0, 1, 3]);
		const booked = new Map(sandbox.database.shipments().map((shipment) => [shipment.id, shipment]));
		expect(items.map(({ json }) => booked.get(json.id as number)?.packageNumberCustom)).toEqual([
			'A-0',
			'A-0',
			'A-1',
			'A-3',
		]);
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(4);
		expect(items.every(({ json }) => json.batchId === 71)).toBe(true);
		expect(new Set(linksOf(errorItems))).toEqual(new Set([2]));
		expect(items.some(({ json }) => json.unmatched)).toBe(false);
	});

	test('an order that is missing in the answer and in the records has an unknown outcome', async () => {
		rewriteRows((rows) => rows.filter(({ packageNumberCustom }) => packageNumberCustom !== 'A-2'));
		const { items, errorItems } = await run();
		expect(linksOf(items)).toEqual([0, 0, 1, 3]);
		expect(errorItems[0]?.json.error).toContain('Could not confirm whether');
		expect(errorItems[0]?.json.message).toContain(
			'The response of the service does not contain it',
		);
	});
});

describe('A row that matches no single order is output unmatched', () => {
	const unreadable = () =>
		sandbox.fault({ operation: 'findShipments', kind: 'html', skip: 1, times: Infinity });

	test('rows without a reference are linked to all orders they may belong to', async () => {
		rewriteRows((rows) => rows.map(nameless));
		unreadable();
		const { items, errorItems } = await run([orderItem('A-0'), orderItem('A-1')]);
		expect(items.map(({ json, pairedItem }) => [json.id, json.unmatched, pairedItem])).toEqual([
			[1001, true, [{ item: 0 }, { item: 1 }]],
			[1002, true, [{ item: 0 }, { item: 1 }]],
		]);
		expect(errorItems).toEqual([]);
	});

	test('two refusals without a reference fail both orders', async () => {
		rewriteRows((rows) => rows.map(nameless));
		const { errorItems } = await run([orderItem('A-0', bad), orderItem('A-1', bad)]);
		expect(errorItems.map(({ json }) => json.error)).toEqual([
			'Unknown pickup point "NOWHERE"',
			'Unknown pickup point "NOWHERE"',
		]);
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 1 }],
			[{ item: 0 }, { item: 1 }],
		]);
	});

	test('a row with another reference is not matched to an order without a row', async () => {
		rewriteRows((rows) => rows.map((row) => ({ ...row, id: 77, packageNumberCustom: 'FOREIGN' })));
		const { items } = await run([orderItem('A-0')]);
		expect(items.map(({ json }) => [json.id, json.recovered, json.unmatched])).toEqual([
			[1001, true, undefined],
			[77, false, true],
		]);
	});

	test('a retry outputs it once, and the matched ones once', async () => {
		const foreign = { id: 77, packageNumberCustom: 'FOREIGN', statusCode: 200 };
		sandbox.fault({ operation: 'createShipments', kind: 'status', status: 400 });
		sandbox.fault({
			operation: 'createShipments',
			kind: 'body',
			rewrite: ((answer: { result: Rows }) => ({
				...answer,
				result: [...answer.result, foreign],
			})) as never,
		});
		const { items, errorItems } = await engine.run({
			parameters: creationForm({ maxRetryWait: 50, batchSize: 2, maxConcurrency: 1 }),
			items: ['A-0', 'A-1', 'A-2', 'A-3'].map((reference) => orderItem(reference)),
			onError: 'continueErrorOutput',
			tries: 2,
		});
		expect(errorItems).toEqual([]);
		expect(items.map(({ json }) => json.id).sort()).toEqual([1001, 1002, 1003, 1004, 77]);
	});

	test('a retry outputs them again without sending them again', async () => {
		rewriteRows((rows) => rows.map(nameless));
		unreadable();
		const { error } = await engine.run({
			parameters: creationForm({ maxRetryWait: 50, batchSize: 2 }),
			items: [orderItem('A-0'), orderItem('A-1'), orderItem('A-2', bad)],
			tries: 2,
		});
		expect(error?.description).toMatch(/\(ID 1001.*\(ID 1002/);
		expect(sandbox.database.shipments()).toHaveLength(2);
	});
});

describe('One output item per batch', () => {
	test('contains its shipments and is linked to all their orders', async () => {
		const { items, errorItems } = await run(ORDERS, { output: 'batches' });
		const [batch] = sandbox.database.batches();
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
		const { error } = await engine.run({
			parameters: creationForm({ output: 'batches' }),
			items: ORDERS,
		});
		for (const id of [1001, 1002, 1003, 1004]) expect(error?.description).toContain(`(ID ${id},`);
	});
});

describe('Download Labels attaches the labels', () => {
	test('as one file per piece, each with its own name', async () => {
		const { items } = await run(ORDERS, { downloadLabels: true });
		const names = items.map(({ binary }) => binary?.data?.fileName);
		expect(new Set(names).size).toBe(4);
		expect(names[0]).toBe('label-ANT-0012345000000000001001.pdf');
		expect(items.every(({ binary }) => binary?.data?.mimeType === 'application/pdf')).toBe(true);
	});

	test('as one file per batch', async () => {
		const { items } = await run(ORDERS, { downloadLabels: true, output: 'batches' });
		expect(items.map(({ binary }) => binary?.data?.fileName)).toEqual([
			expect.stringMatching(/^labels-ANT-\d{4}-\d\d-\d\d-4-[0-9a-f]{8}\.pdf$/),
		]);
	});

	test('also of a shipment that already existed', async () => {
		await run();
		const { items } = await run([orderItem('A-1')], { downloadLabels: true });
		expect(items[0]?.json).toMatchObject({ alreadyExisted: true, labelUrl: expect.any(String) });
		expect(items[0]?.binary?.data?.fileExtension).toBe('pdf');
	});

	test('and keeps the shipment with its link if the download fails', async () => {
		sandbox.fault({ operation: 'labelFile', kind: 'html', times: Infinity });
		const { items, errorItems } = await run([orderItem('A-1')], { downloadLabels: true });
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
	const orders = [
		orderItem('A-0'),
		orderItem('A-1'),
		orderItem('A-2', { recPhone: '777 123 456' }),
		orderItem('A-3'),
		orderItem('A-3'),
	];

	test('sends nothing and outputs what would happen to each item', async () => {
		sandbox.seedShipments(1, { packageNumberCustom: 'A-1', recZip: '01001' });
		const { items, error } = await engine.run({
			parameters: creationForm({ dryRun: true }),
			items: orders,
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.wouldDo)).toEqual([
			'create',
			'reuse',
			'refuse',
			'refuse',
			'refuse',
		]);
		expect(linksOf(items)).toEqual([0, 1, 2, 3, 4]);
		expect(sandbox.database.shipments()).toHaveLength(1);
		expect(items[0]?.json).toMatchObject({
			endpoint: 'POST /Package/Create',
			request: { packageNumberCustom: 'A-0', recZip: '01001', price: 120.5 },
		});
		expect(items[1]?.json.shipments).toMatchObject([{ id: 1001 }]);
		expect(items[2]?.json.problems).toMatchObject([
			{ field: 'recPhone', caption: 'Recipient Phone', found: '"777 123 456"' },
		]);
		expect(items[3]?.json.problems).toMatchObject([
			{ message: 'Items 3 and 4 have the same Custom Shipment Number "A-3"' },
		]);
	});

	test('shows what was cleaned up in the orders of a shop, which are then sent like that', async () => {
		const order = orderItem('A-0', {
			recPhone: '777 123 456',
			recCountry: 'Česko',
			price: '1 290,50 Kč',
			cod: 'Dobírka',
			codPrice: '1290,5',
			codCurrency: 'czk',
		});
		const dry = await run([order], { dryRun: true, phonePrefix: 'fromCountry' });
		expect(dry.items[0]?.json).toMatchObject({
			wouldDo: 'create',
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
		await run([order], { phonePrefix: 'fromCountry' });
		const sent = sandbox.requests.find(({ operationId }) => operationId === 'createShipments');
		expect(sent?.body).toMatchObject([
			{ recPhone: '+420777123456', recCountry: 'CZ', price: 1290.5, cod: true, codPrice: 1290.5 },
		]);
	});

	test('outputs the same request that is sent later', async () => {
		const [order] = orders as [(typeof orders)[number]];
		const dry = await run([order], { dryRun: true });
		await run([order]);
		const sent = sandbox.requests.find(({ operationId }) => operationId === 'createShipments');
		expect(sent?.body).toEqual([dry.items[0]?.json.request]);
	});
});
