import { isExchange, type Order, pieceCountOf, referenceOf } from '../orders/order';
import { idOf } from '../records';
import { describeError } from '../transport/errors';
import type { PieceRecord, FoundShipment } from '../transport/shipments';
import type { Duplicate, Duplicates, Piece, Shipment } from './types';

// What is asked about shipments, and records written as rows.

/** Whether the node created the shipment, or may have created it. What existed before is neither. */
export const isCreated = ({ pieces }: Shipment) =>
	pieces.some(({ via }) => via === 'response' || via === 'records');

/** Whether a response names a piece of it: the node created it, now or in the execution that a person has retried. */
export const isFromResponse = ({ pieces }: Shipment) =>
	pieces.some(({ via }) => via === 'response');

/** The lowest ID was created first. */
export const lowestFirst = (a: { id: number }, b: { id: number }) => a.id - b.id;

export const idsOfPieces = (pieces: readonly Piece[]) =>
	pieces.map(({ row }) => idOf(row)).filter((id) => id > 0);

/** The ID of its main piece. */
export const mainPieceIdOf = ({ pieces }: Shipment) => Math.min(...idsOfPieces(pieces));

export function toDuplicate({
	id,
	carrierCode,
	pieces: [main],
}: Pick<FoundShipment, 'id' | 'carrierCode'> & { pieces: Array<{ number: string }> }): Duplicate {
	return { id, carrierCode, packageNumberCarrier: main?.number || null };
}

/** The record of a piece, as if it had come in the response to its creation. */
function toNewPiece(
	{ id, carrierCode, record, number, printed, reference }: PieceRecord,
	pieceIndex: number,
	via: Piece['via'],
): Piece {
	// Lists call it `serviceCode`, details `serviceType`.
	const serviceType = record.serviceType ?? record.serviceCode;
	const row = {
		id,
		carrierCode,
		packageNumberCarrier: number || null,
		packageNumberCustom: reference,
		pieceIndex,
		orderId: record.orderId ?? null,
		orderNumber: null,
		labelUrl: null,
		trackingUrl: record.trackingUrl ?? null,
		statusCode: 200,
		message: via === 'records' ? 'Created; read back from the provider' : 'Already exists',
		carrierErrors: null,
		...(serviceType ? { serviceType } : {}),
	};
	return { row, batch: null, via, printed };
}

/** How many pieces of a created shipment neither the response nor the records show. They may exist. */
export const countMissing = (order: Order, shipment: Shipment) =>
	isCreated(shipment)
		? Math.max(0, pieceCountOf(order) - shipment.pieces.length - (shipment.refused?.length ?? 0))
		: 0;

/** The shipment with the pieces that could not be confirmed before, if the records show them now. */
export const withMissingPieces = (
	order: Order,
	shipment: Shipment,
	found: FoundShipment | undefined,
) =>
	countMissing(order, shipment) > 0 && !isExchange(order)
		? withPiecesOf(order, shipment, found)
		: shipment;

/** The shipment with all active pieces that its record has. */
export function withPiecesOf(
	order: Order,
	shipment: Shipment,
	found: FoundShipment | undefined,
	via: Piece['via'] = 'records',
): Shipment {
	const { pieces } = shipment;
	const ids = new Set(idsOfPieces(pieces));
	const missing = found?.pieces.filter(({ id, isCanceled }) => !isCanceled && !ids.has(id)) ?? [];
	if (missing.length === 0) return shipment;
	const used = new Set(pieces.map(({ row }) => row.pieceIndex));
	const indexes = Array.from({ length: missing.length + used.size }, (_, index) => index);
	const free = indexes.filter((index) => !used.has(index));
	const byPiece = (a: PieceRecord, b: PieceRecord) =>
		(a.record.packageNumberOrder ?? 0) - (b.record.packageNumberOrder ?? 0) || a.id - b.id;
	const added = missing.sort(byPiece).map((piece, position) => {
		const index = piece.record.pieceIndex ?? free[position] ?? position;
		return toNewPiece({ ...piece, reference: referenceOf(order) }, index, via);
	});
	const byIndex = (a: Piece, b: Piece) => (a.row.pieceIndex ?? 0) - (b.row.pieceIndex ?? 0);
	return { ...shipment, pieces: [...pieces, ...added].sort(byIndex) };
}

/** What an earlier try has canceled stays known. What else it has found may have changed. */
export function withNamed(
	shipment: Shipment,
	others: readonly FoundShipment[],
	more: Partial<Duplicates> = {},
): Shipment {
	const { canceled } = shipment.duplicates ?? {};
	const named = others.map(toDuplicate);
	return { ...shipment, duplicates: { named, ...(canceled ? { canceled } : {}), ...more } };
}

/** Whether another process has created the order as well is not known. */
export function withNotRead(shipment: Shipment, why: unknown): Shipment {
	const notRead = describeError(why).message;
	return { ...shipment, duplicates: { named: [], ...shipment.duplicates, notRead } };
}
