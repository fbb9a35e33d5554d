import { showHints, type ItemResult, type NodeRun } from '../run';
import { readPieces } from '../transport/shipmentRecords';
import type { ItemShipments } from './printed';

/**
 * Adds the additional pieces to the ID of a main shipment. At the service, each piece has an ID and a label
 * of its own. Only items that say that their shipment has several pieces cost a request, so that those
 * with one piece cost none. Other items name the piece that they mean.
 */
export async function addPieces<Item extends ItemShipments>(
	run: NodeRun,
	items: readonly Item[],
): Promise<{ whole: Item[]; failed: ItemResult[] }> {
	const whole: Item[] = [];
	const failed: ItemResult[] = [];
	await run.client.mapParallel(items, async (each) => {
		const { id, pieceCount, carrierCode } = run.items[each.item]?.json ?? {};
		const mainId = Number(id);
		const count = Number(pieceCount ?? 1);
		const isByOrderNumber = each.carrierCode !== undefined;
		const isMeant = !isByOrderNumber && each.shipmentIds.includes(mainId);
		if (!isMeant || !(count > 1) || typeof carrierCode !== 'string') {
			whole.push(each);
			return;
		}
		try {
			const pieces = await run.client.once(`pieces ${carrierCode} ${mainId}`, async () =>
				readPieces(run.client, carrierCode, mainId),
			);
			const isMain = pieces[0]?.id === mainId;
			const living = isMain ? pieces.filter(({ isCanceled }) => !isCanceled) : [];
			if (isMain && pieces.length < count) {
				showHints(run, [
					`Shipment ${mainId} has ${count} pieces, and the service names ${pieces.length} of them. To get the labels of all, choose 'By Order Number'.`,
				]);
			}
			const shipmentIds = [...new Set([...each.shipmentIds, ...living.map((piece) => piece.id)])];
			whole.push({ ...each, shipmentIds });
		} catch (failure) {
			failed.push({ items: [each.item], failure });
		}
	});
	return { whole: whole.sort((a, b) => a.item - b.item), failed };
}
