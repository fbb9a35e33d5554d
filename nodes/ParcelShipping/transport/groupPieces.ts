import { isAdditional, mainIdOf } from '../records';
import type { FoundShipment, PieceRecord } from './pieces';

// Services leave out what belongs together, and in different ways.

/** Reads all pieces of the shipment that has this ID. */
type ReadDetail = (piece: PieceRecord) => Promise<PieceRecord[]>;

/**
 * Groups the pieces of a carrier with one reference into shipments: by what the records say, by the details, and by
 * guessing. All of them are living, or all are canceled. `canceled` are those with the same reference, if these are living:
 * if a shipment is canceled in part, its main piece may be among them. `pieceCount` is what each shipment should have.
 */
export async function groupPieces(
	sameReference: readonly PieceRecord[],
	canceled: readonly PieceRecord[],
	pieceCount: number | undefined,
	readDetail: ReadDetail,
): Promise<FoundShipment[]> {
	const pieces = sameReference.toSorted((a, b) => a.id - b.id);
	const mainIds = mainIdsIn(pieces);
	const mains = pieces.filter(isMain);
	const unplaced = pieces.filter(({ id }) => !mainIds.has(id));
	const [main = pieces[0]] = mains;
	const listed = main?.record.pieceCount ?? undefined;
	const expected = Math.max(pieceCount ?? listed ?? pieces.length, listed ?? 1);
	const limit = pieceCount === undefined && listed === undefined ? undefined : expected;
	const areAdditional = unplaced.every(isAdditionalPiece);
	if (main && mains.length === 1 && areAdditional && pieces.length <= expected) {
		for (const { id } of unplaced) mainIds.set(id, main.id);
		return groupByMain(pieces, mainIds, limit);
	}
	const mayBelongTogether =
		unplaced.some(isAdditionalPiece) || (unplaced.length > 0 && expected > 1);
	if (pieces[0]?.isCanceled || !mayBelongTogether) return groupByMain(pieces, mainIds, limit);
	const canceledMains = canceled.filter((piece) => !isAdditionalPiece(piece));
	const details = await placeByDetails([...canceledMains, ...pieces], mainIds, readDetail);
	const newest = pieces.map((piece) => {
		const detail = details.get(piece.id);
		return detail ? withNewer(piece, detail) : piece;
	});
	return groupByMain(newest, mainIds, limit);
}

/** Reads details until each piece has its main shipment, and returns them. The detail of one contains its pieces. */
async function placeByDetails(
	pieces: readonly PieceRecord[],
	mainIds: MainIds,
	readDetail: ReadDetail,
): Promise<Map<number, PieceRecord>> {
	const details = new Map<number, PieceRecord>();
	const toRead = pieces.filter((piece) => isMain(piece) || !mainIds.has(piece.id));
	const mainsFirst = toRead.toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)));
	for (const piece of mainsFirst) {
		if (mainIds.has(piece.id) && !isMain(piece)) continue;
		const together = await readDetail(piece);
		for (const detail of together) {
			if (together.length > 1) mainIds.set(detail.id, together[0]?.id ?? detail.id);
			details.set(detail.id, detail);
		}
	}
	return details;
}

/** The ID of the main shipment of each piece, as far as it is known. */
type MainIds = Map<number, number>;

function mainIdsIn(pieces: readonly PieceRecord[]): MainIds {
	const mainIds: MainIds = new Map();
	for (const piece of pieces) {
		const said = isMain(piece) ? piece.id : mainIdOf(piece.record);
		const mainId = piece.mainId ?? said;
		if (mainId) mainIds.set(piece.id, mainId);
	}
	return mainIds;
}

/**
 * A piece that nothing places belongs to the shipment before it, as long as that one lacks pieces.
 * `pieceCount` is undefined if nobody knows how many a shipment has.
 */
function groupByMain(
	pieces: readonly PieceRecord[],
	mainIds: MainIds,
	pieceCount: number | undefined,
): FoundShipment[] {
	const groups = new Map<number, [PieceRecord, ...PieceRecord[]]>();
	const guessed = new Set<number>();
	let lastId = 0;
	for (const piece of pieces) {
		const last = groups.get(lastId);
		// What the record of a shipment says counts more than what is expected of all of them.
		const limit = (last?.[0] ?? piece).record.pieceCount ?? pieceCount;
		// Its detail may have pieces that the list does not have.
		const placed = [...mainIds.values()].filter((id) => id === lastId).length;
		const length = Math.max(last?.length ?? 0, placed);
		const hasRoom =
			last !== undefined &&
			piece.record.pieceCount !== 1 &&
			length < (limit ?? (isAdditionalPiece(piece) ? Infinity : 0));
		const id = mainIds.get(piece.id) ?? (hasRoom ? lastId : piece.id);
		const group = groups.get(id);
		groups.set(id, group ? [...group, piece] : [piece]);
		const count = (group?.[0] ?? piece).record.pieceCount ?? pieceCount ?? pieces.length;
		if (!mainIds.has(piece.id) && count > 1 && pieces.length > 1) guessed.add(id);
		lastId = id;
	}
	return [...groups].map(([id, group]) => {
		const [{ carrierCode, reference }] = group;
		const ordered = group.toSorted((a, b) => Number(b.id === id) - Number(a.id === id));
		return { id, carrierCode, reference, pieces: ordered, isGuessed: guessed.has(id) };
	});
}

/** The detail counts, because it is newer. What it leaves out, the list says. */
export function withNewer(listed: PieceRecord, detail: PieceRecord): PieceRecord {
	return {
		...detail,
		reference: detail.reference || listed.reference,
		number: detail.number || listed.number,
		isCanceled: (detail.record.canceled ?? null) === null ? listed.isCanceled : detail.isCanceled,
		printed: detail.printed ?? listed.printed,
		handedOver: detail.handedOver ?? listed.handedOver,
		record: { ...listed.record, ...detail.record },
	};
}

/** Whether the record says so. */
function isMain({ record }: PieceRecord): boolean {
	const { isMaster, packageNumberOrder } = record as { isMaster?: unknown } & typeof record;
	return isMaster === true || packageNumberOrder === 1;
}

const isAdditionalPiece = ({ record }: PieceRecord) => isAdditional(record);
