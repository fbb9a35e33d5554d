import type { INodeProperties } from 'n8n-workflow';

import { ItemError } from '../transport/errors';
import { readPrinted } from './printedBefore';
import type { PrintLedger } from './printLedger';
import type { ItemResult, NodeRun } from '../run';

export const skipPrintedOption: INodeProperties = {
	displayName: 'Skip Printed',
	name: 'skipPrinted',
	type: 'boolean',
	// On as soon as the user adds the option.
	default: true,
	description:
		'Whether to leave out shipments whose label was printed before, according to their records at the service. The items need the field carrierCode, which shipments from this node have. Reads one record per shipment.',
};

export function isSkippingPrinted({ context }: NodeRun): boolean {
	return context.getNodeParameter('options.skipPrinted', 0, false) === true;
}

type FailedItem = ItemResult & { failure: unknown };

interface ItemShipments {
	item: number;
	shipmentIds: number[];
}

/** Leaves out printed shipments. The output has an item for each input item with such a shipment. */
export async function leaveOutPrinted<Item extends ItemShipments>(
	run: NodeRun,
	items: readonly Item[],
	ledger: PrintLedger,
): Promise<{ toPrint: Item[]; skipped: ItemResult[]; failed: FailedItem[] }> {
	const known = items.filter(({ item }) => carrierOf(run, item) !== '');
	const failed = items
		.filter((each) => !known.includes(each))
		.map(({ item }): FailedItem => ({ items: [item], failure: carrierMissingError(item) }));
	const shipments = known
		.flatMap(({ item, shipmentIds }) =>
			shipmentIds.map((id) => ({ id, carrierCode: carrierOf(run, item) })),
		)
		.filter(({ id }) => !(id in ledger.printedBefore));
	try {
		const printed = await readPrinted(run.client, shipments);
		for (const { id } of shipments) ledger.printedBefore[id] = printed.get(id) ?? false;
	} catch (failure) {
		failed.push(...known.map(({ item }) => ({ items: [item], failure })));
		return { toPrint: [], skipped: [], failed };
	}
	const isPrinted = (id: number) => ledger.printedBefore[id] === true;
	const withPrinted = known.filter(({ shipmentIds }) => shipmentIds.some(isPrinted));
	return {
		toPrint: known
			.map((each) => ({
				...each,
				shipmentIds: each.shipmentIds.filter((id) => !isPrinted(id)),
			}))
			.filter(({ shipmentIds }) => shipmentIds.length > 0),
		skipped: withPrinted.map(({ item, shipmentIds }) => ({
			items: [item],
			json: { skipped: true, alreadyPrinted: shipmentIds.filter(isPrinted) },
		})),
		failed,
	};
}

function carrierOf({ items }: NodeRun, item: number): string {
	const { carrierCode } = items[item]?.json ?? {};
	return typeof carrierCode === 'string' ? carrierCode.trim() : '';
}

function carrierMissingError(item: number): ItemError {
	return new ItemError(
		`Skip Printed needs the carrier of the shipments of item ${item}`,
		'Add the field carrierCode to the item, for example with Shipment, Get Many as the previous node, or turn off Skip Printed.',
		{ field: 'skipPrinted', itemIndex: item },
	);
}
