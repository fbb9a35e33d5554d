import type { INodeProperties } from 'n8n-workflow';

import { groupBy } from '../lists';
import type { ItemResult, NodeRun } from '../run';
import type { Client } from '../transport/client';
import { ItemError } from '../transport/errors';
import { readPieces } from '../transport/shipmentRecords';
import { memoryOfRun } from '../writes/journal';

/**
 * Whether the records of the shipments say that their labels were printed; undefined if they do not
 * say it. In a retry, the earlier try counts: creating labels may change what the records say.
 */
export async function readPrinted(
	{ context, client }: NodeRun,
	shipments: ReadonlyArray<{ id: number; carrierCode: string }>,
): Promise<Map<number, boolean | undefined>> {
	const before = memoryOfRun<boolean | null>(context, 'printedBefore');
	const unread = shipments.filter(({ id }) => before[id] === undefined);
	for (const [carrierCode, own] of groupBy(unread, (each) => each.carrierCode)) {
		const ids = own.map(({ id }) => id);
		const states = await readPrintStates(client, carrierCode, ids);
		for (const id of ids) before[id] = states.get(id) ?? null;
	}
	return new Map(shipments.map(({ id }) => [id, before[id] ?? undefined]));
}

/** What the details of the shipments say now. An ID is missing if there is no detail of it. */
export async function readPrintStates(
	client: Client,
	carrierCode: string,
	ids: readonly number[],
): Promise<Map<number, boolean | undefined>> {
	const printed = new Map<number, boolean | undefined>();
	await client.mapParallel(ids, async (id) => {
		// A detail contains all pieces of its shipment.
		if (printed.has(id)) return;
		for (const piece of await readPieces(client, carrierCode, id)) {
			printed.set(piece.id, piece.printed);
		}
	});
	return printed;
}

/** The shipments that one input item selects. */
export interface ItemShipments {
	item: number;
	shipmentIds: number[];
	/** Unknown for shipments by ID. */
	carrierCode?: string;
	/** Everything that is not printed, see `notPrinted.ts`. */
	isForAll?: true;
}

export const skipPrintedOption: INodeProperties = {
	displayName: 'Skip Printed',
	name: 'skipPrinted',
	type: 'boolean',
	// On as soon as the user adds the option.
	default: true,
	description:
		'Whether to leave out shipments whose label was printed before, according to their records at the service. The items need the field carrierCode, which shipments from this node have. Reads one record per shipment.',
};

/**
 * Leaves out printed shipments if 'Skip Printed' is on. The results have an item for each input item
 * with such a shipment, and the items that fail.
 */
export async function leaveOutPrinted<Item extends ItemShipments>(
	run: NodeRun,
	items: readonly Item[],
): Promise<{ toPrint: Item[]; results: ItemResult[] }> {
	if (run.context.getNodeParameter('options.skipPrinted', 0, false) !== true) {
		return { toPrint: [...items], results: [] };
	}
	const results: ItemResult[] = [];
	const known: Array<Item & { carrierCode: string }> = [];
	for (const each of items) {
		const { item } = each;
		if (each.isForAll) continue;
		const carrierCode = each.carrierCode ?? run.items[item]?.json.carrierCode;
		if (typeof carrierCode === 'string' && carrierCode.trim() !== '') {
			known.push({ ...each, carrierCode: carrierCode.trim() });
			continue;
		}
		const failure = new ItemError(
			`Skip Printed needs the carrier of the shipments of item ${item}`,
			"Add the field carrierCode to the item, for example with Shipment: Get Many as the previous node, or turn off 'Skip Printed'.",
			{ field: 'skipPrinted', itemIndex: item },
		);
		results.push({ items: [item], failure });
	}
	try {
		const printed = await readPrinted(
			run,
			known.flatMap(({ carrierCode, shipmentIds }) =>
				shipmentIds.map((id) => ({ id, carrierCode })),
			),
		);
		const toPrint: Item[] = items.filter(({ isForAll }) => isForAll);
		for (const each of known) {
			const alreadyPrinted = each.shipmentIds.filter((id) => printed.get(id));
			const shipmentIds = each.shipmentIds.filter((id) => !printed.get(id));
			if (alreadyPrinted.length > 0) {
				results.push({ items: [each.item], json: { skipped: true, alreadyPrinted } });
			}
			if (shipmentIds.length > 0) toPrint.push({ ...each, shipmentIds });
		}
		return { toPrint, results };
	} catch (failure) {
		results.push(...known.map(({ item }) => ({ items: [item], failure })));
		return { toPrint: [], results };
	}
}
