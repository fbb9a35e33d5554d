// The steps as a whole are tested in engine/creationOnce and refusedAsExisting, and in the simulation.
import { withoutItems } from '../../../nodes/ParcelShipping/creation/createShipments';
import { orderWith } from '../../support/orders';

describe('In a retry', () => {
	const orderOf = (...items: number[]) => {
		const [itemIndex = 0, ...sameItems] = items;
		return { ...orderWith('A', { itemIndex }), sameItems };
	};

	test.each<[string, sent: number[], orders: number[][], newOrders: number[][]]>([
		['a new order is sent', [], [[0]], [[0]]],
		['an order that was sent is not sent', [0], [[0]], []],
		['an order of two items is not sent for one of them', [0, 1], [[0], [1]], []],
		[
			'items that join an order that was sent are sent without its item',
			[1],
			[[0, 1, 2]],
			[[0, 2]],
		],
	])('%s', (_, sent, orders, newOrders) => {
		const toOrders = (each: number[][]) => each.map((items) => orderOf(...items));
		expect(withoutItems(toOrders(orders), new Set(sent))).toEqual(toOrders(newOrders));
	});
});
