import type { IDataObject } from 'n8n-workflow';

import { createShipments } from '../../creation/createShipments';
import { creationFieldNames, creationFields } from '../../orders/fields';
import { Ledger } from '../../creation/ledger';
import { withLock } from '../../writes/lock';
import { LookUp } from '../../creation/lookUp';
import { readOffers } from '../../creation/offers';
import { describeCreated, hintsOf, previewCreation, toOutput } from '../../creation/output';
import type { CreationOptions } from '../../orders/form';
import { referenceOf } from '../../orders/order';
import { type FormValues, readForm } from '../../orders/readForm';
import { type ReadOrders, readOrders } from '../../orders/readOrders';
import type { OrderResult } from '../../creation/types';
import { carrierFields } from '../../descriptions/carrierRules';
import {
	creationOptionsField,
	readCreationOptions,
	serviceNeedsNotice,
	shipmentField,
} from '../../descriptions/createForm';
import { attachLabels } from '../../labels/attachLabels';
import { previewPrinting, printCreated, type PrinterOf } from '../../labels/printCreated';
import { openPrintLedger } from '../../labels/printLedger';
import { addPrintPreview, addPrintResults, printHints } from '../../labels/printResults';
import { endpointOf, fillPath } from '../../transport/endpoints';
import type { BulkOperation, ItemResult, NodeRun } from '../operation';

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
		const form = await readForm(run.context, run.items);
		const read = await check(run, form, options);
		showHints(run, read.hints);
		const printerOf: PrinterOf | undefined = form.some(
			({ printerName }) => printerName !== undefined,
		)
			? (itemIndex) => form[itemIndex]?.printerName ?? ''
			: undefined;
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

async function check(
	{ client }: NodeRun,
	form: readonly FormValues[],
	options: CreationOptions,
): Promise<ReadOrders> {
	try {
		return await readOrders(form, await readOffers(client, form), options);
	} catch (failure) {
		// The run goes on, because the shipments of an earlier try must still be output.
		return { orders: [], invalid: form.map((_, itemIndex) => ({ itemIndex, failure })), hints: [] };
	}
}

async function create(
	run: NodeRun,
	options: CreationOptions,
	{ orders, invalid: refused }: ReadOrders,
	printerOf: PrinterOf | undefined,
): Promise<ItemResult[]> {
	const { context, client } = run;
	const stopOnError = !context.continueOnFail();
	const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
	const ledger = new Ledger(context.getContext('node'), runIndex);
	const invalid = refused.filter(({ itemIndex }) => !ledger.has(itemIndex));

	const results = await createShipments(
		{ references: orders.map(referenceOf), checked: Promise.resolve({ orders, invalid }) },
		{ client, settings: { ...options, stopOnError }, ledger },
	);
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
	{ orders, invalid }: ReadOrders,
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
