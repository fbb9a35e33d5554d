import type { ShipmentDetail } from '../transport/contract';
import { labelOf, type Order } from './order';
import type { Row } from './piece';
import type { ListedShipment } from './service';

/** A piece as the service's own records show it. */
export interface Found {
	id: number;
	label: string;
	isCanceled: boolean;
	record: Partial<ShipmentDetail>;
}

/** The record, where it says by its label and number which shipment it is. */
export function asFound(record: ListedShipment | ShipmentDetail): Found | undefined {
	const { id, packageNumberCustom: label, packageNumberCarrier: number, canceled } = record;
	if (typeof label !== 'string' || typeof number !== 'string') return undefined;
	return { id, label, isCanceled: canceled === true, record };
}

/** The pieces of one order as rows, as if they had come in the answer to its creation. */
export function asRows(
	order: Order,
	pieces: readonly Found[],
	message: string,
	takenIndexes: ReadonlySet<unknown> = new Set(),
): Row[] {
	const byPiece = (a: Found, b: Found) =>
		(a.record.packageNumberOrder ?? 0) - (b.record.packageNumberOrder ?? 0) || a.id - b.id;
	const free = freeIndexes(pieces.length, takenIndexes);
	return [...pieces].sort(byPiece).map(({ id, record }, position) => ({
		id,
		packageNumberCarrier: record.packageNumberCarrier ?? null,
		packageNumberCustom: labelOf(order),
		pieceIndex: free[position] ?? position,
		orderId: record.orderId ?? null,
		orderNumber: null,
		labelUrl: null,
		trackingUrl: record.trackingUrl ?? null,
		statusCode: 200,
		message,
		carrierErrors: null,
		...(record.serviceType ? { serviceType: record.serviceType } : {}),
	}));
}

function freeIndexes(count: number, taken: ReadonlySet<unknown>): number[] {
	const indexes = Array.from({ length: count + taken.size }, (_, index) => index);
	return indexes.filter((index) => !taken.has(index)).slice(0, count);
}
