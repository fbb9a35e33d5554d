import { labelFileName, shipmentFileName } from '../../../nodes/ParcelShipping/labels/files';

test.each([
	['ANT', 3, '0a1b2c3d4e5f', 'labels-ANT-2026-11-20-3-0a1b2c3d.pdf'],
	['../a b/č', 1, null, 'labels--a-b--2026-11-20-1.pdf'],
])('the label file of %s has no special characters in its name', (...given) => {
	const [carrierCode, labelsCount, hash, name] = given;
	expect(labelFileName({ carrierCode, labelsCount, hash }, '2026-11-20', 'pdf')).toBe(name);
});

test('label files without a shipment number do not overwrite each other in a folder', () => {
	const names = [7, 8].map((id) => shipmentFileName({ carrierCode: 'ANT', id }));
	expect(names).toEqual(['label-ANT-7.pdf', 'label-ANT-8.pdf']);
	expect(shipmentFileName({ carrierCode: 'ANT', packageNumberCarrier: '0012', id: 7 })).toBe(
		'label-ANT-0012.pdf',
	);
});
