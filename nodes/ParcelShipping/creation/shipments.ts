import { type Order, pieceCountOf, referenceOf } from '../orders/order';
import { idOf } from '../records';
import type { Batch, CreationEnvelope } from '../transport/contract';
import type { PieceRecord, FoundShipment } from '../transport/pieces';
import type { BatchInfo, Duplicate, Duplicates, OrderOutcome, Piece, Row, Shipment } from './types';

// What is asked about shipments and rows, and records written as rows.

/** The shipment of an order, or of one of several orders. */
export const shipmentOf = ({ outcome }: OrderOutcome): Shipment | undefined =>
	'value' in outcome ? outcome.value : undefined;

/** Whether the node created the shipment, or may have created it. What existed before is neither. */
export const isCreated = ({ pieces }: Shipment) =>
	pieces.some(({ via }) => via === 'response' || via === 'records');

/** Whether a response names a piece of it: the node created it, now or in the execution that a person has retried. */
export const isFromResponse = ({ pieces }: Shipment) =>
	pieces.some(({ via }) => via === 'response');

/** The shipment of the same order that came first, if this one should have been canceled and could not be. */
export function duplicateOf(shipment: Shipment): Duplicate | undefined {
	const { duplicates } = shipment;
	if (duplicates?.notCanceled === undefined) return undefined;
	return duplicates.named.find(({ id }) => id < mainPieceIdOf(shipment));
}

/** The lowest ID was created first. */
export const lowestFirst = (a: { id: number }, b: { id: number }) => a.id - b.id;

/** The IDs of the rows that have one. A refused row may have one as well. */
export const idsIn = (rows: readonly Row[]) => rows.map(idOf).filter((id) => id > 0);

export const idsOfPieces = (pieces: readonly Piece[]) => idsIn(pieces.map(({ row }) => row));

/** The ID of its main piece. */
export const mainPieceIdOf = ({ pieces }: Shipment) => Math.min(...idsOfPieces(pieces));

export function isRefused(row: Row): boolean {
	const status = Number(row.statusCode);
	return !(status >= 200 && status <= 299);
}

export function toBatchInfo(source: Partial<CreationEnvelope> & Partial<Batch>): BatchInfo {
	return {
		batchId: source.batchId ?? source.id ?? null,
		labelsUrl: source.labelsUrl ?? null,
		labelsHash: source.labelsHash ?? null,
		// Some services write numbers as text.
		packagesCount: source.packagesCount == null ? null : Number(source.packagesCount),
		correlationId: source.correlationId ?? null,
	};
}

export function toDuplicate({ id, carrierCode, pieces: [main] }: FoundShipment): Duplicate {
	return { id, carrierCode, packageNumberCarrier: main?.number || null };
}

/** Writes records as rows, as if they had come in the response to their creation. */
export function toRows(
	order: Order,
	records: readonly PieceRecord[],
	message: string,
	usedIndexes: ReadonlySet<unknown> = new Set(),
): Row[] {
	const indexes = Array.from({ length: records.length + usedIndexes.size }, (_, index) => index);
	const free = indexes.filter((index) => !usedIndexes.has(index));
	const byPiece = (a: PieceRecord, b: PieceRecord) =>
		(a.record.packageNumberOrder ?? 0) - (b.record.packageNumberOrder ?? 0) || a.id - b.id;
	return [...records].sort(byPiece).map(({ id, carrierCode, record, number }, position) => {
		// Lists call it `serviceCode`, details `serviceType`.
		const serviceType = record.serviceType ?? record.serviceCode;
		return {
			id,
			carrierCode,
			packageNumberCarrier: number || null,
			packageNumberCustom: referenceOf(order),
			pieceIndex: record.pieceIndex ?? free[position] ?? position,
			orderId: record.orderId ?? null,
			orderNumber: null,
			labelUrl: null,
			trackingUrl: record.trackingUrl ?? null,
			statusCode: 200,
			message,
			carrierErrors: null,
			...(serviceType ? { serviceType } : {}),
		};
	});
}

/** The pieces, and additional ones that only the records of the shipment have. */
export function withRecords(
	order: Order,
	pieces: readonly Piece[],
	found: FoundShipment | undefined,
	batch: BatchInfo | null,
): Piece[] {
	const ids = new Set(idsOfPieces(pieces));
	const missing = found?.pieces.filter(({ id, isCanceled }) => !isCanceled && !ids.has(id)) ?? [];
	const usedIndexes = new Set(pieces.map(({ row }) => row.pieceIndex));
	const rows = toRows(order, missing, 'Created; read back from the service', usedIndexes);
	return [...pieces, ...rows.map((row): Piece => ({ row, batch, via: 'records' }))].sort((a, b) =>
		comparePieces(a.row, b.row),
	);
}

/** How many pieces of a created shipment neither the response nor the records show. They may exist. */
export function countMissing(order: Order, shipment: Shipment): number {
	const { pieces, refused = [], withoutId = [] } = shipment;
	if (!isCreated(shipment)) return 0;
	const missingCount = pieceCountOf(order) - pieces.length;
	// A refusal can come twice. A row without an ID is a piece that exists, and may be one that was read back.
	const readBackCount = pieces.filter(({ via }) => via === 'records').length;
	const leastCount = Math.min(missingCount, withoutId.length - readBackCount);
	return Math.max(0, leastCount, missingCount - refused.length);
}

/** The shipment with the pieces that could not be confirmed before, if the list shows them now. */
export function withMissingPieces(
	order: Order,
	shipment: Shipment,
	listed: FoundShipment | undefined,
): Shipment {
	if (!listed || listed.isGuessed || countMissing(order, shipment) === 0) return shipment;
	const { pieces } = shipment;
	return { ...shipment, pieces: withRecords(order, pieces, listed, pieces[0]?.batch ?? null) };
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

export const withNotRead = (shipment: Shipment, notRead: string | undefined): Shipment =>
	notRead === undefined
		? shipment
		: { ...shipment, duplicates: { named: [], ...shipment.duplicates, notRead } };

export function comparePieces(a: Row, b: Row): number {
	return (a.pieceIndex ?? 0) - (b.pieceIndex ?? 0);
}

/** The references of the orders, and how many pieces their shipments should have. */
export const wantedOf = (orders: readonly Order[]) =>
	new Map(orders.map((order) => [referenceOf(order), pieceCountOf(order)]));
