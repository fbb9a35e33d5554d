import {
	creationFieldNames,
	creationFields,
} from '../../nodes/ParcelShipping/creation/creationFields';
import { fieldTable } from '../../nodes/ParcelShipping/creation/fieldTable';
import { mapperFields } from '../../nodes/ParcelShipping/creation/mapperFields';

const idsOf = (fields: ReturnType<typeof mapperFields>) => fields.map(({ id }) => id);

test('as long as the service is not known, every field can be had', () => {
	expect(idsOf(mapperFields())).toEqual(creationFieldNames);
	expect(creationFieldNames).toHaveLength(33);
});

test.each([
	[true, true, ['sender', 'cover']],
	[true, false, ['sender']],
	[false, true, ['cover']],
	[false, false, []],
])('a service with sender %s and cover %s', (senderAddressEnabled, coverAddressEnabled, groups) => {
	const ids = idsOf(mapperFields({ senderAddressEnabled, coverAddressEnabled }));
	for (const group of ['sender', 'cover']) {
		expect(ids.filter((id) => id.startsWith(group))).toHaveLength(groups.includes(group) ? 8 : 0);
	}
	expect(ids).toEqual(expect.arrayContaining(['packageNumberCustom', 'recEmail', 'orderId']));
});

test('what every shipment needs and the recipient stand in the form from the start', () => {
	const shown = mapperFields().filter(({ removed }) => !removed);
	expect(idsOf(shown)).toEqual([
		'packageNumberCustom',
		'price',
		...creationFieldNames.filter((name) => name.startsWith('rec')),
	]);
	expect(idsOf(shown.filter(({ required }) => required))).toEqual(['packageNumberCustom', 'price']);
	expect(mapperFields().every(({ display }) => display)).toBe(true);
});

test('postal codes, phones and variable symbols are typed as text, amounts as numbers', () => {
	const types = Object.fromEntries(mapperFields().map(({ id, type }) => [id, type]));
	expect(types).toMatchObject({
		recZip: 'string',
		recPhone: 'string',
		vs: 'string',
		packageNumberCustom: 'string',
		price: 'number',
		codPrice: 'number',
		pieceCount: 'number',
		orderId: 'number',
		cod: 'boolean',
	});
});

test('the field for an order says whose order it is', () => {
	const field = mapperFields().find(({ id }) => id === 'orderId');
	expect(field?.displayName).toBe('Order ID in the Shipping Service');
	expect(creationFields.orderId.description).toContain("not your e-shop's order number");
});

test('no two fields are called the same', () => {
	const labels = mapperFields().map(({ displayName }) => displayName);
	expect(new Set(labels).size).toBe(labels.length);
});

test.each(creationFieldNames)('%s is described for people and models', (name) => {
	const { label, description, example } = creationFields[name];
	expect(label).toMatch(/^[A-Z]/);
	expect(description).toMatch(/^[A-Z].*[^.]$/);
	expect(example).not.toBe('');
});

test('the table of fields has a row for each', () => {
	const rows = fieldTable().split('\n');
	expect(rows).toHaveLength(creationFieldNames.length + 2);
	expect(rows).toContain('| Price | `price` | yes | Value of the shipment | `1200.50` |');
	expect(new Set(rows.map((row) => row.split('|').length))).toEqual(new Set([7]));
});
