import {
	pickupPointFilters,
	readFilters,
	shipmentFilters,
} from '../../../nodes/ParcelShipping/descriptions/filters';

const read = (given: object) => readFilters(shipmentFilters, { ...given }, 'UTC');

test.each([
	['true', { cod: true }],
	[false, { cod: false }],
	['', {}],
])('the switch of a filter that is %j becomes %j', (cod, expected) => {
	expect(read({ cod })).toEqual(expected);
});

test.each([
	['cz', { country: 'CZ' }],
	['Czechia', { country: 'CZ' }],
	[null, {}],
])('pickup points of the country %j are those of %j', (country, expected) => {
	expect(readFilters(pickupPointFilters, { country }, 'UTC')).toEqual(expected);
});

test('pickup points of a country that is none are not requested', () => {
	const search = () => readFilters(pickupPointFilters, { country: 'Chezkia' }, 'UTC');
	expect(search).toThrow('Invalid Country: "Chezkia"');
});
