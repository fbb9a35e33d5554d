import { readBoolean } from '../parameterValues';
import { listTexts } from '../lists';
import { type ItemResult, type NodeRun, showHints } from '../run';
import { ItemError } from '../transport/errors';
import { type PieceRecord, readPieces, readPiecesOf } from '../transport/shipments';
import { leaveOutPrinted, selectNotPrinted } from './notPrinted';

/** The shipments that one input item selects. */
export interface ItemShipments {
	item: number;
	/** Undefined: all that were not printed. */
	shipmentIds?: number[];
	/** Undefined if nobody says it. */
	carrierCode?: string | undefined;
	/** For messages. */
	orderNumber?: string | undefined;
	/** Shipments of which the service does not show all pieces: see `describeMissingPieces`. */
	incomplete?: string[];
}

/** For example "1001 (1 of 3)", if the service shows fewer pieces of the shipment than it should have. */
export function describeMissingPieces(id: number, shown: number, pieceCount: unknown): string[] {
	const expected = Number(pieceCount ?? 0);
	return expected > shown ? [`${id} (${shown} of ${expected})`] : [];
}

/** The labels that the items select: those of all pieces, without those that were printed if they are skipped. */
export async function selectLabels<Item extends ItemShipments>(
	run: NodeRun,
	items: readonly Item[],
) {
	const skipPrinted = run.context.getNodeParameter('options.skipPrinted', 0, false);
	const skips = readBoolean(skipPrinted, 'Skip Printed');
	const results: ItemResult[] = [];
	const pieces = new Map<number, PieceRecord>();
	const reading = run.client.mapParallel(items, async (each) => {
		const { item, shipmentIds } = each;
		if (!shipmentIds) return [];
		try {
			const whole = { ...each, ...(await withPieces(run, { ...each, shipmentIds })) };
			if (!skips) return [whole];
			const { carrierCode, shipmentIds: ids } = whole;
			if (carrierCode === undefined) throw noCarrierError(item);
			for (const [id, piece] of await readPiecesOf(run.client, carrierCode, ids)) {
				pieces.set(id, piece);
			}
			return [whole];
		} catch (failure) {
			results.push({ items: [item], failure });
			return [];
		}
	});
	const named = (await reading).flat();
	const selected = skips ? await leaveOutPrinted(run, named, pieces, results) : named;
	const incomplete = new Set(selected.flatMap((each) => each.incomplete ?? []));
	if (incomplete.size > 0) {
		showHints(run, [
			`The service shows fewer pieces of these shipments than it counts: ${listTexts([...incomplete])}. Unless the others are canceled, enter their IDs, which Shipment: Create has returned: pieces whose IDs you do not enter get no label.`,
		]);
	}
	const notPrinted = await selectNotPrinted(
		run,
		items.filter(({ shipmentIds }) => !shipmentIds),
		results,
	);
	const wanted = [...notPrinted, ...selected]
		.sort((a, b) => a.item - b.item)
		.flatMap(({ shipmentIds, ...each }) => shipmentIds.map((id) => ({ ...each, id })));
	return { wanted, results };
}

type WithIds = ItemShipments & { shipmentIds: number[] };

/**
 * Adds the additional pieces to the ID of a main shipment. At the service, each piece has an ID and a label
 * of its own. Only items that say that their shipment has several pieces cost a request, so that those
 * with one piece cost none. Other items name the piece that they mean.
 */
async function withPieces({ client, items }: NodeRun, wanted: WithIds): Promise<WithIds> {
	// Those that were found by their order number have all of their pieces.
	if (wanted.carrierCode !== undefined) return wanted;
	const { json = {} } = items[wanted.item] ?? {};
	const carrierCode = String(json.carrierCode ?? '').trim();
	if (carrierCode === '') return wanted;
	const order = String(json.packageNumberCustom ?? '').trim();
	const own = { ...wanted, carrierCode, ...(order === '' ? {} : { orderNumber: order }) };
	const mainId = Number(json.id);
	const count = Number(json.pieceCount ?? 1);
	if (!wanted.shipmentIds.includes(mainId) || !(count > 1)) return own;
	const pieces = await readPieces(client, carrierCode, mainId);
	if (pieces[0]?.id !== mainId) return own;
	const living = pieces.filter(({ isCanceled }) => !isCanceled).map(({ id }) => id);
	const shipmentIds = [...new Set([...wanted.shipmentIds, ...living])];
	const shown = Math.max(pieces.length, shipmentIds.length);
	return { ...own, shipmentIds, incomplete: describeMissingPieces(mainId, shown, count) };
}

const noCarrierError = (itemIndex: number) =>
	new ItemError(
		`Skip Printed needs the carrier of the shipments of item ${itemIndex}`,
		"Add the field carrierCode to the item, for example with Shipment: Get Many as the previous node, or turn off 'Skip Printed'.",
		{ field: 'skipPrinted', itemIndex },
	);
