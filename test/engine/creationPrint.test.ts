import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { fieldsOf, linksOf, valuesOf } from '../support/outputs';
import { orderItem, orderOf, refusedOrder } from '../support/shop';
import { useShop } from '../support/useShop';

const shop = useShop();
const ZEBRA = 'Warehouse Zebra';
const A4 = 'Warehouse A4';
const orders = [orderOf('ANT', 'P-1'), orderOf('CRANE', 'P-2'), orderOf('ANT', 'P-3')];
const refused = refusedOrder('P-0');
const BEFORE = expect.stringContaining('this label was printed before');
const STOP = { onError: 'stopWorkflow' } as const;
const RETRY = { tries: 3, onError: 'continueRegularOutput' } as const;
/** One job per carrier. */
const TWO_JOBS = [
	[ZEBRA, 1],
	[ZEBRA, 2],
];

const print = async (items: IDataObject[] = orders, options: IDataObject = {}, more = {}) =>
	shop.create(items, { printerName: ZEBRA, ...options }, more);
const printedJobs = () =>
	shop.sandbox.database
		.printJobs()
		.map(({ printerName, count }) => [printerName, count])
		.sort();
const printFault = (fault: Omit<Fault, 'operation'>) => shop.fault('sendToPrinter', fault);
/** Changes what the records say about printed labels. */
const rewritePrinted = (operation: 'findShipments' | 'getShipment', printed: boolean | null) =>
	shop.rewrite(
		operation,
		(response: unknown) =>
			JSON.parse(JSON.stringify(response, (key, value) => (key === 'printed' ? printed : value))),
		{ times: Infinity },
	);

describe('Print After Creating', () => {
	test('prints each batch once and says where', async () => {
		const { items, errorItems } = await print();
		expect(errorItems).toEqual([]);
		expect(fieldsOf(items, 'packageNumberCustom', 'printedOn', 'labelNotPrinted')).toEqual([
			['P-1', ZEBRA, undefined],
			['P-2', ZEBRA, undefined],
			['P-3', ZEBRA, undefined],
		]);
		expect(printedJobs()).toEqual(TWO_JOBS);
	});

	test('prints on the printer of each item', async () => {
		const each = orders.map((order, index) => ({ ...order, printer: index === 0 ? A4 : ZEBRA }));
		const { items } = await print(each, { printerName: '={{ $json.printer }}' });
		expect(valuesOf(items, 'printedOn')).toEqual([A4, ZEBRA, ZEBRA]);
		expect(printedJobs()).toEqual([
			[A4, 1],
			[ZEBRA, 1],
			[ZEBRA, 1],
		]);
	});

	test('with One Item per Batch, says it in the batch and in its shipments', async () => {
		const { items } = await print(orders, { output: 'batches' });
		expect(fieldsOf(items, 'carrierCode', 'printedOn')).toEqual([
			['ANT', ZEBRA],
			['CRANE', ZEBRA],
		]);
		expect(items[0]?.json.shipments).toMatchObject([{ printedOn: ZEBRA }, { printedOn: ZEBRA }]);
	});

	test('refuses an item without a printer with its other problems, before anything is sent', async () => {
		const wrong = [orderItem('P-1', { recPhone: 'none' })];
		const { error } = await print(wrong, { printerName: '={{ $json.printer }}' }, STOP);
		expect(error?.message).toContain('P-1: Print After Creating is empty');
		expect(error?.message).toContain('Invalid Recipient Phone: "none"');
		expect(shop.requests('createShipments')).toEqual([]);
	});

	test('in a dry run prints nothing and says what it would print', async () => {
		await shop.create(orders.slice(0, 1));
		await print(orders.slice(1, 2));
		const jobs = printedJobs();
		const { items } = await print(orders, { dryRun: true });
		expect(fieldsOf(items, 'wouldDo', 'wouldPrintOn', 'labelNotPrinted')).toEqual([
			['reuse', ZEBRA, undefined],
			['reuse', null, BEFORE],
			['create', ZEBRA, undefined],
		]);
		expect(printedJobs()).toEqual(jobs);
	});
});

describe('An existing shipment is printed', () => {
	test('once: if its record says that it was not printed', async () => {
		await shop.create(orders);
		const first = await print();
		expect(fieldsOf(first.items, 'alreadyExisted', 'printedOn')).toEqual(
			Array(3).fill([true, ZEBRA]),
		);
		expect(printedJobs()).toEqual(TWO_JOBS);
		const { items, hints } = await print();
		expect(fieldsOf(items, 'alreadyExisted', 'printedOn', 'labelNotPrinted')).toEqual(
			Array(3).fill([true, undefined, BEFORE]),
		);
		expect(hints).toContain('3 labels were printed before, and not printed again.');
		expect(printedJobs()).toEqual(TWO_JOBS);
	});

	test('not if no record of the service says whether it was printed', async () => {
		await shop.create(orders);
		rewritePrinted('findShipments', null);
		rewritePrinted('getShipment', null);
		const { items } = await print();
		expect(fieldsOf(items, 'alreadyExisted', 'printedOn', 'labelNotPrinted')).toEqual(
			Array(3).fill([
				true,
				undefined,
				'The service does not say whether the label of this shipment was printed. To print it, use Label: Send to Printer',
			]),
		);
		expect(printedJobs()).toEqual([]);
	});

	describe('at a service whose list has few fields', () => {
		const other = useShop({ listRecords: 'documented' });

		test('after reading its detail', async () => {
			await other.create(orders.slice(0, 1));
			const { items } = await other.create(orders.slice(0, 1), { printerName: ZEBRA });
			expect(fieldsOf(items, 'alreadyExisted', 'printedOn')).toEqual([[true, ZEBRA]]);
		});
	});
});

