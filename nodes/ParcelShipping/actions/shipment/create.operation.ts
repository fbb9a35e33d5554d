import type { IDataObject } from 'n8n-workflow';

import { createShipments, findRepeated } from '../../creation/createShipments';
import { creationFieldNames, creationFields } from '../../orders/fields';
import { Ledger } from '../../creation/ledger';
import { withLock } from '../../writes/lock';
import { LookUp } from '../../creation/lookUp';
import { repeatedReferenceError } from '../../creation/messages';
import {
	describeCreated,
	hintsOf,
	type InvalidItem,
	previewCreation,
	toOutput,
} from '../../creation/output';
import { type ReadOrders, readOrders } from '../../orders/readOrders';
import type { LookUpScope, OrderResult } from '../../creation/types';
import { carrierFields } from '../../descriptions/carrierRules';
import {
	creationOptionsField,
	type CreationOptions,
	readCreationOptions,
	serviceNeedsNotice,
	shipmentField,
} from '../../descriptions/createForm';
import { itemParameter } from '../../descriptions/itemParameter';
import { attachLabels } from '../../labels/attachLabels';
import { previewPrinting, printCreated, type PrinterOf } from '../../labels/printCreated';
import { openPrintLedger } from '../../labels/printLedger';
import { addPrintPreview, addPrintResults, printHints } from '../../labels/printResults';
import { ItemError } from '../../transport/errors';
import type { BulkOperation, ItemResult, NodeRun } from '../operation';
import type { Order } from '../../orders/order';

export const operation: BulkOperation = {
	name: 'Create',
	value: 'create',
	action: 'Create a shipment',
	description:
		'Create a shipment for each item: one request per carrier and batch, and none is sent twice',
	fields: [
		...carrierFields,
		serviceNeedsNotice,
		{ ...shipmentField, builderHint: { propertyHint: shipmentHint() } },
		creationOptionsField,
	],

	async executeAll(run) {
		const options = readCreationOptions(
			run.context.getNodeParameter('options', 0, {}) as IDataObject,
		);
		const printerOf = createPrinterReader(run);
		const reading = await readItems(run, options, printerOf);
		if (options.dryRun) return await preview(run, options, await reading.checked, printerOf);
		// Another execution with the same orders waits until their labels are printed, too.
		const printKeys = printerOf
			? reading.references.map((reference) =>
					JSON.stringify(['print', run.client.address.origin, reference]),
				)
			: [];
		return await withLock(printKeys, async () => create(run, options, reading, printerOf));
	},

	describeCompleted: describeCreated,
};

/** Tells n8n's AI the field names, which the type of a resource mapper does not contain. */
function shipmentHint(): string {
	const required = creationFieldNames.filter((name) => creationFields[name].required);
	const optional = creationFieldNames.filter((name) => !creationFields[name].required);
	return `Set mappingMode to "defineBelow" and value to an object. Required keys: ${required.join(', ')}. Optional keys: ${optional.join(', ')}. Always map the recipient (rec...), and cod, codPrice and codCurrency for cash on delivery.`;
}

interface ReadItems {
	orders: Order[];
	invalid: InvalidItem[];
}

/** Items whose references are known before it is known which of them are valid. */
interface ItemReading {
	references: string[];
	checked: Promise<ReadItems>;
}

/** The printer of each item, '' without a value; undefined if nothing is printed. */
function createPrinterReader({ context, items }: NodeRun): PrinterOf | undefined {
	const name = 'options.printerName';
	// An expression may have no value for the first item.
	const raw: unknown = context.getNodeParameter(name, 0, null, { rawExpressions: true });
	if (raw === null) return undefined;
	const read = itemParameter(context, items, name);
	return (itemIndex) => {
		try {
			const given = read(itemIndex) as { value?: unknown } | string | null | undefined;
			return String((typeof given === 'object' ? given?.value : given) ?? '').trim();
		} catch {
			return '';
		}
	};
}

async function readItems(
	run: NodeRun,
	options: CreationOptions,
	printerOf: PrinterOf | undefined,
): Promise<ItemReading> {
	// The run goes on, because the shipments of an earlier try must still be output.
	const refuseAll = (failure: unknown): ReadItems => ({
		orders: [],
		invalid: run.items.map((_, itemIndex) => ({ itemIndex, failure })),
	});
	const check = (read: ReadOrders): ReadItems => {
		showHints(run, read.hints);
		const { orders, invalid } = refuseWithoutPrinter(read, printerOf);
		return options.ifExists === 'create'
			? { orders, invalid }
			: refuseRepeated(orders, invalid, options.lookUpScope);
	};
	try {
		const { references, checked } = await readOrders(run, options);
		return { references, checked: checked.then(check).catch(refuseAll) };
	} catch (failure) {
		return { references: [], checked: Promise.resolve(refuseAll(failure)) };
	}
}

