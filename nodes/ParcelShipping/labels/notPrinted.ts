import type { INodeProperties } from 'n8n-workflow';

import { groupBy } from '../lists';
import { mainIdOf, searchStart } from '../records';
import type { ItemResult, NodeRun } from '../run';
import { ItemError } from '../transport/errors';
import { listAllPieces, type PieceRecord, readPieces } from '../transport/shipmentRecords';
import { memoryOfRun } from '../writes/journal';
import type { ItemShipments } from './printed';

export const ALL_NOT_PRINTED = [
	'All Not Printed',
	"Shipments of all carriers whose label was not printed, as far back as 'Lookback Days'",
] as const;

const DEFAULT_LOOKBACK_DAYS = 30;

export const lookbackOption: INodeProperties = {
	displayName: 'Lookback Days',
	name: 'lookbackDays',
	type: 'number',
	default: DEFAULT_LOOKBACK_DAYS,
	typeOptions: { minValue: 0 },
	description: 'How many days back to look for shipments that are not printed',
};

interface CarrierShipments {
	carrierCode: string;
	shipmentIds: number[];
}

/**
 * Replaces each item for everything that is not printed by one item for each carrier. Their `shipmentIds` are empty before. If there is nothing
 * to print, the results say so.
 *
 * Some services create the labels of everything not printed with one request. It is not used: its response
 * names no shipment, so after a lost response, nobody could say whose labels are missing.
 */
export async function addNotPrinted<Item extends ItemShipments>(
	run: NodeRun,
	items: readonly Item[],
): Promise<{ items: Item[]; results: ItemResult[] }> {
	const forAll = items.filter(({ isForAll }) => isForAll);
	if (forAll.length === 0) return { items: [...items], results: [] };
	const others = items.filter(({ isForAll }) => !isForAll);
	const ofItems = forAll.map(({ item }) => item);
	try {
		const byCarrier = await readNotPrinted(run);
		const found = forAll.flatMap((each) => byCarrier.map((own) => ({ ...each, ...own })));
		if (found.length > 0) return { items: [...others, ...found], results: [] };
		const json = { carrierCode: null, labelsCount: 0, message: 'All labels are printed' };
		return { items: others, results: [{ items: ofItems, json }] };
	} catch (failure) {
		return { items: others, results: ofItems.map((item) => ({ items: [item], failure })) };
	}
}

/** In a retry, the shipments of the earlier try: creating their labels may have marked them as printed. */
async function readNotPrinted({ context, client }: NodeRun): Promise<CarrierShipments[]> {
	const memory = memoryOfRun<CarrierShipments[]>(context, 'notPrinted');
	if (memory.all) return memory.all;
	const days = context.getNodeParameter('options.lookbackDays', 0, DEFAULT_LOOKBACK_DAYS) as number;
	const createdFrom = searchStart(Date.now(), days);
	const listed = await listAllPieces(client, { createdFrom, onlyMaster: false });
	const byId = new Map(listed.map((piece) => [piece.id, piece]));
	const incomplete = listed.filter((piece) => !piece.isCanceled && needsDetail(piece, listed));
	await client.mapParallel(incomplete, async ({ carrierCode, id }) => {
		for (const piece of await readPieces(client, carrierCode, id)) {
			const printed = byId.get(piece.id)?.printed ?? piece.printed;
			byId.set(piece.id, { ...piece, printed });
		}
	});
	const living = [...byId.values()].filter(
		({ isCanceled, record }) => !isCanceled && record.printable !== false,
	);
	const unclear = living.filter(({ printed }) => printed === undefined);
	if (unclear.length > 0) {
		throw new ItemError(
			'The service does not say which labels were printed',
			"Nothing was printed, because labels could be printed twice. Choose the shipments in another way than 'All Not Printed'.",
			{ shipmentIds: unclear.map(({ id }) => id) },
			true,
		);
	}
	const toPrint = living.filter(({ printed }) => !printed);
	return (memory.all = [...groupBy(toPrint, (piece) => piece.carrierCode)].map(
		([carrierCode, own]) => ({ carrierCode, shipmentIds: own.map(({ id }) => id) }),
	));
}

/** Whether the list does not say if it was printed, or may not contain all of its pieces. */
function needsDetail(
	{ id, printed, record }: PieceRecord,
	listed: readonly PieceRecord[],
): boolean {
	const { pieceCount } = record;
	if (printed === undefined) return true;
	if (pieceCount === 1 || mainIdOf(record) !== undefined) return false;
	const others = listed.filter((other) => mainIdOf(other.record) === id);
	return others.length + 1 < (pieceCount ?? Infinity);
}
