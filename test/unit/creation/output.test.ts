import { toItems } from '../../../nodes/ParcelShipping/creation/output';
import type { BatchInfo, OrderOutcome, Piece } from '../../../nodes/ParcelShipping/creation/types';
import { createdRow, orderWith } from '../../support/orders';

const outcomeOf = ([via, batchId]: Known, itemIndex: number): OrderOutcome => {
	const batch = batchId === undefined ? null : ({ batchId } as BatchInfo);
	const pieces = [{ row: createdRow(itemIndex + 1, `A-${itemIndex}`), batch, via }];
	const about = [orderWith(`A-${itemIndex}`, { itemIndex })];
	return { about, outcome: { kind: 'done', value: { pieces } } };
};

/** How a shipment is known, and the ID of its batch: null if the service did not name it. */
type Known = [via: Piece['via'], batchId?: number | null];

const NEW: Known = ['response', null];
const EXISTING: Known = ['existing'];

test.each<[string, Known[], Array<[items: number[], alreadyExisted: boolean, recovered: boolean]>]>(
	[
		[
			'apart for existing, new and read-back shipments whose batch is not known',
			[EXISTING, NEW, NEW, ['records'], EXISTING],
			[
				[[0, 4], true, false],
				[[1, 2], false, false],
				[[3], false, true],
			],
		],
		[
			'together for a batch of new and read-back shipments',
			[
				['response', 7],
				['records', 7],
				['response', 8],
			],
			[
				[[0, 1], false, true],
				[[2], false, false],
			],
		],
	],
)('the outputs for each batch are %s', (_, known, expected) => {
	const outputs = toItems(known.map(outcomeOf), 'batches').map((output) =>
		'failure' in output
			? output
			: [output.items, output.json.alreadyExisted, output.json.recovered],
	);
	expect(outputs).toEqual(expected);
});
