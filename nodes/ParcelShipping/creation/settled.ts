import type { Finding } from './finding';
import { asRows, type Found } from './found';
import { type Order, pieceCountOf } from './order';
import { type BatchFacts, isRefused, type Piece, type Row, sortPieces } from './piece';
import { piecesMissing, refusedByCarrier } from './words';

/** What became of an order for good, as far as this execution is concerned. */
export interface Settled {
	pieces: Piece[];
	/** Refused rows of an order of which other rows were created. */
	refused: Row[];
}

/** From rows of the answer to its creation, and from records of the service that the answer lacks. */
export function settledOf(
	order: Order,
	rows: readonly Row[],
	found: readonly Found[],
	batch: BatchFacts | null,
	batchOf: (id: number) => BatchFacts | null,
): Settled {
	const answered = rows.filter((row) => !isRefused(row));
	const taken = new Set(answered.map(({ pieceIndex }) => pieceIndex));
	const readBackRows = asRows(order, found, 'Created; read back from the service', taken);
	// Where only the main shipment stands in the batch, its pieces are in the same one.
	const batchOfOrder = readBackRows.map(({ id }) => batchOf(Number(id))).find(Boolean) ?? null;
	return {
		pieces: sortPieces<Piece>([
			...answered.map((row) => ({ row, batch, alreadyExisted: false, recovered: false })),
			...readBackRows.map((row) => ({
				row,
				batch: batchOfOrder,
				alreadyExisted: false,
				recovered: true,
			})),
		]),
		refused: rows.filter(isRefused),
	};
}

export function findingsOf(
	order: Order,
	{ pieces, refused }: Settled,
	batch: BatchFacts | null = pieces[0]?.batch ?? null,
): Finding[] {
	const orders = [order];
	// A piece that neither the answer nor the service's records tell of may exist all the same.
	const isNew = pieces.length > 0 && pieces.every(({ alreadyExisted }) => !alreadyExisted);
	const isShort = isNew && pieces.length + refused.length < pieceCountOf(order);
	return [
		...(pieces.length > 0 ? [{ orders, pieces }] : []),
		...(isShort ? [{ orders, failure: piecesMissing(order, pieces, batch) }] : []),
		...refused.map((row) => ({ orders, failure: refusedByCarrier(order.carrierCode, row, batch) })),
	];
}
