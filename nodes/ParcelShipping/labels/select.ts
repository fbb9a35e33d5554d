import { countOf, groupBy, listTexts } from '../lists';
import { type ItemResult, type NodeRun, showHints } from '../run';
import { ItemError } from '../transport/errors';
import { mayLackPieces, type PieceRecord, readPieces, readPiecesOf } from '../transport/shipments';
import { requestedLabels, type WantedLabel } from './createLabels';
import { readAllPieces } from './allPieces';

/** The labels that one input item selects. */
export interface ItemShipments {
	item: number;
	/** By ID. */
	shipmentIds?: number[];
	/** By order number: the active pieces. Without these and IDs, all that were not printed. */
	pieces?: PieceRecord[];
	/** Shipments of which the provider may not show all pieces. */
	incomplete?: string[];
}

type Selected = Pick<PieceRecord, 'id' | 'printed' | 'reference'> & { carrierCode?: string };

/** The labels that the items select: those of all pieces, without those that were printed if they are skipped. */
export async function selectLabels<Item extends ItemShipments>(
	run: NodeRun,
	items: readonly Item[],
	skipsPrinted = false,
): Promise<{ wanted: Array<Item & WantedLabel>; results: ItemResult[] }> {
	const results: ItemResult[] = [];
	const incomplete = new Set(items.flatMap((item) => item.incomplete ?? []));
	let all: Promise<PieceRecord[]> | undefined;
	const selected = await run.client.mapParallel(items, async (item) => {
		try {
			const isAll = !item.pieces && !item.shipmentIds;
			const labels: Selected[] = isAll
				? await (all ??= readAllPieces(run))
				: (item.pieces ?? (await readChosen(run, item, incomplete)));
			return [{ item, isAll, labels }];
		} catch (failure) {
			results.push({ items: [item.item], failure });
			return [];
		}
	});
	if (incomplete.size > 0)
		showHints(run, [
			`The provider may not show all pieces of ${countOf(incomplete.size, 'shipment')}: ${listTexts([...incomplete])}. Unless the others are canceled, enter their IDs, which Shipment: Create has returned.`,
		]);
	const chosen = selected.flat();
	const left = skipsPrinted ? chosen.flatMap(({ labels }) => labels) : [];
	const printedOf = await printedReader(run, left);
	const wanted = chosen.flatMap(({ item, isAll, labels }) => {
		const { item: index } = item;
		const by = groupBy(labels, isAll || skipsPrinted ? printedOf : () => false);
		const [toPrint = [], printed = [], unknown = []] = [false, true, undefined].map((each) =>
			by.get(each),
		);
		const alreadyPrinted = isAll ? [] : printed.map(({ id }) => id);
		if (alreadyPrinted.length > 0)
			results.push({ items: [index], json: { skipped: true, alreadyPrinted } });
		if (unknown.length > 0) results.push({ items: [index], failure: unknownError(unknown) });
		if (isAll && toPrint.length + unknown.length === 0) {
			const json = { carrierCode: null, labelsCount: 0, message: 'Nothing to print' };
			results.push({ items: [index], json });
		}
		return toPrint.map(({ id, carrierCode, reference: orderNumber }) => {
			return { ...item, id, carrierCode, orderNumber };
		});
	});
	return { wanted, results };
}

/**
 * The labels of chosen IDs. At the provider, each piece has an ID and a label of its own: the additional pieces are added to
 * a main shipment whose item says that there are several. Other items cost no request.
 */
async function readChosen(
	{ client, items }: NodeRun,
	{ item, shipmentIds = [] }: ItemShipments,
	incomplete: Set<string>,
): Promise<Selected[]> {
	const { packageNumberCustom, ...json } = items[item]?.json ?? {};
	const carrierCode = String(json.carrierCode ?? '').trim();
	const [mainId, count] = [Number(json.id), Number(json.pieceCount ?? 1)];
	const ids = new Set(shipmentIds);
	const isRead = carrierCode !== '' && count > 1 && ids.has(mainId);
	const pieces = isRead ? await readPieces(client, carrierCode, mainId) : [];
	const [main] = pieces;
	if (main?.id === mainId) {
		for (const { id, isCanceled } of pieces) if (!isCanceled) ids.add(id);
		const shown = Math.max(pieces.length, ids.size);
		for (const each of describeMissingPieces(main, shown, true, count)) incomplete.add(each);
	}
	const reference = String(packageNumberCustom ?? '').trim();
	const named = { reference, ...(carrierCode === '' ? {} : { carrierCode }) };
	return [...ids].map((id) => ({ id, printed: undefined, ...named }));
}

/** Says whether a label was printed: the list, or else the detail. What an earlier try has requested may count as printed. */
async function printedReader({ client, context }: NodeRun, labels: readonly Selected[]) {
	const requested = requestedLabels(context);
	const details = new Map<number, PieceRecord>();
	const unclear = labels.filter(({ id, printed }) => printed === undefined && !requested[id]);
	for (const [carrierCode = '', group] of groupBy(unclear, (each) => each.carrierCode)) {
		const ids = group.map(({ id }) => id);
		// What cannot be read is unknown, and an error names it.
		const pieces = await readPiecesOf(client, carrierCode, ids).catch(() => []);
		for (const [id, piece] of pieces) details.set(id, piece);
	}
	return ({ id, printed }: Selected) =>
		requested[id] ? false : (printed ?? details.get(id)?.printed);
}

/** Names the shipment if the provider shows fewer pieces than it should have, or if its detail was not found. */
export function describeMissingPieces(
	main: PieceRecord,
	shown: number,
	hasDetail = true,
	expected = Number(main.record.pieceCount ?? 0),
): string[] {
	const name = main.reference || `ID ${main.id}`;
	if (expected > shown) return [`${name} (${shown} of ${expected})`];
	return !hasDetail && mayLackPieces(main, shown) ? [name] : [];
}

function unknownError(labels: readonly Selected[]): ItemError {
	const names = new Set(labels.map(({ id, reference }) => reference || `ID ${id}`));
	return new ItemError(
		'The provider does not say which labels were printed',
		`These could be printed twice, so they were left out: ${listTexts([...names])}. Print them by order number, without 'Skip Printed'.`,
		{ shipmentIds: labels.map(({ id }) => id) },
		true,
	);
}
