import { isExchange, type Order, pieceCountOf, referenceOf } from '../orders/order';
import { idOf } from '../records';
import { describeError } from '../transport/errors';
import type { FoundShipment } from '../transport/shipments';
import type { Duplicate, Piece, Shipment } from './types';

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

/** The ID of its main piece, Infinity without one. */
export const mainPieceIdOf = ({ pieces }: Shipment) =>
	idsOfPieces(pieces).reduce((least, id) => Math.min(least, id), Infinity);

export function toDuplicate({
	id,
	carrierCode,
	pieces: [main],
}: Pick<FoundShipment, 'id' | 'carrierCode'> & { pieces: Array<{ number: string }> }): Duplicate {
	return { id, carrierCode, packageNumberCarrier: main?.number || null };
}

/** How many pieces of a created shipment neither the response nor the records show. They may exist. */
export const countMissing = (order: Order, shipment: Shipment) =>
	isCreated(shipment)
		? Math.max(0, pieceCountOf(order) - shipment.pieces.length - (shipment.refused?.length ?? 0))
		: 0;

/** The shipment with the pieces that could not be confirmed before, if the records show them now. */
export function withMissingPieces(
	order: Order,
	shipment: Shipment,
	shown: readonly Piece[] = [],
): Shipment {
	if (countMissing(order, shipment) === 0 || isExchange(order)) return shipment;
	const ids = new Set(idsOfPieces(shipment.pieces));
	const added = shown.filter(({ row }) => !ids.has(idOf(row)));
	const byIndex = (a: Piece, b: Piece) => (a.row.pieceIndex ?? 0) - (b.row.pieceIndex ?? 0);
	return { ...shipment, pieces: [...shipment.pieces, ...added].sort(byIndex) };
}

/** The active pieces that the records show, main piece first, as if they had come in the response to the creation. */
export function toPieces(
	order: Order,
	shipment: FoundShipment,
	via: Piece['via'] = 'records',
): Piece[] {
	const active = shipment.pieces.filter(({ isCanceled }) => !isCanceled);
	active.sort(
		(a, b) =>
			(a.record.packageNumberOrder ?? 0) - (b.record.packageNumberOrder ?? 0) || a.id - b.id,
	);
	return active.map(({ id, carrierCode, record, number, printed }, position) => {
		// Lists call it `serviceCode`, details `serviceType`.
		const serviceType = record.serviceType ?? record.serviceCode;
		const row = {
			id,
			carrierCode,
			packageNumberCarrier: number || null,
			packageNumberCustom: referenceOf(order),
			pieceIndex: record.pieceIndex ?? position,
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
	});
}

/** What an earlier try has canceled stays known. What else it has found may have changed. */
export function withNamed(
	shipment: Shipment,
	others: readonly FoundShipment[],
	canceled = shipment.duplicates?.canceled,
	notCanceled?: string,
): Shipment {
	return { ...shipment, duplicates: { named: others.map(toDuplicate), canceled, notCanceled } };
}

/** Whether another process has created the order as well is not known. */
export function withNotRead(shipment: Shipment, why: unknown): Shipment {
	const notRead = describeError(why).message;
	return { ...shipment, duplicates: { named: [], ...shipment.duplicates, notRead } };
}
