import type { RunSettings } from '../support/engine';
import { useShop } from '../support/useShop';
import { jsonOf, linksOf, valuesOf } from '../support/outputs';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox';

const shop = useShop();

const ZEBRA = 'Warehouse Zebra';
const A4 = 'Warehouse A4';
const byHash = {
	resource: 'label',
	operation: 'sendToPrinter',
	labels: 'hash',
	hash: '={{ $json.hash }}',
	printerName: '={{ $json.printer }}',
};
const ofShipments = { ...byHash, labels: 'shipments', shipmentIds: '={{ $json.id }}' };
const byOrder = { ...byHash, labels: 'orderNumbers', orderNumber: '={{ $json.order }}' };
const createFiles = { ...ofShipments, operation: 'create', shipments: 'ids' };
const onError = 'continueErrorOutput';

/** Items with a new hash each, from Create Label Files. */
const itemsFor = async (...printers: string[]): Promise<IDataObject[]> =>
	Promise.all(
		shop.sandbox.seedShipments(printers.length).map(async ({ id }, index) => {
			const parameters = { ...createFiles, shipmentIds: id };
			const { items } = await shop.engine.run({ parameters });
			return { hash: String(items[0]?.json.hash), printer: printers[index] };
		}),
	);
/** Two shipments of one carrier, and one of another. */
const seedShipments = (): IDataObject[] =>
	[
		...shop.sandbox.seedShipments(2),
		...shop.sandbox.seedShipments(1, { serviceType: 'CRANE-EU' }),
	].map(({ id, carrierCode }) => ({ id, carrierCode, printer: ZEBRA }));

type More = Partial<RunSettings> & { skipPrinted?: boolean };
const runWith =
	(form: INodeParameters) =>
	async (items: IDataObject[], { skipPrinted = false, ...more }: More = {}) =>
		shop.engine.run({ parameters: { ...form, skipPrinted }, items, ...more });
const run = runWith(byHash);
const printShipments = runWith(ofShipments);

const jobs = () =>
	shop.sandbox.database
		.printJobs()
		.map(({ hash, printerName }) => ({ hash, printer: printerName }));
const labelCounts = () => shop.sandbox.database.printJobs().map(({ count }) => count);
const sent = () => shop.requests('sendToPrinter');
const addFault = (fault: Omit<Fault, 'operation'>) => shop.fault('sendToPrinter', { ...fault });

describe('Labels by hash', () => {
	test('are printed on a printer chosen from the list, and the output says where', async () => {
		const printerName = { __rl: true, mode: 'list', value: ZEBRA, cachedResultName: 'By the gate' };
		const [item] = (await itemsFor(ZEBRA)) as [IDataObject];
		const { items } = await run([item], { parameters: { ...byHash, printerName } });
		const printed = { hash: item.hash, printerName: ZEBRA, printed: true };
		const json = { ...printed, correlationId: expect.any(String) };
		expect(items).toEqual([{ json, pairedItem: [{ item: 0 }] }]);
		expect(jobs()).toEqual([item]);
	});

	test('are printed once per batch, although each of its shipments has the hash', async () => {
		const [first, second] = (await itemsFor(ZEBRA, ZEBRA)) as [IDataObject, IDataObject];
		const { items } = await run([first, second, second, first]);
		expect(jobs()).toEqual([first, second]);
		expect(linksOf(items)).toEqual([
			[0, 3],
			[1, 2],
		]);
	});

	test('are sent to one printer in input order, and to several printers in parallel', async () => {
		const input = await itemsFor(ZEBRA, A4, ZEBRA);
		addFault({ kind: 'latency', ms: 60, times: Infinity });
		const { items } = await run(input);
		expect(valuesOf(items, 'hash')).toEqual(input.map(({ hash }) => hash));
		const [first, onA4, second] = input.map(({ hash }) =>
			sent().find(({ body }) => (body as IDataObject).hash === hash),
		);
		expect(second?.at).toBeGreaterThanOrEqual(first?.finishedAt ?? Infinity);
		expect(onA4?.at).toBeLessThan(first?.finishedAt ?? 0);
	});

	test('need a hash and a printer: what is missing is named before anything is sent', async () => {
		const { error } = await run([{ hash: null, printer: ZEBRA }, { hash: 'a' }]);
		expect(error?.message).toBe('Item 0: Hash is empty');
		expect(error?.description).toContain("Set 'Labels' to 'By Order Number'");
		expect(error?.description).toContain('Item 1: Printer is empty');
		expect(shop.sandbox.requests).toEqual([]);
	});
});

