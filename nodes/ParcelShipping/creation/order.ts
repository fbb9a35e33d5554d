import type { ShipmentCreation } from '../transport/contract';

/** What one input item asks for: a shipment of a carrier, ready to send. */
export interface Order {
	itemIndex: number;
	carrierCode: string;
	body: ShipmentCreation;
}

export function labelOf(order: Order): string {
	return String(order.body.packageNumberCustom);
}

/** The least number of rows that a created shipment has in an answer. */
export function pieceCountOf(order: Order): number {
	return Math.max(1, Math.floor(Number(order.body.pieceCount ?? 1)) || 1);
}
