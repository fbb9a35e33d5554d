import {
	readShipmentIds,
	readShipmentNumbers,
} from '../../nodes/ParcelShipping/descriptions/shipmentNumbers';
import { labelFileName } from '../../nodes/ParcelShipping/labels/files';

const LONG = '0012345678901234567890';

test.each<[string, unknown, string[]]>([
	['a number with leading zeros that is too long for a number', LONG, [LONG]],
	['several numbers with commas', `${LONG}, BV000001001 ,7700`, [LONG, 'BV000001001', '7700']],
	['one number per line', 'A1\nA2\n', ['A1', 'A2']],
	['extra commas', ',A1,,', ['A1']],
	['the same number twice', 'A1,A1', ['A1']],
	['two numbers that differ by a zero', '1,01', ['1', '01']],
	['a list from an expression', [LONG, 'A2'], [LONG, 'A2']],
	['a small number from an expression', 7700001, ['7700001']],
	['text that looks like a power of ten', '12E45', ['12E45']],
])('shipment numbers are read as text from %s', (_, value, numbers) => {
	expect(readShipmentNumbers(value, 'Shipment Number')).toEqual(numbers);
});

test.each<[string, unknown, string]>([
	['a number that lost digits', Number(LONG), 'which has lost digits'],
	['a number that lost digits in a list', ['A1', 2 ** 53], 'which has lost digits'],
	['text made from a number that lost digits', '1.2345678901234568e+21', 'which has lost digits'],
	['a fraction', 1.5, 'which has lost digits'],
	['an object', { number: 'A1' }, 'is an object, not text'],
	['only commas', ' , ', 'Shipment Number is empty'],
	['an empty list', [], 'Shipment Number is empty'],
	['null', null, 'Shipment Number is empty'],
])('shipment numbers are not read from %s', (_, value, message) => {
	expect(() => readShipmentNumbers(value, 'Shipment Number')).toThrow(message);
});

test.each<[unknown, string]>([
	[1001, '1001'],
	['1001', '1001'],
	[' 1001 ,1002,\n1003, ', '1001 1002 1003'],
	[['1001', 1002], '1001 1002'],
	['1001, 1001', '1001'],
])('shipment IDs are read from %j', (value, ids) => {
	expect(readShipmentIds(value, 0)).toEqual(ids.split(' ').map(Number));
});

test.each<[unknown, string]>([
	['0', '"0"'],
	[-5, '"-5"'],
	[1.5, '"1.5"'],
	['0012345', '"0012345"'],
	['12345678901234567890', '"12345678901234567890"'],
	[1e21, '"1e+21"'],
	['1001, BV000001', '"BV000001"'],
	[true, '"true"'],
])('invalid shipment IDs are an error that names the item: %j', (value, named) => {
	expect(() => readShipmentIds(value, 7)).toThrow(`Invalid Shipment IDs of item 7: ${named}`);
});

test('missing shipment IDs are an error that names the item', () => {
	for (const value of ['', ' , ', null, undefined, []]) {
		expect(() => readShipmentIds(value, 7)).toThrow('Shipment IDs of item 7 is empty');
	}
});

test.each([
	['ANT', 3, '0a1b2c3d4e5f', 'labels-ANT-2026-11-20-3-0a1b2c3d.pdf'],
	['../a b/č', 1, null, 'labels--a-b--2026-11-20-1.pdf'],
])('the label file of %s has no special characters in its name', (...given) => {
	const [carrierCode, labelsCount, hash, name] = given;
	expect(labelFileName({ carrierCode, labelsCount, hash }, '2026-11-20', 'pdf')).toBe(name);
});
