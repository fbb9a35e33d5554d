import {
	readShipmentNumbers,
	toIds,
} from '../../../nodes/ParcelShipping/descriptions/shipmentNumbers';

const LONG = '0012345678901234567890';

test.each<[string, unknown, string[]]>([
	['commas between', `${LONG}, BV000001001 ,7700`, [LONG, 'BV000001001', '7700']],
	['extra commas', ',A1,,', ['A1']],
	['the same number twice', 'A1,A1', ['A1']],
	['two numbers that differ by a zero', '1,01', ['1', '01']],
	['a list from an expression', [LONG, 'A2'], [LONG, 'A2']],
	['text that looks like a power of ten', '12E45', ['12E45']],
])('shipment numbers are read as text from %s', (_, value, numbers) => {
	expect(readShipmentNumbers(value, 'Tracking Number')).toEqual(numbers);
});

test.each<[string, unknown, string]>([
	['a number that lost digits', Number(LONG), 'which has lost digits'],
	['text made from a number that lost digits', '1.2345678901234568e+21', 'which has lost digits'],
	['an object', { number: 'A1' }, 'is an object, not text'],
	['only commas', ' , ', 'Tracking Number is empty'],
	['null', null, 'Tracking Number is empty'],
])('shipment numbers are not read from %s', (_, value, message) => {
	expect(() => readShipmentNumbers(value, 'Tracking Number')).toThrow(message);
});

test.each<[unknown, number[]]>([
	[1001, [1001]],
	[' 1001 ,1002,\n1003, 1001', [1001, 1002, 1003]],
	[
		['1001', 1002],
		[1001, 1002],
	],
])('shipment IDs are read from %j', (value, ids) => {
	expect(toIds(readShipmentNumbers(value, 'Shipment IDs'))).toEqual(ids);
});

test.each<[unknown, string]>([
	...['0', '0012345', '12345678901234567890'].map((id): [string, string] => [id, `"${id}"`]),
	['1001, BV000001', '"BV000001"'],
])('invalid shipment IDs are an error that names them: %j', (value, named) => {
	expect(() => toIds(readShipmentNumbers(value, 'Shipment IDs'))).toThrow(
		`Invalid Shipment IDs: ${named}`,
	);
});
