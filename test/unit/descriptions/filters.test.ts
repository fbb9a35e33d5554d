import {
	pickupPointFilters,
	readFilters,
	shipmentFilters,
} from '../../../nodes/ParcelShipping/descriptions/filters';

const read = (given: object) => readFilters(shipmentFilters, { ...given }, 'UTC');

test.each([
	[true, { cod: true }],
	[false, {}],
	['true', { cod: true }],
	['', {}],
	[null, {}],
])('the switch of a filter that is %j becomes %j', (cod, expected) => {
	expect(read({ cod })).toEqual(expected);
});

test('the switch of a filter that is no switch is refused with its caption', () => {
	expect(() => read({ cod: 'yes' })).toThrow('Invalid Cash on Delivery Only: "yes"');
});

test.each([
	['cz', { country: 'CZ' }],
	['CZE', { country: 'CZ' }],
	['Czechia', { country: 'CZ' }],
	['xx', { country: 'xx' }],
	['', {}],
	[null, {}],
])('pickup points of the country %j are those of %j', (country, expected) => {
	expect(readFilters(pickupPointFilters, { country }, 'UTC')).toEqual(expected);
});
