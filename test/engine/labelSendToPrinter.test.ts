import { type RunSettings, startEngine } from '../support/engine';
import { useShop } from '../support/useShop';
import { sandboxCredential } from '../support/credentials';
import { linksOf } from '../support/outputs';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox';

const shop = useShop();

const ZEBRA = 'Warehouse Zebra';
const A4 = 'Warehouse A4';
const byHash = {
	resource: 'label',
	operation: 'sendToPrinter',
	hash: '={{ $json.hash }}',
	printerName: '={{ $json.printer }}',
};

/** Items with a new hash each, from Create Label Files. */
async function itemsFor(...printers: string[]): Promise<IDataObject[]> {
	const print = { resource: 'label', operation: 'print', download: false };
	return await Promise.all(
		shop.sandbox.seedShipments(printers.length).map(async ({ id }, index) => {
			const { items } = await shop.engine.run({ parameters: { ...print, shipmentIds: id } });
			return { hash: String(items[0]?.json.hash), printer: printers[index] };
		}),
	);
}

/** Two shipments of one carrier, and one of another. */
const shipmentsFor = (...printers: string[]) =>
	[
		...shop.sandbox.seedShipments(2),
		...shop.sandbox.seedShipments(1, { serviceType: 'CRANE-EU' }),
	].flatMap(({ id }, index): IDataObject[] =>
		printers[index] ? [{ id, printer: printers[index] }] : [],
	);

type More = Partial<RunSettings> & { options?: IDataObject };
const runWith =
	(form: INodeParameters) =>
	async (items: IDataObject[], { options = {}, ...more }: More = {}) =>
		shop.engine.run({ parameters: { ...form, options } as INodeParameters, items, ...more });
const run = runWith(byHash);
const printShipments = runWith({ ...byHash, labels: 'shipments', shipmentIds: '={{ $json.id }}' });

const jobs = () =>
	shop.sandbox.database
		.printJobs()
		.map(({ hash, printerName }) => ({ hash, printer: printerName }));
const labelCounts = () =>
	shop.sandbox.database.printJobs().map(({ printerName, count }) => `${printerName}: ${count}`);
const sent = () =>
	shop.sandbox.requests.filter(({ operationId }) => operationId === 'sendToPrinter');
const addFault = (fault: Omit<Fault, 'operation'>) => shop.fault('sendToPrinter', { ...fault });
const jam = (skip = 0) =>
	addFault({ kind: 'status', status: 400, body: { message: 'Paper jam' }, skip });

