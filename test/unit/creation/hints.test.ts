import { hintsOf } from '../../../nodes/ParcelShipping/creation/hints';
import type { Duplicates } from '../../../nodes/ParcelShipping/creation/types';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import type { Order } from '../../../nodes/ParcelShipping/orders/order';
import { ItemError } from '../../../nodes/ParcelShipping/transport/errors';
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

test('an order that failed in several ways is counted once, and the first reason is named', () => {
	const failure = new ItemError('Street is missing', '', { packageNumberCustom: 'A-7' });
	const outputs = [[0], [0], [1]].map((items) => ({ items, failure }));
	expect(hintsOf([], RUN, { ...FACTS, outputs })).toEqual([
		'2 items failed. A-7: Street is missing. See the failed items.',
	]);
});

test('a second shipment is canceled, named to be canceled, or none if it is that of an exchange', () => {
	const duplicate = { id: 9, carrierCode: 'ANT', packageNumberCarrier: 'A9' };
	const hintOf = (duplicates: Duplicates, body = {}) => {
		const result = resultOf(1, 'response', { duplicates });
		Object.assign(result.order.body, body);
		return hintsOf([result], RUN, FACTS)[1];
	};
	expect(hintOf({ named: [], canceled: duplicate })).toBe(
		'1 order was created twice, by another run at the same moment or by an earlier request. Duplicates were canceled. See canceledDuplicate in the output.',
	);
	expect(hintOf({ named: [duplicate] })).toBe(
		'1 order has more than one shipment: A-1 (also ID 9). Cancel the ones that you do not need.',
	);
	expect(hintOf({ named: [duplicate], notCanceled: 'Too late' })).toBe(
		'1 order has more than one shipment: A-1 (also ID 9; not canceled: Too late). Cancel the ones that you do not need.',
	);
	// An expression gives it as text.
	expect(hintOf({ named: [duplicate] }, { exchangeOrder: 'true' })).toBeUndefined();
});
