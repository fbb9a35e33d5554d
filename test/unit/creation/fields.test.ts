import { creationFieldNames, creationFields } from '../../../nodes/ParcelShipping/creation/fields';
import { mapperFields } from '../../../nodes/ParcelShipping/methods/resourceMapping';

const idsOf = (fields: ReturnType<typeof mapperFields>) => fields.map(({ id }) => id);

test('all fields are available until the service is known', () => {
	expect(idsOf(mapperFields())).toEqual(creationFieldNames);
	expect(creationFieldNames).toHaveLength(36);
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

test('the required fields and the recipient are shown from the start', () => {
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

test('the order field says that it is an order of the service', () => {
	const field = mapperFields().find(({ id }) => id === 'orderId');
	expect(field?.displayName).toBe('Order ID in the Shipping Service');
	expect(creationFields.orderId.description).toContain("not your shop's order number");
});

test('no two fields have the same caption', () => {
	const captions = mapperFields().map(({ displayName }) => displayName);
	expect(new Set(captions).size).toBe(captions.length);
});

test.each(creationFieldNames)('%s is described for people and models', (name) => {
	const { caption, description, example } = creationFields[name];
	expect(caption).toMatch(/^[A-Z]/);
	expect(description).toMatch(/^[A-Z].*[^.]$/);
	expect(example).not.toBe('');
});