describe('Labels by hash', () => {
	test('are printed, and the output says where', async () => {
		const [item] = (await itemsFor(ZEBRA)) as [IDataObject];
		const { items } = await run([item]);
		const { hash } = item;
		const printer = `Label printer by the gate (${ZEBRA})`;
		const correlationId = expect.any(String);
		const json = { hash, printerName: ZEBRA, printer, printed: true, correlationId };
		expect(items).toEqual([{ json, pairedItem: [{ item: 0 }] }]);
		expect(jobs()).toEqual([item]);
	});

	test('are printed once per batch, although each of its shipments has the hash', async () => {
		const [first, second] = (await itemsFor(ZEBRA, ZEBRA)) as [IDataObject, IDataObject];
		const { items, hints } = await run([first, second, second, first]);
		expect(jobs()).toEqual([first, second]);
		expect(linksOf(items)).toEqual([0, 1, 2, 3]);
		const printedWith = items.map(({ json }) => json.printedWithItem);
		expect(printedWith).toEqual([undefined, undefined, 1, 0]);
		expect(hints.join(' ')).toContain('4 items have the same hash and printer as another item');
	});

	test('are printed again for each item with Repeat, and in each round of a loop', async () => {
		const [item] = (await itemsFor(ZEBRA)) as [IDataObject];
		const { items } = await run([item, item], { options: { repeat: true } });
		expect(linksOf(items)).toEqual([0, 1]);
		await run([item], { rounds: 3, tries: 2 });
		expect(jobs()).toEqual(Array(5).fill(item));
	});

	test('are sent to one printer in input order, and to several printers in parallel', async () => {
		const input = await itemsFor(ZEBRA, A4, ZEBRA, ZEBRA);
		addFault({ kind: 'latency', ms: 60, times: Infinity });
		const { items } = await run(input);
		expect(items.map(({ json }) => json.hash)).toEqual(input.map(({ hash }) => hash));
		const [first, second, third] = sent().filter(
			({ body }) => (body as IDataObject).printerName === ZEBRA,
		);
		expect(jobs().filter(({ printer }) => printer === ZEBRA)).toEqual(
			input.filter(({ printer }) => printer === ZEBRA),
		);
		expect(second?.at).toBeGreaterThanOrEqual(first?.finishedAt ?? Infinity);
		expect(third?.at).toBeGreaterThanOrEqual(second?.finishedAt ?? Infinity);
		expect(sent()[1]?.at).toBeLessThan(sent()[0]?.finishedAt ?? 0);
	});

	test.each<[string, INodeParameters[string]]>([
		['from the list', { __rl: true, mode: 'list', value: ZEBRA, cachedResultName: 'By the gate' }],
		['by name', { __rl: true, mode: 'name', value: '={{ $json.printer }}' }],
	])('are printed on a printer chosen %s', async (_, printerName) => {
		const items = await itemsFor(ZEBRA);
		await run(items, { parameters: { ...byHash, printerName } });
		expect(jobs()).toEqual(items);
	});
});

describe('Labels of shipments', () => {
	test('are printed in one job per carrier, new and existing shipments alike', async () => {
		const { items } = await printShipments(shipmentsFor(ZEBRA, ZEBRA, ZEBRA));
		expect(items.map(({ json }) => json)).toMatchObject([
			{ carrierCode: 'ANT', labelsCount: 2, printerName: ZEBRA, printed: true },
			{ carrierCode: 'CRANE', labelsCount: 1, printerName: ZEBRA, printed: true },
		]);
		expect(labelCounts()).toEqual([`${ZEBRA}: 2`, `${ZEBRA}: 1`]);
		expect(items[1]?.pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	});

	test.each([1, 4])(
		'are printed once on the printer of each item, also with Retry On Fail (%i at a time)',
		async (maxConcurrency) => {
			const items = shipmentsFor(ZEBRA, ZEBRA);
			jam();
			const input = [...items, ...items, { ...items[1], printer: A4 }];
			await printShipments(input, { options: { maxConcurrency }, tries: 3 });
			expect(labelCounts().sort()).toEqual([`${A4}: 1`, `${ZEBRA}: 2`]);
		},
	);
});

test('Items without hash or printer are all named before anything is sent', async () => {
	const { error } = await run([{ hash: null, printer: ZEBRA }, { hash: 'a' }]);
	expect(error?.message).toBe('Hash of item 0 is empty');
	expect(error?.description).toContain(
		"Set 'Labels' to 'Of Shipments' and 'Shipment IDs' to {{ $json.id }}",
	);
	expect(error?.description).toContain('Item 1: Printer is empty');
	expect(shop.sandbox.requests).toEqual([]);
});

describe('A refused print job', () => {
	const refusals: Array<[string, string, string]> = [
		['Cellar', 'Could not send the labels to printer "Cellar": There is no printer', 'spelling'],
		[
			'Attic',
			'Could not send the labels to printer "Old printer upstairs (Attic)": Printer',
			'switched on',
		],
		['Front Desk', 'Printer "Reception (Front Desk)" did not accept the labels', 'has paper'],
		['laser by the gate', 'There is no printer', 'has it under the name "Warehouse A4"'],
	];

	test.each(refusals)('on %s says why, and the other item is printed', async (...refusal) => {
		const [printer, message, advice] = refusal;
		const input = await itemsFor(printer, ZEBRA);
		const { items, errorItems } = await run(input, { onError: 'continueErrorOutput' });
		expect(linksOf(items)).toEqual([1]);
		expect(linksOf(errorItems)).toEqual([0]);
		expect(errorItems[0]?.json.error).toContain(message);
		expect(errorItems[0]?.json.message).toContain(advice);
		const { hash } = input[0] as IDataObject;
		expect(errorItems[0]?.json.details).toMatchObject({ hash, printerName: printer });
		const { items: continued } = await run(input, { onError: 'continueRegularOutput' });
		expect(Object.keys(continued[0]?.json ?? {})).toEqual(['error', 'message', 'details']);
		const stopped = await run(input);
		expect(stopped.error?.message).toContain(message);
		expect(stopped.items).toEqual([]);
	});

	test('for a hash older than 14 days says that it has expired and what to do', async () => {
		const items = await itemsFor(ZEBRA);
		shop.sandbox.advance(14 * 24 + 1);
		const { error } = await run(items);
		expect(error?.message).toContain('The print hash has expired');
		expect(error?.description).toContain("set 'Labels' to 'Of Shipments'");
		addFault({ kind: 'status', status: 400, body: { message: 'Print job expired' } });
		const withOtherStatus = await run(items);
		expect(withOtherStatus.error?.message).toBe('The print hash has expired: Print job expired');
	});

	test('stops the run, and the error lists the printed items', async () => {
		const items = await itemsFor(ZEBRA, ZEBRA, ZEBRA);
		jam(1);
		const { error } = await run(items);
		expect(error?.message).toContain('Paper jam');
		expect(error?.description).toContain('Already printed: item 0.');
		expect(jobs()).toEqual(items.slice(0, 1));
		expect(sent()).toHaveLength(2);
	});

	test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'is sent again with Retry On Fail and %s, and the others are printed once',
		async (onError) => {
			const input = await itemsFor('Attic', ZEBRA);
			const { items, errorItems } = await run(input, { onError, tries: 3 });
			expect(jobs()).toEqual(input.slice(1));
			expect(sent()).toHaveLength(4);
			expect(linksOf([...errorItems, ...items])).toEqual([0, 1]);
		},
	);
});

