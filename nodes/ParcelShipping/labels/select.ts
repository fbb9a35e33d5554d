import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readBoolean, readLookbackDays } from '../itemParameter';
import { groupBy } from '../lists';
import { mainIdOf, searchStart } from '../records';
import { type ItemResult, type NodeRun, showHints } from '../run';
import { ItemError } from '../transport/errors';
import { withNewer } from '../transport/groupPieces';
import { listPieces, type PieceRecord, readPieces, readPiecesOf } from '../transport/pieces';
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
		'Whether to leave out shipments whose label was printed before, according to their records at the service. The items need the field carrierCode, which shipments from this node have. Reads one record per shipment.',
};

/** The shipments that one input item selects. */
export interface ItemShipments {
	item: number;
	/** For `notPrinted`, the IDs are added by `addNotPrinted`. */
	way: 'ids' | 'orderNumbers' | 'notPrinted';
	shipmentIds: number[];
	/** Undefined if nobody says it. */
	carrierCode?: string;
}

/** What is left after a step, and the items that fail or have nothing to print. */
interface Selected<Item> {
	items: readonly Item[];
	results: ItemResult[];
}

/** The shipments of the items with all of their pieces, without those that were printed before if they are skipped. */
export async function selectShipments<Item extends ItemShipments>(
	run: NodeRun,
	items: readonly Item[],
) {
	const named = items.map((each) => ({ ...each, ...carrierIn(run.items[each.item]?.json, each) }));
	const chosen = await addNotPrinted(run, named);
	const whole = await addPieces(run, chosen.items);
	const selected = await leaveOutPrinted(run, whole.items);
	const toPrint = selected.items.flatMap(({ shipmentIds, ...each }) =>
		shipmentIds.map((id) => ({ ...each, id })),
	);
	return { toPrint, results: [chosen, whole, selected].flatMap(({ results }) => results) };
}

/** An item of one shipment, from another operation of this node, says which carrier it has. */
function carrierIn(json: IDataObject = {}, { way, shipmentIds }: ItemShipments) {
	const isOwn = way === 'ids' && shipmentIds.length === 1 && shipmentIds[0] === Number(json.id);
	const carrierCode = isOwn ? carrierCodeOf(json) : '';
	return carrierCode === '' ? {} : { carrierCode };
}

const carrierCodeOf = ({ carrierCode }: IDataObject = {}) =>
	typeof carrierCode === 'string' ? carrierCode.trim() : '';

/**
 * Replaces each item for everything that is not printed, which has no `shipmentIds` yet, by one item for each
 * carrier.
 *
 * Some services create the labels of everything not printed with one request. It is not used: its response
 * names no shipment, so after a lost response, nobody could say whose labels are missing.
 */
async function addNotPrinted<Item extends ItemShipments>(
	run: NodeRun,
	items: readonly Item[],
): Promise<Selected<Item>> {
	const forAll = items.filter(({ way }) => way === 'notPrinted');
	if (forAll.length === 0) return { items, results: [] };
	const others = items.filter(({ way }) => way !== 'notPrinted');
	const ofItems = forAll.map(({ item }) => item);
	try {
		const byCarrier = await readNotPrinted(run);
		const json = { carrierCode: null, labelsCount: 0, message: 'All labels are printed' };
		return {
			items: [
				...others,
				...forAll.flatMap((each) => byCarrier.map((own) => ({ ...each, ...own }))),
			],
			results: byCarrier.length === 0 ? [{ items: ofItems, json }] : [],
		};
	} catch (failure) {
		return { items: others, results: ofItems.map((item) => ({ items: [item], failure })) };
	}
}

