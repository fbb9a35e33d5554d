import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { DEFAULT_LOOKBACK_DAYS, readBoolean, readLookbackDays } from '../itemParameter';
import { countOf, groupBy, listTexts } from '../lists';
import { mainIdOf, searchStart } from '../records';
import { type ItemResult, type NodeRun, showHints } from '../run';
import type { Client } from '../transport/client';
import { describeError, ItemError } from '../transport/errors';
import { withNewer } from '../transport/groupPieces';
import { listPieces, type PieceRecord, readPieces, readPiecesOf } from '../transport/pieces';
import { mayLackPieces } from '../transport/shipmentRecords';
import { isRefusal, isServerError } from '../transport/splitRequests';
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
		'Whether to leave out shipments whose label was printed before, according to their records at the service. The items need the field carrierCode, which shipments from this node have. Reads one record per shipment, and the list if these do not say it.',
};

/** The shipments that one input item selects. */
export interface ItemShipments {
	item: number;
	/** For `notPrinted`, the IDs are added by `addNotPrinted`. */
	way: 'ids' | 'orderNumbers' | 'notPrinted';
	shipmentIds: number[];
	/** Undefined if nobody says it. */
	carrierCode?: string;
	/** Shipments of which the service does not show all pieces. */
	incomplete?: IncompleteShipment[];
}

interface IncompleteShipment {
	id: number;
	shown: number;
	pieceCount: number;
}

/** The shipment of this main piece, if the service shows fewer pieces of it than it should have. */
export function incompleteShipment(
	id: number,
	shown: number,
	pieceCount: unknown,
): IncompleteShipment[] {
	const expected = Number(pieceCount ?? 0);
	return expected > shown ? [{ id, shown, pieceCount: expected }] : [];
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
	const withCarrier = items.map((each) => ({
		...each,
		...carrierIn(run.items[each.item]?.json, each),
	}));
	const notPrinted = await addNotPrinted(
		run,
		withCarrier.filter(({ way }) => way === 'notPrinted'),
	);
	const withPieces = await addPieces(
		run,
		withCarrier.filter(({ way }) => way !== 'notPrinted'),
	);
	const selected = await leaveOutPrinted(run, withPieces.items);
	await showIncomplete(run, [...notPrinted.items, ...selected.items]);
	const toPrint = [...notPrinted.items, ...selected.items]
		.sort((a, b) => a.item - b.item)
		.flatMap(({ shipmentIds, ...each }) => shipmentIds.map((id) => ({ ...each, id })));
	return { toPrint, results: [notPrinted, withPieces, selected].flatMap(({ results }) => results) };
}

