import { readShipmentNumbers } from '../../nodes/ParcelShipping/descriptions/shipmentNumbers';

const LONG = '0012345678901234567890';

describe('Shipment numbers stay the text that they are', () => {
	test.each<[string, unknown, string[]]>([
		['one with leading zeros, longer than a number can hold', LONG, [LONG]],
		['several with commas', `${LONG}, BV000001001 ,7700`, [LONG, 'BV000001001', '7700']],
		['one per line', 'A1\nA2\n', ['A1', 'A2']],
		['a comma too many', ',A1,,', ['A1']],
		['the same one twice', 'A1,A1', ['A1']],
		['two that differ by a zero', '1,01', ['1', '01']],
		['a list from an expression', [LONG, 'A2'], [LONG, 'A2']],
		['a small number from an expression', 7700001, ['7700001']],
		['letters and an e, which is no power of ten', '12E45', ['12E45']],
	])('%s', (_, value, numbers) => {
		expect(readShipmentNumbers(value, 'Shipment Number')).toEqual(numbers);
	});
});

describe('What is no shipment number any more is refused', () => {
	test.each<[string, unknown, string]>([
		['digits lost in a number', Number(LONG), 'which has lost digits'],
		['digits lost in a number, in a list', ['A1', 2 ** 53], 'which has lost digits'],
		['digits lost before it became text', '1.2345678901234568e+21', 'which has lost digits'],
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
