import type { IDataObject } from 'n8n-workflow';

import { createAndPrint } from '../../creation/createAndPrint';
import { previewCreation } from '../../creation/preview';
import { pickupPointHints, readOffers } from '../../creation/readOffers';
import type { PrinterOf } from '../../creation/print';
import { describeCreated, describeUnsent } from '../../creation/output';
import { createFields, readCreationOptions } from '../../descriptions/createForm';
import { chosenName, printerField } from '../../descriptions/locators';
import { type CheckedOrders, checkOrders } from '../../orders/check';
import { type OrderDraft, readOrders } from '../../orders/readOrders';
import { type NodeRun, showHints } from '../../run';
import type { Operation } from '../operation';

export const operation: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create shipment',
	description: 'Create a shipment for each order, and reuse existing ones',
	fields: createFields,

	async execute(run) {
		const options = readCreationOptions({
			...(run.context.getNodeParameter('options', 0, {}) as IDataObject),
			labels: run.context.getNodeParameter('labels', 0, 'none'),
			timezone: run.context.getTimezone(),
		});
		const drafts = await readOrders(run.context, run.items, options);
		const read = await readOffers(
			run.client,
			drafts.map(({ order }) => order),
		).then(
			async (offers) => checkOrders(drafts, offers),
			// The run goes on, because the shipments of an earlier try must still be output. Only an option that cannot be
			// read ends it before.
			(failure: unknown): CheckedOrders => ({
				orders: [],
				invalid: drafts.map((_, itemIndex) => ({ itemIndex, failure })),
				hints: [],
			}),
		);
		const printerOf = options.labels === 'print' ? readPrinters(run, drafts) : undefined;
		const results = options.dryRun
			? await previewCreation(run, read, options)
			: await createAndPrint(run, read, options, printerOf);
		// After what the run has done.
		showHints(run, [...read.hints, ...(await pickupPointHints(run.client, read.orders))]);
		return results;
	},

	describeCompleted: describeCreated,
	describeUnsent,
};

/** With the name that was chosen from the list. It has no other printers then. */
function readPrinters({ context }: NodeRun, drafts: readonly OrderDraft[]): PrinterOf {
	const [{ printerName: first = '' } = {}] = drafts;
	const chosen = first === '' ? '' : chosenName(context, printerField, 0);
	return (itemIndex) => {
		const { printerName = '' } = drafts[itemIndex] ?? {};
		return { printerName, printer: printerName === first ? chosen : printerName };
	};
}
