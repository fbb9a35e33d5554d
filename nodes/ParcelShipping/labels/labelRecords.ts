import { DEFAULT_LOOKBACK_DAYS } from '../itemParameter';
import { searchStart } from '../records';
import type { Client } from '../transport/client';
import { withNewer } from '../transport/groupPieces';
import { listPieces, type PieceRecord, readPiecesOf } from '../transport/pieces';

/**
 * What the service says now about these labels: the details, or else the list. Services may have no detail of an
 * additional piece, or say only in the list what was printed. An ID that neither has is missing. With `failures`, an ID
 * that cannot be read is put there, and fails no other.
 */
export async function readLabelRecords(
	client: Client,
	carrierCode: string,
	ids: readonly number[],
	failures?: Map<number, unknown>,
): Promise<Map<number, PieceRecord>> {
	const fail = (failed: readonly number[], failure: unknown): PieceRecord[] => {
		if (!failures) throw failure;
		for (const id of failed) failures.set(id, failure);
		return [];
	};
	const pieces = await readPiecesOf(client, carrierCode, ids, (id, failure) => fail([id], failure));
	const unclear = new Set(
		ids.filter((id) => !failures?.has(id) && pieces.get(id)?.printed === undefined),
	);
	if (unclear.size === 0) return pieces;
	const createdFrom = searchStart(Date.now(), DEFAULT_LOOKBACK_DAYS);
	const listing = listPieces(client, {
		carrierCodes: [carrierCode],
		createdFrom,
		onlyMaster: false,
	});
	const listed = await listing.catch((failure: unknown) => fail([...unclear], failure));
	for (const piece of listed) {
		const detail = pieces.get(piece.id);
		if (unclear.has(piece.id)) pieces.set(piece.id, detail ? withNewer(piece, detail) : piece);
	}
	return pieces;
}
