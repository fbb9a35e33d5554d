import { hintsOf } from '../../../nodes/ParcelShipping/creation/hints';
import type { CreationRun } from '../../../nodes/ParcelShipping/creation/lookUp';
import type { Order } from '../../../nodes/ParcelShipping/orders/order';
import { resultOf } from '../../support/orders';

test('what the execution that was retried has created is not counted as created again', () => {
	const outcomes = [resultOf(1, 'response'), resultOf(2, 'response'), resultOf(3, 'records')];
	const notes = { isOfEarlierExecution: ({ itemIndex }: Order) => itemIndex < 3 };
	const run = { items: [{}, {}, {}], notes } as unknown as CreationRun;
	expect(hintsOf(outcomes, run, [], ['3 labels printed on Zebra'])).toEqual([
		'1 shipment created, 2 created before the retry, 3 labels printed on Zebra.',
	]);
});
