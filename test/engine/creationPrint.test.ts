import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { creationForm, orderItem, orderOf } from '../support/shop';

import type { IDataObject } from 'n8n-workflow';

import { type Fault, type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const ZEBRA = 'Warehouse Zebra';
const A4 = 'Warehouse A4';
const orders = [orderOf('ANT', 'P-1'), orderOf('CRANE', 'P-2'), orderOf('ANT', 'P-3')];

const run = async (
	items: IDataObject[] = orders,
	options: IDataObject = {},
	more: Partial<Parameters<Engine['run']>[0]> = {},
) => engine.run({ parameters: creationForm({ printerName: ZEBRA, ...options }), items, ...more });
const printedJobs = () =>
	sandbox.database.printJobs().map(({ printerName, count }) => [printerName, count]);
const asked = (operation: string) =>
	sandbox.requests.filter(({ operationId }) => operationId === operation).length;
const fields = (items: Array<{ json: IDataObject }>, ...names: string[]) =>
	items.map(({ json }) => names.map((name) => json[name]));
const addFault = (fault: Omit<Fault, 'operation'>) =>
	sandbox.fault({ operation: 'sendToPrinter', ...fault });

describe('Print After Creating', () => {
	test('prints each batch once and says where', async () => {
		const { items, error } = await run();
		expect(error).toBeUndefined();
		expect(fields(items, 'packageNumberCustom', 'printedOn', 'labelNotPrinted')).toEqual([
			['P-1', ZEBRA, undefined],
			['P-2', ZEBRA, undefined],
			['P-3', ZEBRA, undefined],
		]);
		expect(printedJobs().sort()).toEqual([
			[ZEBRA, 1],
			[ZEBRA, 2],
		]);
		expect(asked('printLabels')).toBe(0);
	});

	test('prints nothing without the option', async () => {
		const { items } = await engine.run({ parameters: creationForm(), items: orders });
		expect(printedJobs()).toEqual([]);
		expect(items[0]?.json).not.toHaveProperty('printedOn');
	});

	test('prints all pieces of a shipment', async () => {
		const { items } = await run([orderItem('P-1', { pieceCount: 3 })]);
		expect(fields(items, 'printedOn')).toEqual([[ZEBRA], [ZEBRA], [ZEBRA]]);
		expect(printedJobs()).toEqual([[ZEBRA, 3]]);
	});

	test('prints on the printer of each item', async () => {
		const items = orders.map((order, index) => ({ ...order, printer: index === 0 ? A4 : ZEBRA }));
		const result = await run(items, { printerName: '={{ $json.printer }}' });
		expect(fields(result.items, 'printedOn')).toEqual([[A4], [ZEBRA], [ZEBRA]]);
		expect(printedJobs().sort()).toEqual([
			[A4, 1],
			[ZEBRA, 1],
			[ZEBRA, 1],
		]);
	});

	test('with One Item per Batch, says it in the batch and in its shipments', async () => {
		const { items } = await run(orders, { output: 'batches' });
		expect(fields(items, 'carrierCode', 'printedOn')).toEqual([
			['ANT', ZEBRA],
			['CRANE', ZEBRA],
		]);
		expect(items[0]?.json.shipments).toMatchObject([{ printedOn: ZEBRA }, { printedOn: ZEBRA }]);
	});

	test('refuses an item without a printer before anything is sent', async () => {
		const { error } = await run(orders, { printerName: '={{ $json.printer }}' });
		expect(error?.message).toBe('Print After Creating of item 0 is empty');
		expect(asked('createShipments')).toBe(0);
	});

	test('reports a missing printer together with the other problems of the item', async () => {
		const { error } = await run([orderItem('P-1', { recPhone: 'none' })], {
			printerName: '={{ $json.printer }}',
		});
		expect(error?.message).toContain('Print After Creating of item 0 is empty');
		expect(error?.message).toContain('Invalid Recipient Phone: "none"');
	});

	test('refuses only the item whose printer has no value', async () => {
		const items = orders.map((order, index) => ({ ...order, printer: index === 1 ? null : ZEBRA }));
		const { items: output, errorItems } = await run(
			items,
			{ printerName: '={{ $json.printer.trim() }}' },
			{ onError: 'continueErrorOutput' },
		);
		expect(fields(output, 'printedOn')).toEqual([[ZEBRA], [ZEBRA]]);
		expect(errorItems.map(({ json }) => json.error)).toEqual([
			'Print After Creating of item 1 is empty',
		]);
	});

	test('in a Dry Run prints nothing and says what it would print', async () => {
		await engine.run({ parameters: creationForm(), items: orders.slice(0, 1) });
		await run(orders.slice(1, 2));
		const jobs = printedJobs();
		const { items } = await run(orders, { dryRun: true });
		expect(fields(items, 'wouldDo', 'wouldPrintOn', 'labelNotPrinted')).toEqual([
			['reuse', ZEBRA, undefined],
			['reuse', null, expect.stringContaining('this label was printed before')],
			['create', ZEBRA, undefined],
		]);
		expect(printedJobs()).toEqual(jobs);
	});
});

describe('An existing shipment is printed', () => {
	test('if its record says that it was not printed', async () => {
		await engine.run({ parameters: creationForm(), items: orders });
		const { items } = await run();
		expect(fields(items, 'alreadyExisted', 'printedOn')).toEqual(Array(3).fill([true, ZEBRA]));
		expect(items.every(({ json }) => String(json.labelsHash).length === 32)).toBe(true);
		expect(printedJobs().sort()).toEqual([
			[ZEBRA, 1],
			[ZEBRA, 2],
		]);
	});

	test('not again in the next run, which says so', async () => {
		await run();
		const { items, hints } = await run();
		expect(fields(items, 'alreadyExisted', 'printedOn', 'labelNotPrinted')).toEqual(
			Array(3).fill([true, undefined, expect.stringContaining('this label was printed before')]),
		);
		expect(hints).toContain('3 labels were not printed. See labelNotPrinted in the output.');
		expect(printedJobs()).toHaveLength(2);
	});

	test('not if no record of the service says whether it was printed', async () => {
		await engine.run({ parameters: creationForm(), items: orders });
		type Records = { result: IDataObject[] | { data: IDataObject[] } };
		const rewrite = (answer: Records) =>
			JSON.parse(JSON.stringify(answer, (key, value) => (key === 'printed' ? null : value)));
		for (const operation of ['findShipments', 'getShipment'] as const) {
			sandbox.fault({ operation, kind: 'body', times: Infinity, rewrite: rewrite as never });
		}
		const { items } = await run();
		expect(fields(items, 'alreadyExisted', 'printedOn', 'labelNotPrinted')).toEqual(
			Array(3).fill([
				true,
				undefined,
				'The service does not say whether the label of this existing shipment was printed. To print it, use Label: Send to Printer',
			]),
		);
		expect(printedJobs()).toEqual([]);
	});

	test('also if the list of the service says little, after reading its detail', async () => {
		const documented = await startSandbox({ listRecords: 'documented' });
		const other = await startEngine(sandboxCredential(documented.url));
		await other.run({ parameters: creationForm(), items: orders.slice(0, 1) });
		const parameters = creationForm({ printerName: ZEBRA });
		const { items } = await other.run({ parameters, items: orders.slice(0, 1) });
		expect(items[0]?.json).toMatchObject({ alreadyExisted: true, printedOn: ZEBRA });
		await documented.close();
	});
});

describe('If printing fails, the shipments are output and marked', () => {
	test.each([
		['Attic', 'Could not send the labels to printer "Attic"'],
		['Front Desk', 'Printer "Front Desk" did not accept the labels'],
	])('on printer %s', async (printerName, reason) => {
		const { items, error } = await run(orders, { printerName }, { tries: 3 });
		expect(error).toBeUndefined();
		expect(fields(items, 'packageNumberCustom', 'labelNotPrinted')).toEqual(
			orders.map(({ packageNumberCustom }) => [
				packageNumberCustom,
				expect.stringContaining(reason),
			]),
		);
		expect(sandbox.database.shipments()).toHaveLength(3);
		expect(printedJobs()).toEqual([]);
	});

	test('and the next run prints them', async () => {
		await run(orders, { printerName: 'Attic' });
		const { items } = await run();
		expect(fields(items, 'printedOn')).toEqual([[ZEBRA], [ZEBRA], [ZEBRA]]);
		expect(sandbox.database.shipments()).toHaveLength(3);
	});

	test('with the reason for existing shipments whose labels cannot be created', async () => {
		await engine.run({ parameters: creationForm(), items: orders });
		sandbox.fault({ operation: 'printLabels', kind: 'status', status: 400, times: 9 });
		const { items, error } = await run();
		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
		expect(items.every(({ json }) => String(json.labelNotPrinted).length > 5)).toBe(true);
	});

	test('and the other carrier is printed', async () => {
		addFault({ kind: 'status', status: 400, body: { message: 'Paper jam' } });
		const { items } = await run();
		const printed = items.map(({ json }) => json.printedOn).filter(Boolean);
		expect(printed.length === 1 || printed.length === 2).toBe(true);
		expect(printedJobs()).toHaveLength(1);
	});
});

describe('No job is sent twice', () => {
	const bad = orderItem('P-0', { serviceType: 'ANT-POINT', branchId: 'NOWHERE' });

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'with Retry On Fail and %s, although the first item fails each time',
		async (onError) => {
			await run([bad, ...orders], {}, { tries: 3, onError });
			expect(printedJobs().sort()).toEqual([
				[ZEBRA, 1],
				[ZEBRA, 2],
			]);
			expect(asked('sendToPrinter')).toBe(2);
		},
	);

	test('if its outcome is unknown', async () => {
		addFault({ kind: 'reset', when: 'after' });
		const { items } = await run(
			[bad, ...orders.slice(0, 1)],
			{},
			{ tries: 3, onError: 'continueRegularOutput' },
		);
		expect(items[1]?.json.labelNotPrinted).toContain('may or may not have been printed');
		expect(printedJobs()).toEqual([[ZEBRA, 1]]);
		expect(asked('sendToPrinter')).toBe(1);
	});

	test('if the answer to the creation is lost', async () => {
		sandbox.fault({ operation: 'createShipments', kind: 'reset', when: 'after' });
		const { items } = await run(orders, {}, { tries: 3 });
		expect(fields(items, 'printedOn')).toEqual([[ZEBRA], [ZEBRA], [ZEBRA]]);
		expect(sandbox.database.shipments()).toHaveLength(3);
		expect(printedJobs()).toHaveLength(2);
	});

	test('if the answer is lost and a label was printed before it could be read back', async () => {
		sandbox.fault({ operation: 'createShipments', kind: 'reset', when: 'after' });
		sandbox.fault({ operation: 'findBatches', kind: 'status', status: 400, times: Infinity });
		sandbox.fault({
			operation: 'getShipment',
			kind: 'body',
			rewrite: (answer) =>
				JSON.parse(JSON.stringify(answer, (key, value) => (key === 'printed' ? true : value))),
		});
		const { items } = await run(orders.slice(0, 1));
		expect(fields(items, 'recovered', 'printedOn', 'labelNotPrinted')).toEqual([
			[true, undefined, expect.stringContaining('this label was printed before')],
		]);
		expect(printedJobs()).toEqual([]);
	});

	test('for existing shipments that are printed again in a retry', async () => {
		await engine.run({ parameters: creationForm(), items: orders });
		await run([bad, ...orders], {}, { tries: 3, onError: 'continueRegularOutput' });
		expect(printedJobs()).toHaveLength(2);
	});

	test('if two executions have the same orders at the same time', async () => {
		addFault({ kind: 'latency', ms: 60, times: 9 });
		const results = await Promise.all([run(), run(), run()]);
		const all = results.flatMap(({ items }) => items);
		expect(all.filter(({ json }) => json.printedOn)).toHaveLength(3);
		expect(all.filter(({ json }) => json.labelNotPrinted)).toHaveLength(6);
		expect(printedJobs()).toHaveLength(2);
	});

	test('for a shipment without a batch, if the retry prints others with it', async () => {
		sandbox.fault({ operation: 'createShipments', kind: 'status', status: 400 });
		sandbox.fault({
			operation: 'createShipments',
			kind: 'body',
			rewrite: ({ result }: IDataObject) => ({ result }),
			times: 9,
		});
		const items = orders.filter(({ carrierCode }) => carrierCode === 'ANT');
		const result = await run(
			items,
			{ batchSize: 1, maxConcurrency: 1 },
			{ tries: 2, onError: 'continueRegularOutput' },
		);
		expect(fields(result.items, 'printedOn')).toEqual([[ZEBRA], [ZEBRA]]);
		const printed = sandbox.database.printJobs().flatMap(({ shipmentIds }) => shipmentIds);
		expect(printed.sort()).toEqual(sandbox.database.shipments().map(({ id }) => id));
	});

	test('and a run that fails prints nothing, but the next one prints what exists', async () => {
		const { error } = await run([...orders, bad]);
		expect(error).toBeDefined();
		expect(printedJobs()).toEqual([]);
		const { items } = await run();
		expect(fields(items, 'printedOn')).toEqual([[ZEBRA], [ZEBRA], [ZEBRA]]);
	});
});