/** Not of shipments that are skipped as printed. */
async function showIncomplete(run: NodeRun, items: readonly ItemShipments[]): Promise<void> {
	const texts = await run.client.mapParallel(items, async (each) => {
		const { way, carrierCode = '', shipmentIds, incomplete = [] } = each;
		const own = incomplete.filter(({ id }) => shipmentIds.includes(id));
		return await run.client.mapParallel(own, async ({ id, shown, pieceCount }) => {
			const text = [`${id} (${shown} of ${pieceCount})`];
			if (way !== 'orderNumbers') return text;
			// Only its detail may show the canceled pieces, which are no part of an order.
			return await readPieces(run.client, carrierCode, id).then(
				({ length }) => (length < pieceCount ? text : []),
				() => [],
			);
		});
	});
	const names = new Set(texts.flat(2));
	if (names.size === 0) return;
	const advice = items.some(({ way }) => way === 'ids')
		? "Choose 'By Order Number', or enter"
		: 'Enter';
	showHints(run, [
		`The service does not show all pieces of these shipments: ${listTexts([...names])}. Pieces whose IDs you do not enter get no label. ${advice} the IDs that Shipment: Create has returned.`,
	]);
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
 * Replaces each item for everything that is not printed, which has no `shipmentIds` yet, by one item for each carrier.
 *
 * Some services create the labels of everything not printed with one request. It is not used: its response
 * names no shipment, so after a lost response, nobody could say whose labels are missing.
 */
async function addNotPrinted<Item extends ItemShipments>(
	run: NodeRun,
	items: readonly Item[],
): Promise<Selected<Item>> {
	if (items.length === 0) return { items, results: [] };
	const failAll = (failure: unknown) => items.map(({ item }) => ({ items: [item], failure }));
	try {
		const { byCarrier, notYet, errors } = await readNotPrinted(run);
		const labels = countOf(notYet.length, 'label');
		const later = `${labels} cannot be printed yet: ${listTexts(notYet.map(String))}`;
		if (notYet.length > 0) showHints(run, [`${later}.`]);
		const message = notYet.length > 0 ? later : 'All labels are printed';
		const json = { carrierCode: null, labelsCount: 0, message };
		const hasNothing = byCarrier.length === 0 && errors.length === 0;
		return {
			items: items.flatMap((each) => byCarrier.map((own) => ({ ...each, ...own }))),
			results: hasNothing
				? [{ items: items.map(({ item }) => item), json }]
				: errors.flatMap(failAll),
		};
	} catch (failure) {
		return { items: [], results: failAll(failure) };
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
	const failures = new Map<number, unknown>();
	/** How many pieces the detail of each has. */
	const shown = new Map<number, number>();
	await client.mapParallel(toRead, async ({ carrierCode, id }) => {
		const reading = readPieces(client, carrierCode, id).catch((failure: unknown) => {
			if (!isRefusal(failure) && !isServerError(failure)) throw failure;
			failures.set(id, failure);
			return [];
		});
		const detail = await reading;
		shown.set(id, detail.length);
		for (const piece of detail) {
			const known = byId.get(piece.id);
			byId.set(piece.id, known ? withNewer(known, piece) : piece);
		}
	});
	const stateOf = ({ id, printed, isCanceled, record }: PieceRecord) => {
		if (failures.has(id)) return 'failed';
		if (isCanceled || (printed && !progress[id])) return 'done';
		if (record.printable === false) return 'notYet';
		return printed === undefined && !progress[id] ? 'unclear' : 'toPrint';
	};
	const byState = groupBy([...byId.values()], stateOf);
	const idsOf = (state: ReturnType<typeof stateOf>) =>
		byState.get(state)?.map(({ id }) => id) ?? [];
	// The records may not say which pieces belong together.
	const byOrder = groupBy([...byId.values()], orderKeyOf);
	const incompleteOf = (piece: PieceRecord) => {
		const { id, record } = piece;
		if (!shown.has(id) || mainIdOf({ ...record, id }) !== undefined) return [];
		const known = [
			shown.get(id),
			byOrder.get(orderKeyOf(piece))?.length,
			(byMain.get(id)?.length ?? 0) + 1,
		];
		return incompleteShipment(id, Math.max(...known.map(Number)), record.pieceCount);
	};
	const [failure] = failures.values();
	const reason = failure === undefined ? '' : `: ${describeError(failure).message}`;
	return {
		byCarrier: [...groupBy(byState.get('toPrint') ?? [], (piece) => piece.carrierCode)].map(
			([carrierCode, own]) => ({
				carrierCode,
				shipmentIds: own.map(({ id }) => id),
				incomplete: [...groupBy(own, orderKeyOf).values()].flatMap((ofOrder) =>
					ofOrder.flatMap(incompleteOf).slice(0, 1),
				),
			}),
		),
		notYet: idsOf('notYet'),
		errors: [
			unclearError(context, idsOf('failed'), `The service cannot show these shipments${reason}`),
			unclearError(context, idsOf('unclear'), 'The service does not say which labels were printed'),
		].flat(),
	};
}

/** Without an order number, each piece is on its own. */
const orderKeyOf = ({ id, carrierCode, reference }: PieceRecord) =>
	JSON.stringify([carrierCode, reference || id]);

/** None without shipments. With *Continue*, the others are printed. */
function unclearError(
	context: NodeRun['context'],
	shipmentIds: number[],
	message: string,
): ItemError[] {
	if (shipmentIds.length === 0) return [];
	const done = context.continueOnFail() ? 'they were left out' : 'nothing was printed';
	const advice = `Labels of these shipments could be printed twice, so ${done}: ${listTexts(shipmentIds.map(String))}. Choose them in another way than 'All Not Printed'.`;
	return [new ItemError(message, advice, { shipmentIds }, true)];
}

/** Whether the list does not say if it was printed, or may not contain all of its `additionalCount` pieces. */
function needsDetail(piece: PieceRecord, additionalCount: number): boolean {
	if (piece.printed === undefined) return true;
	return mainIdOf(piece.record) === undefined && mayLackPieces(piece, additionalCount + 1);
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
	// Items for the pieces of one shipment have the same order number.
	const orderOf = ({ item }: Item) =>
		String(run.items[item]?.json.packageNumberCustom ?? '') || item;
	const byOrder = groupBy(items, orderOf);
	const withPieces = await run.client.mapParallel(items, async (each) => {
		const { json = {} } = run.items[each.item] ?? {};
		const mainId = Number(json.id);
		const count = Number(json.pieceCount ?? 1);
		const carrierCode = carrierCodeOf(json);
		const isById = each.way === 'ids' && each.shipmentIds.includes(mainId);
		if (!isById || !(count > 1) || carrierCode === '') return [each];
		const ofOrder = byOrder.get(orderOf(each)) ?? [each];
		const named = new Set(ofOrder.flatMap(({ shipmentIds }) => shipmentIds)).size;
		try {
			const pieces = await readPieces(run.client, carrierCode, mainId);
			const isMain = pieces[0]?.id === mainId;
			const living = isMain ? pieces.filter(({ isCanceled }) => !isCanceled) : [];
			const incomplete = isMain
				? incompleteShipment(mainId, Math.max(pieces.length, named), count)
				: [];
			const shipmentIds = [...new Set([...each.shipmentIds, ...living.map((piece) => piece.id)])];
			return [{ ...each, shipmentIds, incomplete }];
		} catch (failure) {
			results.push({ items: [each.item], failure });
			return [];
		}
	});
	return { items: withPieces.flat(), results };
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
	const carrierOf = (each: Item) => each.carrierCode ?? carrierCodeOf(run.items[each.item]?.json);
	/** Undefined if the records do not say it. */
	const printed = new Map<number, boolean | undefined>();
	const failures = new Map<number, unknown>();
	for (const [carrierCode, group] of groupBy(items, carrierOf)) {
		if (carrierCode === '') continue;
		const ids = group.flatMap(({ shipmentIds }) => shipmentIds);
		const pieces = await readPiecesOf(client, carrierCode, ids, (id, failure) => {
			failures.set(id, failure);
			return [];
		});
		for (const id of ids) printed.set(id, progress[id] ? false : pieces.get(id)?.printed);
		const unsaid = ids.filter((id) => !failures.has(id) && printed.get(id) === undefined);
		for (const id of await printedInList(client, carrierCode, unsaid)) printed.set(id, true);
	}
	const results: ItemResult[] = [];
	const unclear = new Set<number>();
	const toPrint: Item[] = [];
	for (const each of items) {
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

/**
 * Those of these shipments that the list shows as printed. Services may have no detail of an additional piece, or say only
 * in the list what was printed. The list can be behind, so that it never says that a label was not printed.
 */
async function printedInList(
	client: Client,
	carrierCode: string,
	ids: readonly number[],
): Promise<number[]> {
	if (ids.length === 0) return [];
	const createdFrom = searchStart(Date.now(), DEFAULT_LOOKBACK_DAYS);
	const filter = { carrierCodes: [carrierCode], createdFrom, onlyMaster: false };
	const listed = await listPieces(client, filter).catch(() => []);
	const printed = new Set(listed.filter((piece) => piece.printed).map(({ id }) => id));
	return ids.filter((id) => printed.has(id));
}

const noCarrierError = (itemIndex: number) =>
	new ItemError(
		`Skip Printed needs the carrier of the shipments of item ${itemIndex}`,
		"Add the field carrierCode to the item, for example with Shipment: Get Many as the previous node, or turn off 'Skip Printed'.",
		{ field: 'skipPrinted', itemIndex },
	);
