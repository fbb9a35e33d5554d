import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_LOOKBACK_DAYS } from '../parameterValues';
import { countOf, groupBy, listTexts } from '../lists';
import { mainIdOf, searchStart } from '../records';
import { type ItemResult, type NodeRun, showHints } from '../run';
import { ItemError, isRefusal, isStatus500 } from '../transport/errors';
import {
	withNewer,
	listPieces,
	type PieceRecord,
	readPieces,
	mayLackPieces,
} from '../transport/shipments';
import { progressOfLabels } from './createLabels';

// The labels that were not printed: *All Not Printed* selects them, and *Skip Printed* leaves out the others.

export const ALL_NOT_PRINTED = [
	'All Not Printed',
	'Shipments of all carriers and the last 30 days whose label was not printed',
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

/**
 * Says whether a label was printed, from what its record says. A label that a try has created does not count as printed:
 * that may be all that the record means.
 */
function printedReader(context: NodeRun['context']) {
	const progress = progressOfLabels(context);
	return (id: number, printed: boolean | undefined) => (progress[id] ? false : printed);
}

type WithIds = { item: number; shipmentIds: number[]; carrierCode?: string | undefined };

/**
 * The items without the labels that were printed. `pieces` are those of all items, from their details. Services may have
 * no detail of an additional piece, or say only in the list what was printed. The list can be behind, so that it counts
 * only for what it shows as printed. *All Not Printed* also relies on what it shows as not printed.
 */
export async function leaveOutPrinted<Item extends WithIds>(
	run: NodeRun,
	items: readonly Item[],
	pieces: ReadonlyMap<number, PieceRecord>,
	results: ItemResult[],
): Promise<Item[]> {
	const wasPrinted = printedReader(run.context);
	const inDetail = (id: number) => wasPrinted(id, pieces.get(id)?.printed);
	const isUnclear = (id: number) => inDetail(id) === undefined;
	const unclear = items.filter(({ shipmentIds }) => shipmentIds.some(isUnclear));
	const filter = {
		carrierCodes: [...new Set(unclear.flatMap(({ carrierCode }) => carrierCode ?? []))],
		createdFrom: searchStart(Date.now(), DEFAULT_LOOKBACK_DAYS),
		onlyMaster: false,
	};
	// Without the list, labels of which no detail says it are printed and named in a hint.
	const listed = unclear.length > 0 ? await listPieces(run.client, filter).catch(() => []) : [];
	const inList = new Set(listed.filter(({ printed }) => printed).map(({ id }) => id));
	const isPrinted = (id: number) => inDetail(id) ?? inList.has(id);
	const unknown = unclear.flatMap(({ shipmentIds }) => shipmentIds.filter(isUnclear));
	const named = [...new Set(unknown)].filter((id) => !inList.has(id));
	if (named.length > 0) {
		showHints(run, [
			`The provider does not say whether the labels of these shipments were printed before, so they are not skipped: ${named.join(', ')}.`,
		]);
	}
	return items.flatMap((each) => {
		const alreadyPrinted = each.shipmentIds.filter(isPrinted);
		if (alreadyPrinted.length > 0)
			results.push({ items: [each.item], json: { skipped: true, alreadyPrinted } });
		const shipmentIds = each.shipmentIds.filter((id) => !isPrinted(id));
		return shipmentIds.length > 0 ? [{ ...each, shipmentIds }] : [];
	});
}

/**
 * Replaces each item for everything that is not printed by one item for each carrier and order.
 *
 * Some services create the labels of everything not printed with one request. It is not used: its response
 * names no shipment, so after a lost response, nobody could say whose labels are missing.
 */
export async function selectNotPrinted<Item extends { item: number }>(
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
		const { byOrder, notYet, unclear } = await readNotPrinted(run);
		if (notYet.length > 0) {
			const labels = countOf(notYet.length, 'label');
			showHints(run, [`${labels} cannot be printed yet: ${listTexts(notYet.map(String))}.`]);
		}
		if (unclear.length > 0) fail(unclearError(run.context, unclear));
		else if (byOrder.length === 0) {
			const json = { carrierCode: null, labelsCount: 0, message: 'Nothing to print' };
			results.push({ items: items.map(({ item }) => item), json });
		}
		return items.flatMap((each) => byOrder.map((own) => ({ ...each, ...own })));
	} catch (failure) {
		return fail(failure);
	}
}

/** The labels of each carrier that were not printed, and those that cannot be printed now. */
async function readNotPrinted({ context, client }: NodeRun) {
	const wasPrinted = printedReader(context);
	const createdFrom = searchStart(Date.now(), DEFAULT_LOOKBACK_DAYS);
	const listed = await listPieces(client, { createdFrom, onlyMaster: false });
	const byId = new Map(listed.map((piece) => [piece.id, piece]));
	const byMain = groupBy(listed, ({ record }) => mainIdOf(record));
	const toRead = listed.filter(
		(piece) => !piece.isCanceled && needsDetail(piece, byMain.get(piece.id)?.length ?? 0),
	);
	const unread = new Set<number>();
	await client.mapParallel(toRead, async ({ carrierCode, id }) => {
		const reading = readPieces(client, carrierCode, id).catch((failure: unknown) => {
			if (!isRefusal(failure) && !isStatus500(failure)) throw failure;
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
		const isPrinted = wasPrinted(id, printed);
		if (isCanceled || isPrinted) return 'done';
		if (record.printable === false) return 'notYet';
		return isPrinted === undefined ? 'unclear' : 'toPrint';
	};
	const byState = groupBy([...byId.values()], stateOf);
	const idsOf = (state: ReturnType<typeof stateOf>) =>
		byState.get(state)?.map(({ id }) => id) ?? [];
	const byOrder = groupBy(byState.get('toPrint') ?? [], ({ carrierCode, reference }) =>
		JSON.stringify([carrierCode, reference]),
	);
	return {
		byOrder: [...byOrder.values()].map((own) => ({
			carrierCode: own[0].carrierCode,
			...(own[0].reference === '' ? {} : { orderNumber: own[0].reference }),
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
