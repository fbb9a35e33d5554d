import {
	pickupPointFilters,
	readFilters,
	shipmentFilters,
} from '../../../nodes/ParcelShipping/descriptions/filters';

const read = (given: object) => readFilters(shipmentFilters, { ...given }, 'UTC');

test.each([
	[true, { cod: true }],
	[false, { cod: false }],
	['true', { cod: true }],
	[' False ', { cod: false }],
	['', {}],
	[null, {}],
])('the switch of a filter that is %j becomes %j', (cod, expected) => {
	expect(read({ cod })).toEqual(expected);
});

test('the switch of a filter that is no switch is refused with its caption', () => {
	expect(() => read({ cod: 'yes' })).toThrow('Invalid Cash on Delivery: "yes"');
});

test.each([
	['cz', { country: 'CZ' }],
	['CZE', { country: 'CZ' }],
	['Czechia', { country: 'CZ' }],
	['', {}],
	[null, {}],
])('pickup points of the country %j are those of %j', (country, expected) => {
	expect(readFilters(pickupPointFilters, { country }, 'UTC')).toEqual(expected);
});

test.each(['xx', 'Chezkia'])(
	'pickup points of the country %j, which is none, are not requested',
	(country) => {
		const search = () => readFilters(pickupPointFilters, { country }, 'UTC');
		expect(search).toThrow(`Invalid Country: "${country}"`);
	},
);
