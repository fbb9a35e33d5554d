import { pick } from 'lodash';

import { toItems } from '../../../nodes/ParcelShipping/creation/output';
import { shipmentOf } from '../../../nodes/ParcelShipping/creation/shipments';
import type { BatchInfo, OrderOutcome } from '../../../nodes/ParcelShipping/creation/types';
import { createdRow, orderWith, refusedRow, outcomeOf } from '../../support/orders';

const BATCHES = { output: 'batches', ifExists: 'reuse' } as const;

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

test('two batches without an ID are two items if their hashes differ', () => {
	const outcomes = ['h1', 'h2'].map((labelsHash, item) => {
		const each = outcomeOf(item, 'response');
		const batch = { batchId: null, labelsHash } as BatchInfo;
		for (const piece of shipmentOf(each)?.pieces ?? []) piece.batch = batch;
		return each;
	});
	expect(toItems(outcomes, BATCHES)).toMatchObject([
		{ items: [0], json: { labelsHash: 'h1' } },
		{ items: [1], json: { labelsHash: 'h2' } },
	]);
});

test.each<[string, number | null, string | null]>([
	['all of its shipments', 2, 'u'],
	['one that was canceled since', 3, null],
	['as many labels as nobody says', null, 'u'],
])(
	'the label file and the hash of a batch are output if it has %s',
	(_, packagesCount, expected) => {
		const batch = {
			...{ batchId: 7, labelsUrl: 'u', labelsHash: 'u' },
			packagesCount,
		} as BatchInfo;
		const outcomes = [0, 1].map((item) => {
			const each = outcomeOf(item, 'response');
			for (const piece of shipmentOf(each)?.pieces ?? []) piece.batch = batch;
			return each;
		});
		const json = { packagesCount: 2, labelsUrl: expected, labelsHash: expected };
		expect(toItems(outcomes, BATCHES)).toMatchObject([{ items: [0, 1], json }]);
	},
);

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
		outcome.outcome.value.duplicates = { named: living, notCanceled: 'Too late' };
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

test('the shipment of another run that stays exists, and names the one that this run has canceled', () => {
	const outcome = outcomeOf(0, 'otherProcess');
	const canceled = { id: 9, carrierCode: 'ANT', packageNumberCarrier: null };
	if (outcome.outcome.state === 'done') outcome.outcome.value.duplicates = { named: [], canceled };
	const [item] = toItems([outcome], { output: 'shipments', ifExists: 'reuse' });
	expect(item).toMatchObject({ json: { alreadyExisted: true, canceledDuplicate: { id: 9 } } });
});

test('the error of a refused piece says what to do about the pieces that exist', () => {
	const outcome = outcomeOf(0, 'response');
	if (outcome.outcome.state === 'done') outcome.outcome.value.refused = [refusedRow('A')];
	const items = toItems([outcome], { output: 'shipments', ifExists: 'reuse' });
	const failures = items.flatMap((item) => ('failure' in item ? item.failure : []));
	expect(failures).toMatchObject([
		{
			description: expect.stringContaining(
				'The other pieces exist (ID 1). Cancel the shipment with Shipment: Cancel, correct the values',
			),
		},
	]);
});

test('an unmatched shipment has no recipient or cash on delivery of one of its orders', () => {
	const [first, second] = [orderWith('A'), orderWith('B', { itemIndex: 1 })];
	Object.assign(first.body, { recName: 'Jana', cod: true, codPrice: 5, codCurrency: 'CZK' });
	const outcomeFor = (...targets: OrderOutcome['targets']) => ({
		targets,
		outcome: {
			state: 'unmatched' as const,
			value: { pieces: [{ row: createdRow(1, null), batch: null, via: 'response' as const }] },
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
		outcomeOf(4, 'otherProcess'),
	];
	expect(outputs(outcomes)).toEqual([
		{ items: [0, 4], alreadyExisted: true, recovered: false },
		{ items: [1, 2], alreadyExisted: false, recovered: false },
		{ items: [3], alreadyExisted: false, recovered: true },
	]);
});