function refuseWithoutPrinter(
	{ orders, invalid }: ReadItems,
	printerOf: PrinterOf | undefined,
): ReadItems {
	if (!printerOf) return { orders, invalid };
	const without = new Set(orders.filter(({ itemIndex }) => printerOf(itemIndex) === ''));
	const refused = [...without].map((order) => ({
		itemIndex: order.itemIndex,
		order,
		failure: new ItemError(
			`Print After Creating of item ${order.itemIndex} is empty`,
			'Enter the name of a printer, check the result of the expression for this item, or remove the option.',
			{ field: 'printerName', itemIndex: order.itemIndex },
		),
	}));
	return {
		orders: orders.filter((order) => !without.has(order)),
		invalid: [...invalid, ...refused],
	};
}

/** A look-up cannot tell two items with the same reference apart. */
function refuseRepeated(
	orders: Order[],
	invalid: InvalidItem[],
	lookUpScope: LookUpScope,
): ReadItems {
	const repeated = findRepeated(orders, lookUpScope).flatMap((group) =>
		group.map((order) => ({
			itemIndex: order.itemIndex,
			order,
			failure: repeatedReferenceError(group),
		})),
	);
	const isRepeated = new Set(repeated.map(({ order }) => order));
	return {
		orders: orders.filter((order) => !isRepeated.has(order)),
		invalid: [...invalid, ...repeated],
	};
}

async function create(
	run: NodeRun,
	options: CreationOptions,
	{ references, checked }: ItemReading,
	printerOf: PrinterOf | undefined,
): Promise<ItemResult[]> {
	const { context, client } = run;
	const stopOnError = !context.continueOnFail();
	const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
	const ledger = new Ledger(context.getContext('node'), runIndex);
	const withoutEarlier = checked.then(({ orders, invalid }) => ({
		orders,
		invalid: invalid.filter(({ itemIndex }) => !ledger.has(itemIndex)),
	}));

	const results = await createShipments(
		{ references, checked: withoutEarlier },
		{ client, settings: { ...options, stopOnError }, ledger },
	);
	const { invalid } = await withoutEarlier;
	showHints(run, hintsOf(results, options.ifExists, invalid.length));
	const created: ItemResult[] = [
		...invalid.map(({ itemIndex, failure }) => ({ items: [itemIndex], failure })),
		...toOutput(results, options.output, options.ifExists),
	];
	const isThrown = stopOnError && created.some((output) => 'failure' in output);
	// A run that fails prints nothing: the next one prints the shipments that exist then.
	const outputs =
		printerOf && !isThrown ? await print(run, options, results, printerOf, created) : created;
	if (!isThrown && !willRetry(outputs)) ledger.clear();
	return options.downloadLabels && !isThrown
		? await attachLabels(run, outputs, today(run))
		: outputs;
}

async function print(
	run: NodeRun,
	{ timeout }: CreationOptions,
	results: readonly OrderResult[],
	printerOf: PrinterOf,
	outputs: readonly ItemResult[],
): Promise<ItemResult[]> {
	const ledger = openPrintLedger(run.context);
	const printed = await printCreated(run, results, printerOf, ledger, timeout);
	showHints(run, printHints(printed));
	return addPrintResults(outputs, printed);
}

/** *Retry On Fail* runs the node again if the first output item is a failed one. */
function willRetry(outputs: readonly ItemResult[]): boolean {
	const [first] = [...outputs].sort((a, b) => (a.items[0] ?? 0) - (b.items[0] ?? 0));
	return first !== undefined && 'failure' in first;
}

async function preview(
	run: NodeRun,
	options: CreationOptions,
	{ orders, invalid }: ReadItems,
	printerOf: PrinterOf | undefined,
): Promise<ItemResult[]> {
	const { client } = run;
	const found = await new LookUp(client).findExisting(orders, options);
	const outputs = await previewCreation(invalid, found, (carrierCode) =>
		client.creationEndpoint(options.carrierEndpoint, carrierCode),
	);
	return printerOf
		? addPrintPreview(outputs, printerOf, await previewPrinting(run, found.results, printerOf))
		: outputs;
}

function showHints({ context }: NodeRun, hints: readonly string[]): void {
	context.addExecutionHints(
		...hints.map((message) => ({ message, location: 'outputPane' as const })),
	);
}

function today({ context }: NodeRun): string {
	return new Intl.DateTimeFormat('sv-SE', { timeZone: context.getTimezone() }).format();
}
