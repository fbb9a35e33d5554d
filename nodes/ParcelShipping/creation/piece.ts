import type { CreatedShipment } from '../transport/contract';

/** A row of an answer. Nothing in it is sure to be there but the status. */
export type Row = { [Field in keyof CreatedShipment]?: CreatedShipment[Field] | null } & {
	/** Of a shipment that was read back: its own, whatever the order asks for. */
	serviceType?: string;
};

/** What is known of the batch that a piece belongs to. */
export type BatchFacts = {
	batchId: number | null;
	labelsUrl: string | null;
	labelsHash: string | null;
	ordersUrl: string | null;
	ordersHash: string | null;
	packagesCount: number | null;
	correlationId: string | null;
};

/** A piece of a shipment that exists at the service. */
export interface Piece {
	row: Row;
	batch: BatchFacts | null;
	alreadyExisted: boolean;
	/** The answer was lost, and the piece was found by asking the service. */
	recovered: boolean;
}

export function isRefused(row: Row): boolean {
	const status = Number(row.statusCode);
	return !(status >= 200 && status <= 299);
}

/** In the order of the pieces, as far as it is told. */
export function sortPieces<Sorted extends { row: Row }>(pieces: readonly Sorted[]): Sorted[] {
	return [...pieces].sort((a, b) => (a.row.pieceIndex ?? 0) - (b.row.pieceIndex ?? 0));
}
