import {
	creationFields,
	mappedFieldNames,
	mappedFields,
} from '../../../nodes/ParcelShipping/orders/fields';
import { mapperFields } from '../../../nodes/ParcelShipping/methods/resourceMapping';

const idsOf = (fields: ReturnType<typeof mapperFields>) => fields.map(({ id }) => id);

test('a mapping has all fields, whichever service is chosen', () => {
	expect(idsOf(mapperFields())).toEqual(mappedFieldNames);
	expect(mappedFieldNames).toHaveLength(40);
	expect(mapperFields().every(({ display }) => display)).toBe(true);
});

test('the fields that most orders need are shown from the start, the others can be added', () => {
	const shown = mapperFields().filter(({ removed }) => !removed);
	expect(idsOf(shown)).toEqual([
		'packageNumberCustom',
		'price',
		'branchId',
		'cod',
		'codPrice',
		'codCurrency',
		...mappedFieldNames.filter((name) => name.startsWith('rec')),
	]);
	expect(idsOf(shown.filter(({ required }) => required))).toEqual(['packageNumberCustom', 'price']);
});

test('a mapped field is shown as well', () => {
	const shown = mapperFields(['senderName', 'vs']).filter(({ removed }) => !removed);
	expect(idsOf(shown)).toEqual(expect.arrayContaining(['senderName', 'vs', 'recName']));
	expect(idsOf(shown)).not.toContain('senderPhone');
});

test('the caption of a phone, country or currency contains an example', () => {
	const captions = mapperFields().map(({ displayName }) => displayName);
	expect(captions).toEqual(
		expect.arrayContaining([
			'Recipient Phone (+420777123456)',
			'Sender Country Code (CZ)',
			'Cash on Delivery Currency (CZK)',
			'Recipient Postal Code',
		]),
	);
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

test('the order field says that it is an order of the service', () => {
	const field = mapperFields().find(({ id }) => id === 'orderId');
	expect(field?.displayName).toBe('Order ID in the Shipping Service');
	expect(creationFields.orderId.description).toContain("not your shop's order number");
});

test('no two fields have the same caption', () => {
	const captions = mapperFields().map(({ displayName }) => displayName);
	expect(new Set(captions).size).toBe(captions.length);
});

test.each(mappedFieldNames)('%s is described for people and models', (name) => {
	const { caption, description, example } = mappedFields[name];
	expect(caption).toMatch(/^[A-Z]/);
	expect(description).toMatch(/^[A-Z].*[^.]$/);
	expect(example).not.toBe('');
});