test('Labels of shipments are printed in one job per carrier, new and existing shipments alike', async () => {
	const { items } = await printShipments(seedShipments());
	const printed = { printerName: ZEBRA, printed: true };
	expect(jsonOf(items)).toMatchObject([
		{ carrierCode: 'ANT', labelsCount: 2, ...printed },
		{ carrierCode: 'CRANE', labelsCount: 1, ...printed },
	]);
	expect(labelCounts()).toEqual([2, 1]);
	expect(linksOf(items)).toEqual([[0, 1], 2]);
	expect(valuesOf(items, 'labelsMissing')).toEqual([undefined, undefined]);
});

test('The error of an item of which the labels of one carrier were printed says so', async () => {
	const id = seedShipments()
		.map((each) => each.id)
		.join(', ');
	addFault({ kind: 'status', status: 400, skip: 1, times: Infinity });
	const { error } = await printShipments([{ id, printer: ZEBRA }]);
	expect(error?.description).toContain('Already printed: item 0 (ANT).');
});

test('With Skip Printed, printed shipments are left out, and the output says so', async () => {
	const ids = shop.sandbox.seedShipments(3).map(({ id }) => id);
	await printShipments([{ id: ids[0], printer: ZEBRA }]);
	const items = shop
		.shipments()
		.map((each) => ({ order: each.packageNumberCustom, printer: ZEBRA }));
	const { items: output } = await runWith(byOrder)(items, { skipPrinted: true });
	expect(labelCounts()).toEqual([1, 2]);
	expect(jsonOf(output)).toMatchObject([
		{ skipped: true, alreadyPrinted: [ids[0]] },
		{ carrierCode: 'ANT', labelsCount: 2, printed: true },
	]);
	expect(linksOf(output)).toEqual([0, [1, 2]]);
});

describe('A refused print job', () => {
	test.each([
		[
			'Cellar',
			'not printed on "Cellar": There is no printer',
			'Check the printer or choose another one.',
		],
		['Attic', 'not printed on "Attic": Printer', 'or choose another one'],
		['Front Desk', 'not printed on "Front Desk"', 'or choose another one'],
	])('on %s says why, and the other item is printed', async (printerName, message, advice) => {
		const input = await itemsFor(printerName, ZEBRA);
		const { items, errorItems } = await run(input, { onError });
		expect([linksOf(items), linksOf(errorItems)]).toEqual([[1], [0]]);
		expect(jsonOf(errorItems)).toMatchObject([
			{
				error: expect.stringContaining(message),
				message: expect.stringContaining(advice),
				details: { hash: input[0]?.hash, printerName },
			},
		]);
		const { items: continued } = await run(input, { onError: 'continueRegularOutput' });
		expect(Object.keys(continued[0]?.json ?? {})).toEqual(['error', 'message', 'details']);
		const { error, items: none } = await run(input);
		expect([error?.message, none]).toEqual([expect.stringContaining(message), []]);
	});

	test('for a hash older than 14 days says that it has expired and what to do', async () => {
		const items = await itemsFor(ZEBRA);
		shop.sandbox.advance(14 * 24 + 1);
		const { error } = await run(items);
		expect(error?.message).toMatch(/^The label with hash .* was not printed .*expired/);
		expect(error?.description).toContain('A print hash is valid for 14 days');
	});
});
