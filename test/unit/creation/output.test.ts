import { describeCreated, toItems } from '../../../nodes/ParcelShipping/creation/output';
import { refusedRow, resultOf } from '../../support/orders';

const duplicate = (id: number) => ({ id, carrierCode: 'ANT', packageNumberCarrier: null });

const jsonOf = (result: ReturnType<typeof resultOf>) => {
	const [item] = toItems([result]);
	return item && 'json' in item ? item.json : {};
};

test.each([
	['came first has the other one in duplicates', 1, { duplicates: [{ id: 5 }] }],
	[
		'came second is the duplicate of the first one',
		9,
		{ duplicateOf: { id: 5, reason: 'Too late' } },
	],
])('of two shipments that could not be canceled, the one that %s', (_, id, expected) => {
	const duplicates = { named: [duplicate(5)], notCanceled: 'Too late' };
	const { duplicates: others, duplicateOf } = jsonOf(resultOf(id - 1, 'response', { duplicates }));
	expect({ duplicates: others, duplicateOf }).toMatchObject({
		duplicates: undefined,
		duplicateOf: undefined,
		...expected,
	});
});

test('the shipment of another run that stays exists, and names the one that this run has canceled', () => {
	const duplicates = { named: [], canceled: duplicate(9) };
	expect(jsonOf(resultOf(0, 'otherProcess', { duplicates }))).toMatchObject({
		alreadyExisted: true,
		canceledDuplicate: { id: 9 },
	});
});

test('the error of a refused piece says what to do about the pieces that exist', () => {
	const items = toItems([resultOf(0, 'response', { refused: [refusedRow('A')] })]);
	const failures = items.flatMap((item) => ('failure' in item ? item.failure : []));
	expect(failures).toMatchObject([
		{
			description: expect.stringContaining(
				'The other pieces exist (ID 1). Cancel the shipment with Shipment: Cancel, correct the values',
			),
		},
	]);
});

test.each([
	[
		'its order and number',
		{ packageNumberCustom: 'A', packageNumberCarrier: '007' },
		'A (ID 7, ANT 007)',
	],
	[
		'its order, as it has no number yet',
		{ packageNumberCustom: 'A', packageNumberCarrier: null },
		'A (ID 7, ANT)',
	],
])('the error of a run names a shipment that exists by %s', (_, json, expected) => {
	const outputs = [{ items: [0], json: { id: 7, carrierCode: 'ANT', ...json } }];
	expect(describeCreated(outputs, 1)).toBe(
		`These shipments exist and are not created again: ${expected}.`,
	);
});
