import type { Piece, Row, Shipment } from '../../nodes/ParcelShipping/creation/types';
import type { Order } from '../../nodes/ParcelShipping/orders/order';
import type { PieceRecord, FoundShipment } from '../../nodes/ParcelShipping/transport/shipments';

/** Returns an order with only the fields that creation requires. */
export function orderWith(
	reference: string,
	more: { pieceCount?: number; itemIndex?: number; carrierCode?: string } = {},
): Order {
	const { pieceCount = 1, itemIndex = 0, carrierCode = 'ANT' } = more;
	const body = { serviceType: 'ANT-HOME', packageNumberCustom: reference, pieceCount };
	return { itemIndex, carrierCode, body: body as Order['body'] };
}

export const createdRow = (id: number, reference: string | null): Row => ({
	...{ id, packageNumberCustom: reference, statusCode: 200 },
});

export const refusedRow = (reference: string | null): Row => ({
	...{ id: 0, packageNumberCustom: reference, statusCode: 400 },
});

/** An active piece. */
export function pieceOf(
	id: number,
	reference: string,
	record: PieceRecord['record'] = {},
	carrierCode = 'ANT',
): PieceRecord {
	const number = record.packageNumberCarrier ?? '';
	const states = { isCanceled: false, printed: undefined, handedOver: undefined };
	return { id, carrierCode, reference, number, ...states, record };
}

/** An active shipment. The first piece is the main one. */
export function shipmentWith(...pieces: [PieceRecord, ...PieceRecord[]]): FoundShipment {
	const [{ id, carrierCode, reference }] = pieces;
	return { id, carrierCode, reference, pieces };
}

/** The shipment of the order of an item. */
export function resultOf(
	itemIndex: number,
	via: Piece['via'],
	more: Partial<Shipment> = {},
	order = orderWith(`A-${itemIndex}`, { itemIndex }),
) {
	const row = createdRow(itemIndex + 1, `A-${itemIndex}`);
	return { order, shipment: { pieces: [{ row, batch: null, via }], ...more } };
}
