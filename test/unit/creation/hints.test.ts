import { hintsOf } from '../../../nodes/ParcelShipping/creation/hints';
import type { Duplicates } from '../../../nodes/ParcelShipping/creation/types';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import type { Order } from '../../../nodes/ParcelShipping/orders/order';
import { ItemError } from '../../../nodes/ParcelShipping/transport/errors';
import { orderWith, resultOf } from '../../support/orders';

const FACTS = { failures: [], printed: [], notes: { isOfEarlierExecution: () => false } };
const RUN = { context: { getNode: () => ({}) } } as unknown as NodeRun;

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
	const failures = [[0, 1], [0], [1]].map((items) => ({ items, failure }));
	expect(hintsOf([], RUN, { ...FACTS, failures })).toEqual([
		'2 orders failed. A-7: Street is missing. See the failed items.',
	]);
});

test('shipments with fewer pieces than ordered are one hint', () => {
	const outcomes = [0, 1, 2, 3, 4, 5, 6].map((itemIndex) => {
		const order = orderWith(`A-${itemIndex}`, { itemIndex, pieceCount: 3 });
		return resultOf(itemIndex, 'existing', {}, order);
	});
	expect(hintsOf(outcomes.slice(1, 2), RUN, FACTS)).toContain(
		'1 shipment has fewer pieces than ordered: A-1 (1 of 3 pieces).',
	);
	expect(hintsOf(outcomes, RUN, FACTS)[1]).toMatch(
		/^7 shipments have fewer pieces than ordered: A-0 \(1 of 3 pieces\), .* and 2 more\.$/,
	);
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
