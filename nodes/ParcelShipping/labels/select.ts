import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_LOOKBACK_DAYS, readBoolean, readLookbackDays } from '../parameterValues';
import { countOf, groupBy, listTexts } from '../lists';
import { mainIdOf, searchStart } from '../records';
import { type ItemResult, type NodeRun, showHints } from '../run';
import type { Client } from '../transport/client';
import { isRefusal, isServerError, ItemError } from '../transport/errors';
import { withNewer } from '../transport/groupPieces';
import { listPieces, type PieceRecord, readPieces, readPiecesOf } from '../transport/pieces';
import { mayLackPieces } from '../transport/shipmentRecords';
import { progressOfLabels } from './createLabels';

export const ALL_NOT_PRINTED = [
	'All Not Printed',
	"Shipments of all carriers whose label was not printed, as far back as 'Lookback Days'",
] as const;

export const skipPrintedOption: INodeProperties = {
	displayName: 'Skip Printed',
	name: 'skipPrinted',
	type: 'boolean',
	// On as soon as the user adds the option.
	default: true,
	description:
		'Whether to leave out shipments whose label was printed before, according to their records at the service. The items need the field carrierCode, which shipments from this node have. Reads one record per label, and the list if these do not say it.',
};

/** The shipments that one input item selects. */
export interface ItemShipments {
	item: number;
	/** Undefined: all that were not printed. */
	shipmentIds?: number[];
	/** Undefined if nobody says it. */
	carrierCode?: string | undefined;
	/** Shipments of which the service does not show all pieces: see `piecesShown`. */
	incomplete?: string[];
}

/** For example "1001 (1 of 3)", if the service shows fewer pieces of the shipment than it should have. */
export function piecesShown(id: number, shown: number, pieceCount: unknown): string[] {
	const expected = Number(pieceCount ?? 0);
	return expected > shown ? [`${id} (${shown} of ${expected})`] : [];
}

/** The labels that the items select: those of all pieces, without those that were printed if they are skipped. */
export async function selectShipments<Item extends ItemShipments>(
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
			const wanted = await withPieces(run, { ...each, shipmentIds });
			if (!skips) return [{ ...each, ...wanted }];
			const { carrierCode, shipmentIds: ids } = wanted;
			if (carrierCode === undefined) throw noCarrierError(item);
			for (const [id, piece] of await readPiecesOf(run.client, carrierCode, ids)) {
				pieces.set(id, piece);
			}
			return [{ ...each, ...wanted }];
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
	const toPrint = [...notPrinted, ...selected]
		.sort((a, b) => a.item - b.item)
		.flatMap(({ shipmentIds, ...each }) => shipmentIds.map((id) => ({ ...each, id })));
	return { toPrint, results };
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
	const own = { ...wanted, carrierCode };
	const mainId = Number(json.id);
	const count = Number(json.pieceCount ?? 1);
	if (!wanted.shipmentIds.includes(mainId) || !(count > 1)) return own;
	const pieces = await readPieces(client, carrierCode, mainId);
	if (pieces[0]?.id !== mainId) return own;
	const living = pieces.filter(({ isCanceled }) => !isCanceled).map(({ id }) => id);
	const shipmentIds = [...new Set([...wanted.shipmentIds, ...living])];
	const shown = Math.max(pieces.length, shipmentIds.length);
	return { ...own, shipmentIds, incomplete: piecesShown(mainId, shown, count) };
}

/**
 * The items without the labels that were printed according to the details, of which `pieces` are those of all items. In a
 * retry, a label that an earlier try has created does not count as printed: that may be all that the record means.
 */
async function leaveOutPrinted<Item extends WithIds>(
	run: NodeRun,
	items: readonly Item[],
	pieces: ReadonlyMap<number, PieceRecord>,
	results: ItemResult[],
): Promise<Item[]> {
	const progress = progressOfLabels(run.context);
	const readList = printedInList(run.client);
	const unclear = new Set<number>();
	const inDetail = (id: number) => (progress[id] ? false : pieces.get(id)?.printed);
	const left = await run.client.mapParallel(items, async (each): Promise<Item[]> => {
		const { item, shipmentIds, carrierCode = '' } = each;
		const isSaid = shipmentIds.every((id) => inDetail(id) !== undefined);
		const listed = isSaid ? new Set<number>() : await readList(carrierCode);
		const isPrinted = (id: number) => inDetail(id) ?? (listed.has(id) ? true : undefined);
		for (const id of shipmentIds) if (isPrinted(id) === undefined) unclear.add(id);
		const alreadyPrinted = shipmentIds.filter((id) => isPrinted(id));
		if (alreadyPrinted.length > 0) {
			results.push({ items: [item], json: { skipped: true, alreadyPrinted } });
		}
		const toPrint = shipmentIds.filter((id) => !isPrinted(id));
		return toPrint.length > 0 ? [{ ...each, shipmentIds: toPrint }] : [];
	});
	if (unclear.size > 0) {
		showHints(run, [
			`The service does not say whether the labels of these shipments were printed before, so they are not skipped: ${[...unclear].join(', ')}.`,
		]);
	}
	return left.flat();
}

