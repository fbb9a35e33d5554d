import type { IDataObject } from 'n8n-workflow';

import { createShipments, findRepeated, openCreationJournal } from '../../creation/createShipments';
import { creationFieldNames, creationFields } from '../../orders/fields';
import { LookUp } from '../../creation/lookUp';
import { repeatedReferenceError } from '../../creation/messages';
import {
	describeCreated,
	hintsOf,
	type InvalidItem,
	previewCreation,
	toItems,
} from '../../creation/output';
import { readOrders } from '../../orders/readOrders';
import type { LookUpScope } from '../../creation/types';
import { carrierFields } from '../../descriptions/carrierRules';
import {
	creationOptionsField,
	type CreationOptions,
	readCreationOptions,
	serviceNeedsNotice,
	shipmentField,
} from '../../descriptions/createForm';
import { itemParameter } from '../../descriptions/itemParameter';
import {
	addPrintPreview,
	addPrintResults,
	previewPrinting,
	printCreated,
	type PrinterOf,
	printHints,
} from '../../creation/print';
import { attachLabels } from '../../labels/attach';
import { today } from '../../labels/files';
import { withLock } from '../../writes/lock';
import { ItemError } from '../../transport/errors';
import { endpointOf, fillPath } from '../../transport/endpoints';
import type { BulkOperation } from '../operation';
import { type Order, referenceOf } from '../../orders/order';
import { type ItemResult, type NodeRun, showHints } from '../../run';

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
		const read = await readItems(run, options, printerOf);
		if (options.dryRun) return await preview(run, options, read, printerOf);
		// Another execution with the same orders waits until their labels are printed, too.
		const printKeys = printerOf
			? read.orders.map((order) =>
					JSON.stringify(['print', run.client.address.origin, referenceOf(order)]),
				)
			: [];
		return await withLock(printKeys, async () => create(run, options, read, printerOf));
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
): Promise<ReadItems> {
	try {
		const { checked } = await readOrders(run, options);
		const read = await checked;
		showHints(run, read.hints);
		const { orders, invalid } = refuseWithoutPrinter(read, printerOf);
		return options.ifExists === 'create'
			? { orders, invalid }
			: refuseRepeated(orders, invalid, options.lookUpScope);
	} catch (failure) {
		// The run goes on, because the shipments of an earlier try must still be output.
		return { orders: [], invalid: run.items.map((_, itemIndex) => ({ itemIndex, failure })) };
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
	{ orders, invalid }: ReadItems,
	printerOf: PrinterOf | undefined,
): Promise<ItemResult[]> {
	const { context, client } = run;
	const stopOnError = !context.continueOnFail();
	const journal = openCreationJournal(context);
	const refused = invalid.filter(({ itemIndex }) => !journal.has(String(itemIndex)));
	const outcomes = await createShipments(orders, context, client, {
		...options,
		stopOnError,
		sendsNothing: stopOnError && refused.length > 0,
	});
	showHints(run, hintsOf(outcomes, refused.length));
	const created: ItemResult[] = [
		...refused.map(({ itemIndex, failure }) => ({ items: [itemIndex], failure })),
		...toItems(outcomes, options.output),
	];
	// A run that fails prints nothing: the next one prints the shipments that exist then.
	if (stopOnError && created.some((result) => 'failure' in result)) return created;

	let results = created;
	if (printerOf) {
		const printed = await printCreated(run, outcomes, printerOf, options.timeout);
		showHints(run, printHints(printed));
		results = addPrintResults(created, printed);
	}
	return options.downloadLabels ? await attachLabels(run, results, today(context)) : results;
}

async function preview(
	run: NodeRun,
	options: CreationOptions,
	{ orders, invalid }: ReadItems,
	printerOf: PrinterOf | undefined,
): Promise<ItemResult[]> {
	const { client } = run;
	const found = await new LookUp(client).findExisting(orders, options);
	const { method, path } = endpointOf(client.creationEndpoint(options.carrierEndpoint));
	const outputs = await previewCreation(
		invalid,
		found,
		(carrierCode) => `${method} ${fillPath(path, { carrier_code: carrierCode })}`,
	);
	return printerOf
		? addPrintPreview(outputs, printerOf, await previewPrinting(run, found.outcomes, printerOf))
		: outputs;
}
