import { pick } from 'lodash';

import { hintsOf } from '../../../nodes/ParcelShipping/creation/hints';
import { toItems } from '../../../nodes/ParcelShipping/creation/output';
import type {
	BatchInfo,
	OrderOutcome,
	Piece,
	Duplicates,
} from '../../../nodes/ParcelShipping/creation/types';
import type { Order } from '../../../nodes/ParcelShipping/orders/order';
import { createdRow, orderWith } from '../../support/orders';

const BATCHES = { output: 'batches', ifExists: 'reuse' } as const;

/** The shipment of the order of an item. */
function outcomeOf(itemIndex: number, via: Piece['via'], batchId?: number | null): OrderOutcome {
	const batch = batchId === undefined ? null : ({ batchId } as BatchInfo);
	const reference = `A-${itemIndex}`;
	const pieces = [{ row: createdRow(itemIndex + 1, reference), batch, via }];
	return {
		targets: [orderWith(reference, { itemIndex, pieceCount: 1 })],
		outcome: { state: 'done', value: { pieces } },
	};
}

/** The items and the JSON of each output item. */
const outputs = (outcomes: OrderOutcome[]) =>
	toItems(outcomes, BATCHES).map((output) => {
		if ('failure' in output) throw output.failure;
		const { alreadyExisted, recovered } = output.json;
		return { items: output.items, alreadyExisted, recovered };
	});

test('the shipments of a batch are one output item, linked to all of their items', () => {
	expect(
		outputs([outcomeOf(0, 'response', 7), outcomeOf(1, 'records', 7), outcomeOf(2, 'response', 8)]),
	).toEqual([
		{ items: [0, 1], alreadyExisted: false, recovered: true },
		{ items: [2], alreadyExisted: false, recovered: false },
	]);
});

test.each([
	['came first has the other one in duplicates', 1, { duplicates: [{ id: 5 }] }],
	[
		'came second is the duplicate of the first one',
		9,
		{ duplicateOf: { id: 5, reason: 'Too late' } },
	],
])('of two shipments that could not be canceled, the one that %s', (_, id, expected) => {
	const outcome = outcomeOf(id - 1, 'response');
	const living = [{ id: 5, carrierCode: 'ANT', packageNumberCarrier: null }];
	if (outcome.outcome.state === 'done') {
		outcome.outcome.value.duplicates = { living, notCanceled: 'Too late' };
	}
	const [item] = toItems([outcome], { output: 'shipments', ifExists: 'reuse' });
	const json = item && 'json' in item ? item.json : {};
	const { duplicates, duplicateOf } = json;
	expect({ duplicates, duplicateOf }).toMatchObject({
		duplicates: undefined,
		duplicateOf: undefined,
		...expected,
	});
});

test('an unmatched shipment has no recipient or cash on delivery of one of its orders', () => {
	const [first, second] = ['A', 'B'].map((reference, itemIndex) =>
		orderWith(reference, { itemIndex }),
	);
	Object.assign(first?.body ?? {}, { recName: 'Jana', cod: true, codPrice: 5, codCurrency: 'CZK' });
	const outcomeFor = (...targets: Array<typeof first>) => ({
		targets: targets.flatMap((each) => each ?? []),
		outcome: {
			state: 'unknown' as const,
			errors: [],
			candidates: { pieces: [{ row: createdRow(1, null), batch: null, via: 'response' as const }] },
		},
	});
	const output = (outcome: OrderOutcome) =>
		toItems([outcome], { output: 'shipments', ifExists: 'reuse' }).flatMap((item) =>
			'json' in item ? [pick(item.json, 'recName', 'codPrice', 'unmatched')] : [],
		);
	const nobody = { recName: null, codPrice: null, unmatched: true };
	expect(output(outcomeFor(first, second))).toEqual([nobody]);
	expect(output(outcomeFor(first))).toEqual([{ recName: 'Jana', codPrice: 5, unmatched: true }]);
});

test('shipments without a known batch are output by their origin', () => {
	const unknown = [outcomeOf(1, 'response', null), outcomeOf(2, 'response', null)];
	const outcomes = [
		outcomeOf(0, 'existing'),
		...unknown,
		outcomeOf(3, 'records'),
		outcomeOf(4, 'otherRun'),
	];
	expect(outputs(outcomes)).toEqual([
		{ items: [0, 4], alreadyExisted: true, recovered: false },
		{ items: [1, 2], alreadyExisted: false, recovered: false },
		{ items: [3], alreadyExisted: false, recovered: true },
	]);
});

const FACTS = { failedCount: 0, printedOn: [], isFromEarlierExecution: () => false };

test('what the execution that was retried has created is not counted as created again', () => {
	const outcomes = [outcomeOf(1, 'response'), outcomeOf(2, 'response'), outcomeOf(3, 'records')];
	const isFromEarlierExecution = ({ itemIndex }: Order) => itemIndex < 3;
	expect(hintsOf(outcomes, '', { ...FACTS, isFromEarlierExecution }).slice(0, 2)).toEqual([
		'1 shipment created.',
		'2 shipments were created by the execution that was retried, and not again.',
	]);
});

test('shipments with fewer pieces than ordered are one hint', () => {
	const outcomes = [0, 1, 2, 3, 4, 5, 6].map((itemIndex): OrderOutcome => {
		const targets = [orderWith(`A-${itemIndex}`, { itemIndex, pieceCount: 3 })];
		return { ...outcomeOf(itemIndex, 'existing'), targets };
	});
	expect(hintsOf(outcomes.slice(1, 2), '', FACTS)).toContain(
		'1 shipment has fewer pieces than ordered: A-1 (1 of 3 pieces).',
	);
	expect(hintsOf(outcomes, '', FACTS)[1]).toMatch(
		/^7 shipments have fewer pieces than ordered: A-0 \(1 of 3 pieces\), .* and 2 more\.$/,
	);
});

test('a second shipment is canceled, named to be canceled, or expected with an exchange', () => {
	const duplicate = { id: 9, carrierCode: 'ANT', packageNumberCarrier: 'A9' };
	const hintOf = (duplicates: Duplicates, body = {}) => {
		const { targets, outcome } = outcomeOf(1, 'response');
		Object.assign(targets[0]?.body ?? {}, body);
		const pieces = outcome.state === 'done' ? outcome.value.pieces : [];
		const value = { pieces, duplicates };
		return hintsOf([{ targets, outcome: { state: 'done', value } }], '', FACTS)[1];
	};
	expect(hintOf({ living: [], canceled: duplicate })).toBe(
		'Another run shipped 1 order at the same moment. The second shipment was canceled. See canceledDuplicate in the output.',
	);
	expect(hintOf({ living: [duplicate] })).toBe(
		'1 order has more than one shipment: A-1 (also ID 9). Cancel the ones that you do not need.',
	);
	expect(hintOf({ living: [duplicate], notCanceled: 'Too late' })).toBe(
		'1 order has more than one shipment: A-1 (also ID 9; not canceled: Too late). Cancel the ones that you do not need.',
	);
	expect(hintOf({ living: [duplicate] }, { exchangeOrder: true })).toBe(
		'1 exchange has more than one shipment, because each piece has one for the old goods: A-1 (also ID 9). See duplicates in the output.',
	);
});
