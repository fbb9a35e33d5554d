import { groupBy } from '../lists';
import { labelOf, type Order } from './order';

/** The requests of one carrier, sent one after another. */
export interface Lane {
	carrierCode: string;
	requests: Order[][];
}

/**
 * One lane per carrier, because a batch belongs to one carrier, cut into requests of `batchSize`.
 * No request holds a label twice: its answer and what is read back later are told apart by label.
 */
export function planLanes(orders: readonly Order[], batchSize: number): Lane[] {
	return [...groupByCarrier(orders)].map(([carrierCode, ofCarrier]) => ({
		carrierCode,
		requests: cutRequests(ofCarrier, Math.max(1, Math.floor(batchSize))),
	}));
}

export function groupByCarrier(orders: readonly Order[]): Map<string, Order[]> {
	return groupBy(orders, ({ carrierCode }) => carrierCode);
}

/** Orders with the same label at the same carrier, in groups of two or more. */
export function findRepeated(orders: readonly Order[]): Order[][] {
	const groups = groupBy(orders, (order) => JSON.stringify([order.carrierCode, labelOf(order)]));
	return [...groups.values()].filter((group) => group.length > 1);
}

/** Each order goes into the first request after those that have its label, if there is room. */
function cutRequests(orders: readonly Order[], batchSize: number): Order[][] {
	const requests: Order[][] = [];
	const nextWith = new Map<string, number>();
	let firstWithRoom = 0;
	for (const order of orders) {
		const label = labelOf(order);
		let index = Math.max(firstWithRoom, nextWith.get(label) ?? 0);
		while ((requests[index]?.length ?? 0) >= batchSize) index++;
		(requests[index] ??= []).push(order);
		nextWith.set(label, index + 1);
		while ((requests[firstWithRoom]?.length ?? 0) >= batchSize) firstWithRoom++;
	}
	return requests;
}
