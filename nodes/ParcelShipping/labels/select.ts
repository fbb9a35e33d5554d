import { countOf, groupBy, listTexts } from '../lists';
import { DEFAULT_LOOKBACK_DAYS } from '../parameterValues';
import { isAdditional, mainIdOf, searchStart } from '../records';
import { type ItemResult, type NodeRun, showHints } from '../run';
import type { Client } from '../transport/client';
import { isRefusal, isStatus500, ItemError } from '../transport/errors';
import {
	listPieces,
	mayLackPieces,
	type PieceRecord,
	readPieces,
	readPiecesOf,
	withNewer,
} from '../transport/shipments';
import { requestedLabels, type WantedLabel } from './labels';

/** The labels that one input item selects. */
export interface ItemShipments {
	item: number;
	/** By ID. */
	shipmentIds?: number[];
	/** By order number: the active pieces. Without these and IDs, all that were not printed. */
	pieces?: PieceRecord[];
	/** Shipments of which the provider does not show all pieces. */
	incomplete?: string[];
}

type Selected = Pick<PieceRecord, 'id' | 'printed' | 'reference'> &
	Pick<WantedLabel, 'carrierCode'>;

/** The labels that the items select: those of all pieces, without those that were printed if they are skipped. */
export async function selectLabels<Item extends ItemShipments>(
	run: NodeRun,
	items: readonly Item[],
	skipsPrinted = false,
): Promise<{ wanted: Array<Item & WantedLabel>; results: ItemResult[] }> {
	const { client } = run;
	const requested = requestedLabels(run.context);
	const results: ItemResult[] = [];
	const incomplete = new Set(items.flatMap((item) => item.incomplete ?? []));
	let all: Promise<PieceRecord[]> | undefined;
	const selected = await client.mapParallel(items, async (item) => {
		const add = (result: { json: object } | { failure: unknown }) =>
			results.push({ items: [item.item], ...result } as ItemResult);
		const isAll = !item.pieces && !item.shipmentIds;
		try {
			const chosen: Selected[] = isAll
				? await (all ??= readAllPieces(client))
				: (item.pieces ?? (await readChosen(run, item, incomplete)));
			// Some lists do not say what was printed. What the details do not say either is unknown.
			const mustAsk = skipsPrinted && !isAll;
			const unclear = chosen.filter(({ printed }) => mustAsk && printed === undefined);
			const details = await readPiecesOf(client, unclear).catch(() => undefined);
			// Providers may count as printed what an earlier try has only requested.
			const isPrinted = ({ id, printed = details?.get(id)?.printed }: Selected) =>
				requested[id] || !(isAll || skipsPrinted) ? false : printed;
			const toPrint = chosen.filter((each) => isPrinted(each) === false);
			const alreadyPrinted = chosen.flatMap((each) => (isPrinted(each) ? each.id : []));
			const unknown = chosen.filter((each) => isPrinted(each) === undefined);
			if (alreadyPrinted.length > 0 && !isAll) add({ json: { skipped: true, alreadyPrinted } });
			if (unknown.length > 0) {
				const shipmentIds = unknown.map(({ id }) => id);
				const names = listTexts(shipmentIds.map(String));
				const message = `The provider does not say whether the labels of these shipments were printed: ${names}`;
				const advice = 'To print them all the same, choose them by ID or order number.';
				add({ failure: new ItemError(message, advice, { shipmentIds }) });
			}
			if (isAll && toPrint.length + unknown.length === 0)
				add({ json: { carrierCode: null, labelsCount: 0, message: 'Nothing to print' } });
			return toPrint.map(({ id, carrierCode, reference: orderNumber }) => {
				return { ...item, id, carrierCode, orderNumber };
			});
		} catch (failure) {
			add({ failure });
			return [];
		}
	});
	if (incomplete.size > 0)
		showHints(run, [
			`The provider may not show all pieces of ${countOf(incomplete.size, 'shipment')}: ${listTexts([...incomplete])}. Unless the others are canceled, enter their IDs, which Shipment: Create has returned.`,
		]);
	return { wanted: selected.flat(), results };
}

/**
 * All active pieces, and whether they were printed. If the detail of one cannot be read, nothing says it. The provider's
 * own request for everything not printed is not used: after a lost response, nobody could say whose labels are missing.
 */
async function readAllPieces(client: Client): Promise<PieceRecord[]> {
	const createdFrom = searchStart(Date.now(), DEFAULT_LOOKBACK_DAYS);
	const listed = await listPieces(client, { createdFrom, onlyMaster: false });
	const byId = new Map(listed.map((piece) => [piece.id, piece]));
	const byMain = groupBy(listed, ({ record }) => mainIdOf(record));
	const lacksPieces = (piece: PieceRecord) =>
		!isAdditional(piece.record) && mayLackPieces(piece, 1 + (byMain.get(piece.id)?.length ?? 0));
	const toRead = listed.filter(
		(piece) => !piece.isCanceled && (piece.printed === undefined || lacksPieces(piece)),
	);
	await client.mapParallel(toRead, async (piece) => {
		const reading = readPieces(client, piece.carrierCode, piece.id).catch((failure: unknown) => {
			if (!isRefusal(failure) && !isStatus500(failure)) throw failure;
			byId.set(piece.id, { ...piece, printed: undefined });
			return [];
		});
		for (const each of await reading) byId.set(each.id, withNewer(byId.get(each.id) ?? each, each));
	});
	// The carrier may not have made a label yet: a later run prints it.
	return [...byId.values()].filter((each) => !each.isCanceled && each.record.printable !== false);
}

/** Each piece has a label of its own: those of a main shipment are added if its item says that there are several. */
async function readChosen(
	{ client, items }: NodeRun,
	{ item, shipmentIds = [] }: ItemShipments,
	incomplete: Set<string>,
): Promise<Selected[]> {
	const { packageNumberCustom, ...json } = items[item]?.json ?? {};
	const carrierCode = String(json.carrierCode ?? '').trim();
	const [mainId, count] = [Number(json.id), Number(json.pieceCount ?? 1)];
	const reference = String(packageNumberCustom ?? '').trim();
	const ids = new Set(shipmentIds);
	if (carrierCode !== '' && count > 1 && ids.has(mainId)) {
		const found = await readPieces(client, carrierCode, mainId);
		const pieces = found[0]?.id === mainId ? found : [];
		for (const { id, isCanceled } of pieces) if (!isCanceled) ids.add(id);
		const shown = Math.max(pieces.length, ids.size);
		for (const each of missingPieces({ id: mainId, reference }, shown, count)) incomplete.add(each);
	}
	const named = { printed: undefined, reference, carrierCode: carrierCode || undefined };
	return [...ids].map((id) => ({ id, ...named }));
}

/** Names the shipment if the provider shows fewer pieces than it should have. */
export const missingPieces = (
	{ id, reference }: Pick<PieceRecord, 'id' | 'reference'>,
	shown: number,
	expected: number,
) => (expected > shown ? [`${reference || `ID ${id}`} (${shown} of ${expected})`] : []);
