import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_LOOKBACK_DAYS } from '../parameterValues';
import { countOf, groupBy, listTexts } from '../lists';
import { mainIdOf, searchStart } from '../records';
import { type ItemResult, type NodeRun, showHints } from '../run';
import type { Client } from '../transport/client';
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

/** The items without the labels that were printed. `pieces` are those of all items, from their details. */
export async function leaveOutPrinted<Item extends WithIds>(
	run: NodeRun,
	items: readonly Item[],
	pieces: ReadonlyMap<number, PieceRecord>,
	results: ItemResult[],
): Promise<Item[]> {
	const wasPrinted = printedReader(run.context);
	const readList = printedInList(run.client);
	const unclear = new Set<number>();
	const inDetail = (id: number) => wasPrinted(id, pieces.get(id)?.printed);
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
 * additional piece, or say only in the list what was printed. The list can be behind, so that *Skip Printed* uses it only
 * for what it shows as printed. *All Not Printed* also relies on what it shows as not printed.
 */
function printedInList(client: Client) {
	const lists = new Map<string, Promise<Set<number>>>();
	const read = async (carrierCode: string) => {
		const createdFrom = searchStart(Date.now(), DEFAULT_LOOKBACK_DAYS);
		const filter = { carrierCodes: [carrierCode], createdFrom, onlyMaster: false };
		// The list only adds to the details. Without it, labels of which no detail says it are printed and named in a hint,
		// as at a service that never says it. A detail that cannot be read fails its item, because it may say printed.
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