/** In a retry, also those whose labels an earlier try has created, which may have marked them as printed. */
async function readNotPrinted({ context, client }: NodeRun) {
	const progress = progressOfLabels(context);
	const createdFrom = searchStart(Date.now(), readLookbackDays(context));
	const listed = await listPieces(client, { createdFrom, onlyMaster: false });
	const byId = new Map(listed.map((piece) => [piece.id, piece]));
	const incomplete = listed.filter((piece) => !piece.isCanceled && needsDetail(piece, listed));
	await client.mapParallel(incomplete, async ({ carrierCode, id }) => {
		for (const piece of await readPieces(client, carrierCode, id)) {
			const known = byId.get(piece.id);
			byId.set(piece.id, known ? withNewer(known, piece) : piece);
		}
	});
	const living = [...byId.values()].filter(
		({ isCanceled, record }) => !isCanceled && record.printable !== false,
	);
	const unclear = living.filter(({ id, printed }) => printed === undefined && !progress[id]);
	if (unclear.length > 0) {
		throw new ItemError(
			'The service does not say which labels were printed',
			"Nothing was printed, because labels could be printed twice. Choose the shipments in another way than 'All Not Printed'.",
			{ shipmentIds: unclear.map(({ id }) => id) },
			true,
		);
	}
	const toPrint = living.filter(({ id, printed }) => progress[id] || !printed);
	return [...groupBy(toPrint, (piece) => piece.carrierCode)].map(([carrierCode, own]) => ({
		carrierCode,
		shipmentIds: own.map(({ id }) => id),
	}));
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

/**
 * Adds the additional pieces to the ID of a main shipment. At the service, each piece has an ID and a label
 * of its own. Only items that say that their shipment has several pieces cost a request, so that those
 * with one piece cost none. Other items name the piece that they mean.
 */
async function addPieces<Item extends ItemShipments>(
	run: NodeRun,
	items: readonly Item[],
): Promise<Selected<Item>> {
	const results: ItemResult[] = [];
	const whole = await run.client.mapParallel(items, async (each) => {
		const { json = {} } = run.items[each.item] ?? {};
		const mainId = Number(json.id);
		const count = Number(json.pieceCount ?? 1);
		const carrierCode = carrierCodeOf(json);
		const isById = each.way === 'ids' && each.shipmentIds.includes(mainId);
		if (!isById || !(count > 1) || carrierCode === '') return [each];
		try {
			const pieces = await readPieces(run.client, carrierCode, mainId);
			const isMain = pieces[0]?.id === mainId;
			const living = isMain ? pieces.filter(({ isCanceled }) => !isCanceled) : [];
			if (isMain && pieces.length < count) {
				showHints(run, [
					`Shipment ${mainId} has ${count} pieces, and the service names ${pieces.length} of them. To get the labels of all, choose 'By Order Number'.`,
				]);
			}
			const shipmentIds = [...new Set([...each.shipmentIds, ...living.map((piece) => piece.id)])];
			return [{ ...each, shipmentIds }];
		} catch (failure) {
			results.push({ items: [each.item], failure });
			return [];
		}
	});
	return { items: whole.flat().sort((a, b) => a.item - b.item), results };
}

/**
 * Leaves out shipments that were printed according to their records, if 'Skip Printed' is on. The results have an item
 * for each input item with such a shipment, and the items that fail. In a retry, a label that an earlier try has
 * created does not count as printed: that may be all that the record means.
 */
async function leaveOutPrinted<Item extends ItemShipments>(
	run: NodeRun,
	items: readonly Item[],
): Promise<Selected<Item>> {
	const { context, client } = run;
	const skipPrinted = context.getNodeParameter('options.skipPrinted', 0, false);
	if (!readBoolean(skipPrinted, 'Skip Printed')) return { items, results: [] };
	const progress = progressOfLabels(context);
	const chosen = items.filter(({ way }) => way !== 'notPrinted');
	const carrierOf = (each: Item) => each.carrierCode ?? carrierCodeOf(run.items[each.item]?.json);
	/** Undefined if the records do not say it. */
	const printed = new Map<number, boolean | undefined>();
	const failures = new Map<number, unknown>();
	for (const [carrierCode, group] of groupBy(chosen, carrierOf)) {
		if (carrierCode === '') continue;
		const ids = group.flatMap(({ shipmentIds }) => shipmentIds);
		const pieces = await readPiecesOf(client, carrierCode, ids, (id, failure) => {
			failures.set(id, failure);
			return [];
		});
		for (const id of ids) printed.set(id, progress[id] ? false : pieces.get(id)?.printed);
	}
	const results: ItemResult[] = [];
	const unclear = new Set<number>();
	const toPrint = items.filter(({ way }) => way === 'notPrinted');
	for (const each of chosen) {
		const { item } = each;
		const failedId = each.shipmentIds.find((id) => failures.has(id));
		if (carrierOf(each) === '') {
			results.push({ items: [item], failure: noCarrierError(item) });
		} else if (failedId !== undefined) {
			results.push({ items: [item], failure: failures.get(failedId) });
		} else {
			const alreadyPrinted = each.shipmentIds.filter((id) => printed.get(id));
			const shipmentIds = each.shipmentIds.filter((id) => !printed.get(id));
			if (alreadyPrinted.length > 0) {
				results.push({ items: [item], json: { skipped: true, alreadyPrinted } });
			}
			for (const id of shipmentIds) if (printed.get(id) === undefined) unclear.add(id);
			if (shipmentIds.length > 0) toPrint.push({ ...each, shipmentIds });
		}
	}
	if (unclear.size > 0) {
		showHints(run, [
			`The service does not say whether the labels of these shipments were printed before, so they are not skipped: ${[...unclear].join(', ')}.`,
		]);
	}
	return { items: toPrint, results };
}

const noCarrierError = (itemIndex: number) =>
	new ItemError(
		`Skip Printed needs the carrier of the shipments of item ${itemIndex}`,
		"Add the field carrierCode to the item, for example with Shipment: Get Many as the previous node, or turn off 'Skip Printed'.",
		{ field: 'skipPrinted', itemIndex },
	);
