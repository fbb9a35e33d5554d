import { toItems } from '../../../nodes/ParcelShipping/creation/output';
import type { BatchInfo, OrderOutcome, Piece } from '../../../nodes/ParcelShipping/creation/types';
import { createdRow, orderWith } from '../../support/orders';

const VIA: Record<string, Piece['via']> = {
	existing: 'existing',
	new: 'response',
	recovered: 'records',
};

const BATCHES = { output: 'batches', ifExists: 'reuse' } as const;

/** "new 7" is a shipment of the response with batch 7, "new ?" of a batch that is not known. */
function outcomeOf(text: string, itemIndex: number): OrderOutcome {
	const [how = '', batchId] = text.split(' ');
	const batch = batchId === undefined ? null : ({ batchId: Number(batchId) || null } as BatchInfo);
	const row = createdRow(itemIndex + 1, `A-${itemIndex}`);
	const pieces = [{ row, batch, via: VIA[how] as Piece['via'] }];
	const about = [orderWith(`A-${itemIndex}`, { itemIndex })];
	return { about, outcome: { kind: 'done', value: { pieces } } };
}

test.each([
	[
		'existing, new ?, new ?, recovered, existing',
		'items 0 4 existing, items 1 2 new, items 3 recovered',
	],
	['new 7, recovered 7, new 8', 'items 0 1 recovered, items 2 new'],
])('the shipments %s are output by batch, or by their origin: %s', (shipments, expected) => {
	const outputs = toItems(shipments.split(', ').map(outcomeOf), BATCHES).map((output) => {
		if ('failure' in output) throw output.failure;
		const { alreadyExisted, recovered } = output.json;
		const how = alreadyExisted ? 'existing' : recovered ? 'recovered' : 'new';
		return `items ${output.items.join(' ')} ${how}`;
	});
	expect(outputs.join(', ')).toBe(expected);
});
