import type { ShipmentCreation } from '../transport/contract';
import type { Cleaned } from './cleanUp';

/** One shipment to create, read from one input item. */
export interface Order {
	itemIndex: number;
	carrierCode: string;
	body: ShipmentCreation;
	/** Values of the item that were rewritten, for the preview and a hint. */
	cleaned?: Cleaned;
	/** The rule that has chosen carrier and service by shipping method, for the preview. */
	rule?: string;
}

/** An item that is not sent because its values are invalid. */
export interface InvalidItem {
	itemIndex: number;
	failure: unknown;
	/** What could be read of the order; absent without a carrier or service. */
	order?: Order;
}

/** The shop's own number of the order. */
export function referenceOf(order: Order): string {
	return String(order.body.packageNumberCustom);
}

/** The smallest number of rows that a created order has in a response. */
export function pieceCountOf(order: Order): number {
	return Math.max(1, Math.floor(Number(order.body.pieceCount ?? 1)) || 1);
}
