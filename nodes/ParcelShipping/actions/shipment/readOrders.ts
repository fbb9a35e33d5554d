import type { ShipmentCreation } from '../../service/contract';
import type { ItemRefusal } from '../../service/nodeError';
import type { Run } from '../operation';

/** What one input item asks for: a shipment of a carrier, ready to send. */
export interface Order {
	itemIndex: number;
	carrierCode: string;
	body: ShipmentCreation;
}

export interface ReadOrders {
	orders: Order[];
	/** `order` where everything but the refused values could be read. */
	refused: Array<{ itemIndex: number; failure: ItemRefusal; order?: Order }>;
	/** Notes for the user about the whole run. */
	hints: string[];
}

/** Reads all items and checks all of them before anything is sent. */
export async function readOrders(_run: Run): Promise<ReadOrders> {
	return { orders: [], refused: [], hints: [] };
}
