import type { FoundRecord, Row } from '../../nodes/ParcelShipping/creation/types';
import type { Order } from '../../nodes/ParcelShipping/orders/order';

/** Returns an order with only the fields that creation requires. */
export function orderWith(
	reference: string,
	more: { pieceCount?: number; itemIndex?: number; carrierCode?: string } = {},
): Order {
	const { pieceCount = 1, itemIndex = 0, carrierCode = 'ANT' } = more;
	const body = { serviceType: 'ANT-HOME', packageNumberCustom: reference, pieceCount };
	return { itemIndex, carrierCode, body: body as Order['body'] };
}

export function createdRow(id: number, reference: string | null): Row {
	return { id, packageNumberCustom: reference, statusCode: 200 };
}

export function refusedRow(reference: string | null): Row {
	return { id: 0, packageNumberCustom: reference, statusCode: 400 };
}

export function recordOf(id: number, reference: string): FoundRecord {
	return { id, carrierCode: 'ANT', reference, isCanceled: false, record: {} };
}
