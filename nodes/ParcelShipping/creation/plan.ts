import { chunk, groupBy } from '../lists';
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
	const length = Math.max(1, Math.floor(batchSize));
	return [...groupByCarrier(orders)].map(([carrierCode, ofCarrier]) => ({
		carrierCode,
		requests: separateRepeated(ofCarrier).flatMap((round) => chunk(round, length)),
	}));
}

export function groupByCarrier(orders: readonly Order[]): Map<string, Order[]> {
	return groupBy(orders, ({ carrierCode }) => carrierCode);
}

/** Orders with the same label at the same carrier, in groups of two or more. */
export function findRepeated(orders: readonly Order[]): Order[][] {
	const groups = groupBy(orders, keyOf);
	return [...groups.values()].filter((group) => group.length > 1);
}

/** The first order of each label, then the second ones, and so on. */
function separateRepeated(orders: readonly Order[]): Order[][] {
	const rounds: Order[][] = [];
	for (const alike of groupBy(orders, keyOf).values()) {
		for (const [time, order] of alike.entries()) (rounds[time] ??= []).push(order);
	}
	return rounds;
}

function keyOf(order: Order): string {
	return JSON.stringify([order.carrierCode, labelOf(order)]);
}
