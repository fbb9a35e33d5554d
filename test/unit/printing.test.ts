import { readShipmentIds } from '../../nodes/ParcelShipping/descriptions/shipmentNumbers';
import { labelFileName } from '../../nodes/ParcelShipping/labels/files';

describe('Shipment IDs are read from', () => {
	test.each([
		[1001, [1001]],
		['1001', [1001]],
		[' 1001 ,1002,\n1003, ', [1001, 1002, 1003]],
		[
			['1001', 1002],
			[1001, 1002],
		],
		['1001, 1001', [1001]],
	])('%j', (value, ids) => {
		expect(readShipmentIds(value, 0)).toEqual(ids);
	});
});

describe('Invalid shipment IDs are an error that names the item and the value', () => {
	test.each([
		['0', '"0"'],
		[-5, '"-5"'],
		[1.5, '"1.5"'],
		['0012345', '"0012345"'],
		['12345678901234567890', '"12345678901234567890"'],
		[1e21, '"1e+21"'],
		['1001, BV000001', '"BV000001"'],
		[true, '"true"'],
	])('%j', (value, named) => {
		expect(() => readShipmentIds(value, 7)).toThrow(`Invalid Shipment IDs of item 7: ${named}`);
	});

	test.each([['', ' , ', null, undefined, []]].flat().map((value) => [value]))('%j', (value) => {
		expect(() => readShipmentIds(value, 7)).toThrow('Shipment IDs of item 7 is empty');
	});
});

describe('The name of a label file contains no special characters', () => {
	test.each([
		[
			{ carrierCode: 'ANT', labelsCount: 3, hash: '0a1b2c3d4e5f' },
			'labels-ANT-2026-11-20-3-0a1b2c3d.pdf',
		],
		[{ carrierCode: '../a b/č', labelsCount: 1, hash: null }, 'labels--a-b--2026-11-20-1.pdf'],
	])('%j', (labels, name) => {
		expect(labelFileName(labels, '2026-11-20', 'pdf')).toBe(name);
	});
});
