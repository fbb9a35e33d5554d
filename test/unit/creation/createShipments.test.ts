// The steps as a whole are tested in engine/creationOnce and refusedAsExisting, and in the simulation.
import { thatMayBeSent } from '../../../nodes/ParcelShipping/creation/createShipments';
import { orderWith } from '../../support/orders';

describe('In a retry', () => {
	const orderOf = (...items: number[]) => {
		const [itemIndex = 0, ...sameItems] = items;
		return { ...orderWith('A', { itemIndex }), sameItems };
	};

	test('A was sent, B is unknown and a person may send it again, C was refused: B and C are sent', () => {
		const [a, b, c] = [orderOf(0), orderOf(1), orderOf(2)];
		const journal = { doneOrPendingTargets: [a, b], mayRequest: (each: object) => each === b };
		expect(thatMayBeSent([a, b, c], journal)).toEqual([b, c]);
	});

	test.each<[string, sent: number[][], orders: number[][], newOrders: number[][]]>([
		['a new order is sent', [], [[0]], [[0]]],
		['an order that was sent is not sent', [[0]], [[0]], []],
		['an order of two items is not sent for one of them', [[0, 1]], [[0], [1]], []],
		[
			'items that join an order that was sent are sent without its item',
			[[1]],
			[[0, 1, 2]],
			[[0, 2]],
		],
	])('%s', (_, sent, orders, newOrders) => {
		const toOrders = (each: number[][]) => each.map((items) => orderOf(...items));
		const journal = { doneOrPendingTargets: toOrders(sent), mayRequest: () => false };
		expect(thatMayBeSent(toOrders(orders), journal)).toEqual(toOrders(newOrders));
	});
});
