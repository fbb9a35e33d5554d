import { toItems } from '../../../nodes/ParcelShipping/creation/output';
import type { BatchInfo, OrderOutcome, Piece } from '../../../nodes/ParcelShipping/creation/types';
import { createdRow, orderWith } from '../../support/orders';

const batchOf = (batchId: number | null): BatchInfo => ({
	batchId,
	labelsUrl: null,
	labelsHash: null,
	ordersUrl: null,
	ordersHash: null,
	packagesCount: null,
	correlationId: null,
});

const resultOf = (itemIndex: number, more: Partial<Piece> = {}): OrderOutcome => ({
	about: [orderWith(`ORDER-${itemIndex}`, { itemIndex })],
	outcome: {
		kind: 'done',
		value: {
			pieces: [
				{
					row: createdRow(itemIndex + 1, `ORDER-${itemIndex}`),
					batch: null,
					via: 'response',
					...more,
				},
			],
		},
	},
});

/** The items of each output item for Batches, and which shipments it says to have existed. */
const batchesOf = (results: OrderOutcome[]) =>
	toItems(results, 'batches').map((output) =>
		'failure' in output
			? output
			: [output.items, output.json.alreadyExisted, output.json.recovered],
	);

describe('The output for each batch', () => {
	test('keeps existing, new and recovered shipments apart if their batch is not known', () => {
		const results = [
			resultOf(0, { via: 'existing' }),
			resultOf(1, { batch: batchOf(null) }),
			resultOf(2, { batch: batchOf(null) }),
			resultOf(3, { via: 'records' }),
			resultOf(4, { via: 'existing' }),
		];
		expect(batchesOf(results)).toEqual([
			[[0, 4], true, false],
			[[1, 2], false, false],
			[[3], false, true],
		]);
	});

	test('has the recovered shipments of a batch together with its others', () => {
		const results = [
			resultOf(0, { batch: batchOf(7) }),
			resultOf(1, { batch: batchOf(7), via: 'records' }),
			resultOf(2, { batch: batchOf(8) }),
		];
		expect(batchesOf(results)).toEqual([
			[[0, 1], false, true],
			[[2], false, false],
		]);
	});
});
