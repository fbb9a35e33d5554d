import { hintsOf } from '../../../nodes/ParcelShipping/creation/hints';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import type { Order } from '../../../nodes/ParcelShipping/orders/order';
import { resultOf } from '../../support/orders';

const FACTS = { outputs: [], printed: [], notes: { isOfEarlierExecution: () => false } };
const RUN = { items: [{}, {}, {}], context: { getNode: () => ({}) } } as unknown as NodeRun;

test('what the execution that was retried has created is not counted as created again', () => {
	const outcomes = [resultOf(1, 'response'), resultOf(2, 'response'), resultOf(3, 'records')];
	const isOfEarlierExecution = ({ itemIndex }: Order) => itemIndex < 3;
	const printed = ['3 labels printed on Zebra'];
	expect(hintsOf(outcomes, RUN, { ...FACTS, printed, notes: { isOfEarlierExecution } })).toEqual([
		'1 shipment created, 2 created before the retry, 3 labels printed on Zebra.',
	]);
});