test('Labels are printed also if the service has no list of printers', async () => {
	shop.fault('findPrinters', { kind: 'status', status: 404 });
	const engineOfOther = await startEngine({
		...sandboxCredential(shop.sandbox.url),
		queryName: 'other',
	});
	const items = await itemsFor(ZEBRA);
	const printed = await engineOfOther.run({ parameters: byHash, items });
	expect(printed.items[0]?.json).toMatchObject({ printerName: ZEBRA, printer: ZEBRA });
});

describe('A print job that may have been carried out is not sent again after', () => {
	test.each<[string, Omit<Fault, 'operation'>]>([
		['no response in time', { kind: 'noResponse', when: 'after' }],
		['a connection reset', { kind: 'reset', when: 'after' }],
		['500', { kind: 'status', status: 500, when: 'after' }],
		['half a body', { kind: 'halfBody', when: 'after' }],
		['a web page', { kind: 'html', when: 'after' }],
		['result null', { kind: 'nullResult', when: 'after' }],
	])('%s', async (_, fault) => {
		const input = await itemsFor(ZEBRA, ZEBRA);
		addFault(fault);
		const { items, errorItems } = await run(input, {
			options: { timeout: 400 },
			onError: 'continueErrorOutput',
			tries: 3,
		});
		expect(jobs()).toEqual(input);
		expect(linksOf(items)).toEqual([1]);
		expect(errorItems[0]?.json.error).toContain(
			`The labels may or may not have been printed on "Label printer by the gate (${ZEBRA})"`,
		);
		expect(errorItems[0]?.json.message).toContain('Check the printer first');
		const { hash } = input[0] as IDataObject;
		expect(errorItems[0]?.json.details).toMatchObject({ hash, printerName: ZEBRA });
	});
});
