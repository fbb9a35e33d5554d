import type { IDataObject } from 'n8n-workflow';

import { createShipments } from '../../creation/createShipments';
import { hintsOf } from '../../creation/hints';
import { describeCreated, describeUnsentOrders } from '../../creation/messages';
import { readOffers } from '../../creation/offers';
import { itemsOf, toItems } from '../../creation/output';
import { previewCreation } from '../../creation/preview';
import { printCreated, type PrinterOf } from '../../creation/print';
import type { Creation, CreationRun } from '../../creation/types';
import { createFields, readCreationOptions } from '../../descriptions/createForm';
import { confirmCreationField, modelNotice, requireConfirm } from '../../descriptions/tools';
import { attachLabels } from '../../labels/files';
import type { CreationOptions } from '../../orders/form';
import { type InvalidItem, type Order, referenceOf } from '../../orders/order';
import { type FormValues, readForm } from '../../orders/readForm';
import { type ReadOrders, readOrders } from '../../orders/readOrders';
import { type ItemResult, nameFailedItems, type NodeRun, showHints } from '../../run';
import { ShipmentRecords } from '../../transport/shipmentRecords';
import { Journal } from '../../writes/journal';
import { withLock } from '../../writes/lock';
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
		const read = await readOrdersWithOffers(run, form, options);
		showHints(run, read.hints);
		const printerOf: PrinterOf | undefined = form.some(
			({ printerName }) => printerName !== undefined,
		)
			? (itemIndex) => form[itemIndex]?.printerName ?? ''
			: undefined;
		return options.dryRun
			? await previewCreation(run, read, options, printerOf)
			: await create(run, read, options, printerOf);
	},

	describeCompleted(results, context) {
		const ifExists = context.getNodeParameter('options.ifExists', 0, 'reuse');
		return describeCreated(results, context.getInputData().length, ifExists);
	},

	describeUnsent(results, context) {
		return describeUnsentOrders(results, context.getInputData().length);
	},
};

async function readOrdersWithOffers(
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

/**
 * The order of steps, while no other execution of this process creates one of these orders:
 * `createShipments` (it names its own steps), output, printing. Label files are read without the lock.
 */
async function create(
	run: NodeRun,
	{ orders, invalid }: ReadOrders,
	options: CreationOptions,
	printerOf: PrinterOf | undefined,
): Promise<ItemResult[]> {
	const { context, client } = run;
	// The key of an order is its item, because its values may change in a retry (a reference made of the
	// current time, a corrected address), and it must not be sent again because of that.
	const keyOf = ({ itemIndex }: Order) => String(itemIndex);
	const journal = new Journal<Creation>(context, 'create', keyOf);
	const stopOnError = !context.continueOnFail();
	const { doneOrPending } = journal;
	const hasInvalid = withoutItemsOf(doneOrPending, invalid).length > 0;
	// A run that ends with an error outputs only what earlier tries have created.
	const toCreate = stopOnError && hasInvalid ? [] : orders;
	const records = new ShipmentRecords(client);
	const creation: CreationRun = { context, client, records, journal, options };
	const isFailed = (results: ItemResult[]) =>
		stopOnError && results.some((result) => 'failure' in result);

	const locks = [...toCreate, ...doneOrPending].map((order) =>
		JSON.stringify([client.address.origin, referenceOf(order)]),
	);
	const results = await withLock(locks, async () => {
		const outcomes = await createShipments(toCreate, creation);
		// An invalid item has failed after all if its order, pending until now, turned out not to exist.
		const refused = withoutItemsOf(
			outcomes.flatMap(({ targets }) => targets),
			invalid,
		);
		const created: ItemResult[] = [
			...refused.map(({ itemIndex, failure }) => ({ items: [itemIndex], failure })),
			...toItems(outcomes, options),
		];
		// A run that fails prints nothing: the next one prints the shipments that exist then.
		const {
			results: all,
			hints,
			printedOn,
		} = printerOf && !isFailed(created)
			? await printCreated(run, created, outcomes, { ...options, printerOf })
			: { results: created, hints: [], printedOn: [] };
		const failedCount = created.filter((result) => 'failure' in result).length;
		const more = { failedCount, printedOn };
		showHints(run, [...hintsOf(outcomes, nameFailedItems(run), more), ...hints]);
		return all;
	});
	return options.downloadLabels && !isFailed(results) ? await attachLabels(run, results) : results;
}

/** The invalid items that belong to none of these orders. */
function withoutItemsOf(orders: readonly Order[], invalid: readonly InvalidItem[]): InvalidItem[] {
	const items = new Set(itemsOf(orders));
	return invalid.filter(({ itemIndex }) => !items.has(itemIndex));
}
