import type { IDataObject } from 'n8n-workflow';

import { createAndPrint } from '../../creation/createAndPrint';
import { previewCreation } from '../../creation/preview';
import { readOffers } from '../../creation/readOffers';
import type { PrinterOf } from '../../creation/print';
import { describeCreated, describeUnsentItems } from '../../creation/runError';
import { createFields, readCreationOptions } from '../../descriptions/createForm';
import { confirmCreationField, modelNotice, requireConfirm } from '../../descriptions/tools';
import { type CheckedOrders, checkOrders } from '../../orders/check';
import { codesOf } from '../../orders/order';
import { type OrderDraft, readOrders } from '../../orders/readOrders';
import { type NodeRun, showHints } from '../../run';
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
			timezone: run.context.getTimezone(),
		});
		if (!options.dryRun) {
			for (const item of run.items.keys()) {
				requireConfirm(run.context, item, 'created', 'A shipment costs money.');
			}
		}
		const drafts = await readOrders(run.context, run.items, options);
		const read = await checkWithOffers(run, drafts);
		showHints(run, read.hints);
		const printerOf: PrinterOf | undefined = drafts.some(
			({ printerName }) => printerName !== undefined,
		)
			? (itemIndex) => drafts[itemIndex]?.printerName ?? ''
			: undefined;
		return options.dryRun
			? await previewCreation(run, read, options, printerOf)
			: await createAndPrint(run, read, options, printerOf);
	},

	describeCompleted(results, context) {
		return describeCreated(results, context.getInputData().length);
	},

	describeUnsent(results, context) {
		return describeUnsentItems(results, context.getInputData().length);
	},
};

async function checkWithOffers(
	{ client }: NodeRun,
	drafts: readonly OrderDraft[],
): Promise<CheckedOrders> {
	try {
		const offers = await readOffers(
			client,
			drafts.map(({ order }) => codesOf(order)),
		);
		return await checkOrders(drafts, offers);
	} catch (failure) {
		// The run goes on, because the shipments of an earlier try must still be output. Only an option that cannot be
		// read ends it before.
		return {
			orders: [],
			invalid: drafts.map((_, itemIndex) => ({ itemIndex, failure })),
			hints: [],
		};
	}
}
