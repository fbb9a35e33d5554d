import { pick } from 'lodash';

import { toItems } from '../../../nodes/ParcelShipping/creation/output';
import type { OrderOutcome } from '../../../nodes/ParcelShipping/creation/types';
import { createdRow, orderWith, refusedRow, outcomeOf } from '../../support/orders';

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
	const [item] = toItems([outcome]);
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
	const [item] = toItems([outcome]);
	expect(item).toMatchObject({ json: { alreadyExisted: true, canceledDuplicate: { id: 9 } } });
});

test('the error of a refused piece says what to do about the pieces that exist', () => {
	const outcome = outcomeOf(0, 'response');
	if (outcome.outcome.state === 'done') outcome.outcome.value.refused = [refusedRow('A')];
	const items = toItems([outcome]);
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
		toItems([outcome]).flatMap((item) =>
			'json' in item ? [pick(item.json, 'recName', 'codPrice', 'unmatched')] : [],
		);
	const nobody = { recName: null, codPrice: null, unmatched: true };
	expect(output(outcomeFor(first, second))).toEqual([nobody]);
	expect(output(outcomeFor(first))).toEqual([{ recName: 'Jana', codPrice: 5, unmatched: true }]);
});
