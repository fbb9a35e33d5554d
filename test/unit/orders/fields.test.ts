import { mapperFields } from '../../../nodes/ParcelShipping/methods/resourceMapping';
import { mappedFieldNames, mappedFields } from '../../../nodes/ParcelShipping/orders/fields';

const fieldOf = (name: string) => mapperFields().find(({ id }) => id === name);
const shownWith = (mapped: string[] = []) =>
	mapperFields(mapped)
		.filter(({ removed, display }) => display && !removed)
		.map(({ id }) => id);

test('the fields that most orders need are shown from the start, and mapped ones as well', () => {
	const shown = shownWith();
	expect(shown.filter((name) => !name.startsWith('rec')).join(' ')).toBe(
		'packageNumberCustom shopOrderId price branchId cod codPrice codCurrency',
	);
	expect(shown).toEqual(expect.arrayContaining(['recName', 'recZip', 'recCountry', 'recPhone']));
	expect(shownWith(['senderName', 'vs'])).toEqual(expect.arrayContaining(['senderName', 'vs']));
	// n8n would name a missing one as the service does.
	expect(mapperFields().filter((field) => field.required)).toEqual([]);
});

test('a field that replaces a value of a shop is text, which a hidden one has no value of', () => {
	// n8n gives every field with a switch the value false, also if it is not shown.
	const fields = mapperFields(['cod'], false);
	expect(new Set(fields.map(({ type }) => type))).toEqual(new Set(['string']));
	expect(fieldOf('cod')?.type).toBe('boolean');
});

test('every field has a caption of its own, a description and an example', () => {
	const captions = mappedFieldNames.map((name) => fieldOf(name)?.displayName);
	expect(new Set(captions).size).toBe(captions.length);
	for (const name of mappedFieldNames) {
		const { caption, description, example } = mappedFields[name];
		expect(caption).toMatch(/^[A-Z]/);
		expect(description).toMatch(/^[A-Z].*[^.]$/);
		expect(example).not.toBe('');
	}
	expect(mappedFields.orderId.description).toContain("not your shop's order number");
});
