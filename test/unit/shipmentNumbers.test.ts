import { readShipmentNumbers } from '../../nodes/ParcelShipping/descriptions/shipmentNumbers';

const LONG = '0012345678901234567890';

describe('Shipment numbers are read as text from', () => {
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
	])('%s', (_, value, numbers) => {
		expect(readShipmentNumbers(value, 'Shipment Number')).toEqual(numbers);
	});
});

describe('An error is thrown for', () => {
	test.each<[string, unknown, string]>([
		['a number that lost digits', Number(LONG), 'which has lost digits'],
		['a number that lost digits in a list', ['A1', 2 ** 53], 'which has lost digits'],
		['text made from a number that lost digits', '1.2345678901234568e+21', 'which has lost digits'],
		['a fraction', 1.5, 'which has lost digits'],
		['an object', { number: 'A1' }, 'is an object, not text'],
		['nothing', '', 'Shipment Number is empty'],
		['only commas', ' , ', 'Shipment Number is empty'],
		['an empty list', [], 'Shipment Number is empty'],
		['null', null, 'Shipment Number is empty'],
	])('%s', (_, value, message) => {
		expect(() => readShipmentNumbers(value, 'Shipment Number')).toThrow(message);
	});
});
