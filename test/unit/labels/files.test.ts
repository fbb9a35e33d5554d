import { labelFileName } from '../../../nodes/ParcelShipping/labels/labels';

test('label files without a tracking number do not overwrite each other in a folder', () => {
	const names = [7, 8].map((id) => labelFileName({ carrierCode: 'ANT', id }));
	expect(names).toEqual(['label ANT 7', 'label ANT 8']);
	expect(labelFileName({ carrierCode: 'ANT', packageNumberCarrier: '0012', id: 7 })).toBe(
		'label ANT 0012',
	);
});
