import { shipmentFileName } from '../../../nodes/ParcelShipping/labels/labels';

test('label files without a tracking number do not overwrite each other in a folder', () => {
	const names = [7, 8].map((id) => shipmentFileName({ carrierCode: 'ANT', id }));
	expect(names).toEqual(['label-ANT-7.pdf', 'label-ANT-8.pdf']);
	expect(shipmentFileName({ carrierCode: 'ANT', packageNumberCarrier: '0012', id: 7 })).toBe(
		'label-ANT-0012.pdf',
	);
});
