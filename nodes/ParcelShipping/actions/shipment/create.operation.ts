import type { IDataObject } from 'n8n-workflow';

import { createShipments, openCreationJournal } from '../../creation/createShipments';
import { LookUp, readOffers } from '../../creation/lookUp';
import { describeCreated, hintsOf, previewCreation, toItems } from '../../creation/output';
import { addPrintPreview, printCreated, type PrinterOf } from '../../creation/print';
import { createFields, readCreationOptions } from '../../descriptions/createForm';
import { attachLabels } from '../../labels/files';
import type { CreationOptions } from '../../orders/form';
import { referenceOf } from '../../orders/order';
import { type FormValues, readForm } from '../../orders/readForm';
import { type ReadOrders, readOrders } from '../../orders/readOrders';
import { type ItemResult, nameFailedItems, type NodeRun, showHints } from '../../run';
import { withLock } from '../../writes/lock';
import type { BulkOperation } from '../operation';

export const operation: BulkOperation = {
	name: 'Create',
	value: 'create',
	action: 'Create a shipment',
	description:
		'Create a shipment for each item: one request per carrier and batch, and none is sent twice',
	fields: createFields,

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

	describeCompleted(results, context) {
		return describeCreated(results, context.getNodeParameter('options.ifExists', 0, 'reuse'));
	},
};

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
	{ orders, invalid }: ReadOrders,
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
	showHints(run, hintsOf(outcomes, nameFailedItems(run), refused.length));
	const created: ItemResult[] = [
		...refused.map(({ itemIndex, failure }) => ({ items: [itemIndex], failure })),
		...toItems(outcomes, options),
	];
	// A run that fails prints nothing: the next one prints the shipments that exist then.
	if (stopOnError && created.some((result) => 'failure' in result)) return created;

	const results = printerOf
		? await printCreated(run, created, outcomes, { ...options, printerOf })
		: created;
	return options.downloadLabels ? await attachLabels(run, results) : results;
}

async function preview(
	run: NodeRun,
	options: CreationOptions,
	{ orders, invalid }: ReadOrders,
	printerOf: PrinterOf | undefined,
): Promise<ItemResult[]> {
	const { client } = run;
	const found = await new LookUp(client).findExisting(orders, options);
	const outputs = await previewCreation(invalid, found, (carrierCode) =>
		client.creationEndpoint(options.carrierEndpoint, carrierCode),
	);
	return printerOf
		? await addPrintPreview(run, outputs, found.outcomes, { ...options, printerOf })
		: outputs;
}