describe('A label that could not be printed', () => {
	const reasons = [
		['Attic', 'Could not send the labels to printer "Old printer upstairs (Attic)"'],
		['Front Desk', 'Printer "Reception (Front Desk)" did not accept the labels'],
	];
	test.each(reasons)(
		'on printer %s fails, its shipment is output, and the next run prints it',
		async (printerName, reason) => {
			const { items, errorItems, hints } = await print(orders, { printerName });
			expect(valuesOf(items, 'packageNumberCustom')).toEqual(['P-1', 'P-2', 'P-3']);
			const said = expect.stringContaining(reason);
			expect(valuesOf(items, 'labelNotPrinted')).toEqual([said, said, said]);
			expect(fieldsOf(errorItems, 'packageNumberCustom', 'error')).toEqual([
				['P-1', said],
				['P-2', said],
				['P-3', said],
			]);
			expect(linksOf(errorItems)).toEqual(linksOf(items));
			expect(hints).toContain("3 labels were not printed. See the 'Error' output.");
			const next = await print();
			expect(valuesOf(next.items, 'printedOn')).toEqual([ZEBRA, ZEBRA, ZEBRA]);
			expect([shop.shipments().length, printedJobs()]).toEqual([3, TWO_JOBS]);
		},
	);

	test('ends a run without error output, which names the shipments, and the next run prints it', async () => {
		const { error } = await print(orders, { printerName: 'Attic' }, { ...STOP, tries: 3 });
		expect(error?.message).toMatch(/^The label of P-1 was not printed/);
		expect(error?.description).toContain('The label of P-3 was not printed');
		expect(error?.description).toMatch(/These shipments exist .*P-1 \(ID .*P-2 \(ID .*P-3 \(ID /);
		const { items } = await print(orders, {}, STOP);
		expect(valuesOf(items, 'printedOn')).toEqual([ZEBRA, ZEBRA, ZEBRA]);
		expect([shop.shipments().length, printedJobs()]).toEqual([3, TWO_JOBS]);
	});

	test('is only named in the output with If Printing Fails: Continue', async () => {
		const settings = { printerName: 'Attic', ifPrintingFails: 'continue' };
		const { items, error } = await print(orders, settings, STOP);
		expect(error).toBeUndefined();
		expect(valuesOf(items, 'labelNotPrinted').filter(Boolean)).toHaveLength(3);
	});

	test('because the service does not create it fails with the reason', async () => {
		await shop.create(orders);
		shop.fault('printLabels', { kind: 'status', status: 400, times: 9 });
		const { errorItems } = await print();
		expect(valuesOf(errorItems, 'error')).toEqual(
			['P-1', 'P-2', 'P-3'].map(
				(name) =>
					`The label of ${name} was not printed: The service said: Simulated fault: status 400`,
			),
		);
	});
});

describe('No label is printed twice', () => {
	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'with Retry On Fail and %s, although the first item fails each time',
		async (onError) => {
			await print([refused, ...orders], {}, { tries: 3, onError });
			expect(printedJobs()).toEqual(TWO_JOBS);
		},
	);

	test('if the outcome of the job is unknown', async () => {
		printFault({ kind: 'reset', when: 'after' });
		const { items } = await print([refused, ...orders.slice(0, 1)], {}, RETRY);
		expect(items[1]?.json.labelNotPrinted).toContain('may or may not have been printed');
		expect(shop.requests('sendToPrinter')).toHaveLength(1);
	});

	test('if the response is lost and the label was printed before it could be read back', async () => {
		shop.fault('createShipments', { kind: 'reset', when: 'after' });
		shop.fault('findBatches', { kind: 'status', status: 400, times: Infinity });
		rewritePrinted('findShipments', true);
		const { items } = await print(orders.slice(0, 1));
		expect(fieldsOf(items, 'recovered', 'printedOn', 'labelNotPrinted')).toEqual([
			[true, undefined, BEFORE],
		]);
		expect(printedJobs()).toEqual([]);
	});

	test('if two executions have the same orders at the same time', async () => {
		printFault({ kind: 'latency', ms: 60, times: 9 });
		const results = await Promise.all([print(), print(), print()]);
		const items = results.flatMap((run) => run.items);
		expect(valuesOf(items, 'printedOn').filter(Boolean)).toHaveLength(3);
		expect(valuesOf(items, 'labelNotPrinted').filter(Boolean)).toHaveLength(6);
		expect(printedJobs()).toEqual(TWO_JOBS);
	});

	test('by a run that fails, which prints nothing, but the next one prints what exists', async () => {
		const { error } = await print([...orders, refused], {}, STOP);
		expect(error).toBeDefined();
		expect(printedJobs()).toEqual([]);
		const { items } = await print();
		expect(valuesOf(items, 'printedOn')).toEqual([ZEBRA, ZEBRA, ZEBRA]);
	});
});
