import type { IDataObject } from 'n8n-workflow';

import {
	createShipments,
	openCreationJournal,
	withOrdersLocked,
} from '../../creation/createShipments';
import { LookUp } from '../../creation/lookUp';
import { readOffers } from '../../creation/offers';
import {
	describeCreated,
	describeDone,
	describeUnsent,
	hintsOf,
	itemsOf,
	previewCreation,
	toItems,
} from '../../creation/output';
import { addPrintPreview, printCreated, type PrinterOf } from '../../creation/print';
import { createFields, readCreationOptions } from '../../descriptions/createForm';
import { confirmCreationField, modelNotice, requireConfirm } from '../../descriptions/tools';
import { attachLabels } from '../../labels/files';
import type { OrderOutcome } from '../../creation/types';
import type { CreationOptions } from '../../orders/form';
import type { InvalidItem } from '../../orders/order';
import { type FormValues, readForm } from '../../orders/readForm';
import { type ReadOrders, readOrders } from '../../orders/readOrders';
import { type ItemResult, nameFailedItems, type NodeRun, showHints } from '../../run';
import type { BulkOperation } from '../operation';

export const operation: BulkOperation = {
	name: 'Create',
	value: 'create',
	action: 'Create shipment',
	description:
		'Create a shipment for each item: one request per carrier and batch, and none is sent twice',
	pattern: {
		task: "Ship orders as n8n's WooCommerce node returns them:",
		parameters:
			"orderData: 'wooCommerce', carrierService: { __rl: true, mode: 'code', value: 'ANT/ANT-HOME' }",
		output:
			'packageNumberCustom, packageNumberCarrier, carrierCode, trackingUrl, shopOrderId, id, alreadyExisted, labelsHash',
		note: 'packageNumberCustom is the order number. shopOrderId goes into the Order ID of the node of the shop, and id into Label: Create Label Files. An order of several pieces gives one item per piece.',
	},
	fields: [
		modelNotice(
			"the recipient's name, cash on delivery, shipment numbers and links. With 'Dry Run', and in errors, also address, phone and email.",
		),
		confirmCreationField,
		...createFields,
	],

	async executeAll(run) {
		const options = readCreationOptions({
			...(run.context.getNodeParameter('options', 0, {}) as IDataObject),
			...(run.context.getNodeParameter('moreOptions', 0, {}) as IDataObject),
		});
		if (!options.dryRun) {
			for (const item of run.items.keys()) {
				requireConfirm(run.context, item, 'created', 'A shipment costs money.');
			}
		}
		const form = await readForm(run.context, run.items, options);
		const read = await check(run, form, options);
		showHints(run, read.hints);
		const printerOf: PrinterOf | undefined = form.some(
			({ printerName }) => printerName !== undefined,
		)
			? (itemIndex) => form[itemIndex]?.printerName ?? ''
			: undefined;
		if (options.dryRun) return await preview(run, options, read, printerOf);
		return await create(run, options, read, printerOf);
	},

	describeCompleted(results, context) {
		const ifExists = context.getNodeParameter('options.ifExists', 0, 'reuse');
		return describeCreated(results, context.getInputData().length, ifExists);
	},

	describeUnsent(results, context) {
		return describeUnsent(results, context.getInputData().length);
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
	const requested = [...journal.done, ...journal.pending.map(({ request }) => request)];
	const hasInvalidItem = stopOnError && withoutItemsOf(requested, invalid).length > 0;
	const settings = { ...options, stopOnError, hasInvalidItem };
	const creation = { context, client, journal, lookUp: new LookUp(client), settings };
	const results = await withOrdersLocked(orders, creation, async () => {
		const outcomes = await createShipments(orders, creation);
		// What an earlier try has requested can be free now.
		const refused = withoutItemsOf(outcomes, invalid);
		const hints = hintsOf(outcomes, nameFailedItems(run), refused.length);
		const created: ItemResult[] = [
			...refused.map(({ itemIndex, failure }) => ({ items: [itemIndex], failure })),
			...toItems(outcomes, options),
		];
		// A run that fails prints nothing: the next one prints the shipments that exist then.
		const isFailed = stopOnError && created.some((result) => 'failure' in result);
		const printed =
			printerOf && !isFailed
				? await printCreated(run, created, outcomes, { ...options, printerOf })
				: { results: created, hints: [], printed: [] };
		const done = describeDone(outcomes, printed.printed);
		showHints(run, [...(done === undefined ? [] : [done]), ...hints, ...printed.hints]);
		return printed.results;
	});
	const isFailed = stopOnError && results.some((result) => 'failure' in result);
	return options.downloadLabels && !isFailed ? await attachLabels(run, results) : results;
}

/** The invalid items that belong to none of these orders. */
function withoutItemsOf(
	ofOrders: ReadonlyArray<Pick<OrderOutcome, 'targets'>>,
	invalid: readonly InvalidItem[],
): InvalidItem[] {
	const items = new Set(ofOrders.flatMap(({ targets }) => itemsOf(targets)));
	return invalid.filter(({ itemIndex }) => !items.has(itemIndex));
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
		client.creationEndpoint(carrierCode),
	);
	return printerOf
		? await addPrintPreview(run, outputs, found.outcomes, { ...options, printerOf })
		: outputs;
}
