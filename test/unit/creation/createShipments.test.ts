// The steps as a whole are tested in engine/creationOnce and refusedAsExisting, and in the simulation.
import { splitRecalled } from '../../../nodes/ParcelShipping/creation/createShipments';
import type { OrderOutcome } from '../../../nodes/ParcelShipping/creation/types';
import { orderWith } from '../../support/orders';

describe('In a retry', () => {
	const orderOf = (...items: number[]) => {
		const [itemIndex = 0, ...sameItems] = items;
		return { ...orderWith('A', { itemIndex }), sameItems };
	};
	const OUTCOMES = {
		done: { state: 'done', value: { pieces: [] } },
		notDone: { state: 'notDone', errors: [] },
		unknown: { state: 'unknown', errors: [], personMayRepeat: true },
	} satisfies Record<string, OrderOutcome['outcome']>;
	const recalledAs = (state: keyof typeof OUTCOMES, ...items: number[]): OrderOutcome => ({
		targets: [orderOf(...items)],
		outcome: OUTCOMES[state],
	});
	const itemsIn = ({ itemIndex, sameItems = [] }: { itemIndex: number; sameItems?: number[] }) => [
		itemIndex,
		...sameItems,
	];

	test('A was done, B is unknown, C was refused: only C is sent', () => {
		const recalled = [recalledAs('done', 0), recalledAs('unknown', 1)];
		const orders = [0, 1, 2].map((item) => orderOf(item));
		const { earlier, newOrders } = splitRecalled(recalled, orders.slice(0, 2), orders);
		expect(earlier.map(({ outcome }) => outcome.state)).toEqual(['done', 'unknown']);
		expect(newOrders.map(itemsIn)).toEqual([[2]]);
	});

	test.each<[string, OrderOutcome[], number[][], { stays: number; sent: number[][] }]>([
		['a new order is sent', [], [[0]], { stays: 0, sent: [[0]] }],
		['an order that is done is not sent', [recalledAs('done', 0)], [[0]], { stays: 1, sent: [] }],
		[
			'an order that turned out not to exist is sent, and has no other outcome',
			[recalledAs('notDone', 0)],
			[[0]],
			{ stays: 0, sent: [[0]] },
		],
		[
			'an order that cannot be sent any more keeps its outcome',
			[recalledAs('notDone', 0)],
			[],
			{ stays: 1, sent: [] },
		],
		[
			'an order of two items is not sent for one of them',
			[recalledAs('done', 0, 1)],
			[[0], [1]],
			{ stays: 1, sent: [] },
		],
		[
			'items that join an order that is done are sent without its item',
			[recalledAs('done', 1)],
			[[0, 1, 2]],
			{ stays: 1, sent: [[0, 2]] },
		],
	])('%s', (_, recalled, orders, { stays, sent }) => {
		const done = recalled.filter(({ outcome }) => outcome.state === 'done');
		const notToSend = done.flatMap(({ targets }) => targets);
		const given = orders.map((items) => orderOf(...items));
		const { earlier, newOrders } = splitRecalled(recalled, notToSend, given);
		expect([earlier.length, newOrders.map(itemsIn)]).toEqual([stays, sent]);
	});
});