/**
 * The shipments that the list of a carrier, which is read once, shows as printed. Services may have no detail of an
 * additional piece, or say only in the list what was printed. The list can be behind, so that it never says that a label
 * was not printed.
 */
function printedInList(client: Client) {
	const lists = new Map<string, Promise<Set<number>>>();
	const read = async (carrierCode: string) => {
		const createdFrom = searchStart(Date.now(), DEFAULT_LOOKBACK_DAYS);
		const filter = { carrierCodes: [carrierCode], createdFrom, onlyMaster: false };
		const listed = await listPieces(client, filter).catch(() => []);
		return new Set(listed.filter((piece) => piece.printed).map(({ id }) => id));
	};
	return async (carrierCode: string) => {
		const list = lists.get(carrierCode) ?? read(carrierCode);
		lists.set(carrierCode, list);
		return await list;
	};
}

/**
 * Replaces each item for everything that is not printed by one item for each carrier.
 *
 * Some services create the labels of everything not printed with one request. It is not used: its response
 * names no shipment, so after a lost response, nobody could say whose labels are missing.
 */
async function selectNotPrinted<Item extends ItemShipments>(
	run: NodeRun,
	items: readonly Item[],
	results: ItemResult[],
) {
	if (items.length === 0) return [];
	const fail = (failure: unknown) => {
		results.push(...items.map(({ item }) => ({ items: [item], failure })));
		return [];
	};
	try {
		const { byCarrier, notYet, unclear } = await readNotPrinted(run);
		if (notYet.length > 0) {
			const labels = countOf(notYet.length, 'label');
			showHints(run, [`${labels} cannot be printed yet: ${listTexts(notYet.map(String))}.`]);
		}
		if (unclear.length > 0) fail(unclearError(run.context, unclear));
		else if (byCarrier.length === 0) {
			const json = { carrierCode: null, labelsCount: 0, message: 'Nothing to print' };
			results.push({ items: items.map(({ item }) => item), json });
		}
		return items.flatMap((each) => byCarrier.map((own) => ({ ...each, ...own })));
	} catch (failure) {
		return fail(failure);
	}
}

/** In a retry, also those whose labels an earlier try has created, which may have marked them as printed. */
async function readNotPrinted({ context, client }: NodeRun) {
	const progress = progressOfLabels(context);
	const createdFrom = searchStart(Date.now(), readLookbackDays(context));
	const listed = await listPieces(client, { createdFrom, onlyMaster: false });
	const byId = new Map(listed.map((piece) => [piece.id, piece]));
	const byMain = groupBy(listed, ({ record }) => mainIdOf(record));
	const toRead = listed.filter(
		(piece) => !piece.isCanceled && needsDetail(piece, byMain.get(piece.id)?.length ?? 0),
	);
	const unread = new Set<number>();
	await client.mapParallel(toRead, async ({ carrierCode, id }) => {
		const reading = readPieces(client, carrierCode, id).catch((failure: unknown) => {
			if (!isRefusal(failure) && !isServerError(failure)) throw failure;
			unread.add(id);
			return [];
		});
		for (const piece of await reading) {
			const known = byId.get(piece.id);
			byId.set(piece.id, known ? withNewer(known, piece) : piece);
		}
	});
	const stateOf = ({ id, printed, isCanceled, record }: PieceRecord) => {
		if (unread.has(id)) return 'unclear';
		if (isCanceled || (printed && !progress[id])) return 'done';
		if (record.printable === false) return 'notYet';
		return printed === undefined && !progress[id] ? 'unclear' : 'toPrint';
	};
	const byState = groupBy([...byId.values()], stateOf);
	const idsOf = (state: ReturnType<typeof stateOf>) =>
		byState.get(state)?.map(({ id }) => id) ?? [];
	const byCarrier = groupBy(byState.get('toPrint') ?? [], (piece) => piece.carrierCode);
	return {
		byCarrier: [...byCarrier].map(([carrierCode, own]) => ({
			carrierCode,
			shipmentIds: own.map(({ id }) => id),
		})),
		notYet: idsOf('notYet'),
		unclear: idsOf('unclear'),
	};
}

/** With *Continue*, the others are printed. */
function unclearError(context: NodeRun['context'], shipmentIds: number[]): ItemError {
	const done = context.continueOnFail() ? 'they were left out' : 'nothing was printed';
	return new ItemError(
		'The service does not say which labels were printed',
		`Labels of these shipments could be printed twice, so ${done}: ${listTexts(shipmentIds.map(String))}. Choose them in another way than 'All Not Printed'.`,
		{ shipmentIds },
		true,
	);
}

/** Whether the list does not say if it was printed, or may not contain all of its `additionalCount` pieces. */
function needsDetail(piece: PieceRecord, additionalCount: number): boolean {
	if (piece.printed === undefined) return true;
	return mainIdOf(piece.record) === undefined && mayLackPieces(piece, additionalCount + 1);
}

const noCarrierError = (itemIndex: number) =>
	new ItemError(
		`Skip Printed needs the carrier of the shipments of item ${itemIndex}`,
		"Add the field carrierCode to the item, for example with Shipment: Get Many as the previous node, or turn off 'Skip Printed'.",
		{ field: 'skipPrinted', itemIndex },
	);
