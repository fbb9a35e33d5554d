import {
	pickupPointFilters,
	readFilters,
	shipmentFilters,
} from '../../../nodes/ParcelShipping/descriptions/filters';

test('the switch of a filter that is off, or empty, does not filter', () => {
	const values = ['true', false, ''].map((cod) => readFilters(shipmentFilters, { cod }, 'UTC'));
	expect(values).toEqual([{ cod: true }, {}, {}]);
});

test('pickup points of a country are found by its code and its name', () => {
	const given = ['cz', 'Czechia', 'xx', null];
	const values = given.map((country) => readFilters(pickupPointFilters, { country }, 'UTC'));
	expect(values).toEqual([{ country: 'CZ' }, { country: 'CZ' }, { country: 'xx' }, {}]);
});
