import { describeCreated } from '../../../nodes/ParcelShipping/creation/runError';

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
