import { readFileSync } from 'node:fs';
import path from 'node:path';

import { mapperFields } from '../../../nodes/ParcelShipping/methods/resourceMapping';
import { mappedFieldNames, mappedFields } from '../../../nodes/ParcelShipping/orders/fields';

const root = path.resolve(__dirname, '../../..');

const fieldOf = (name: string) => mapperFields().find(({ id }) => id === name);
const shownWith = (mapped: string[] = []) =>
	mapperFields(mapped)
		.filter(({ removed, display }) => display && !removed)
		.map(({ id }) => id);

test('the twelve fields that most orders need are shown from the start, and mapped ones as well', () => {
	expect(shownWith().join(' ')).toBe(
		'packageNumberCustom price branchId codPrice codCurrency recName recStreet recCity recZip recCountry recPhone recEmail',
	);
	expect(shownWith(['senderName', 'vs'])).toEqual(expect.arrayContaining(['senderName', 'vs']));
	// n8n would name a missing one as the provider does.
	expect(mapperFields().filter((field) => field.required)).toEqual([]);
});

test('a field that replaces a value of a shop is text, which a hidden one has no value of', () => {
	// n8n gives every field with a switch the value false, also if it is not shown.
	const fields = mapperFields(['cod'], false);
	expect(new Set(fields.map(({ type }) => type))).toEqual(new Set(['string']));
	expect(fieldOf('cod')?.type).toBe('boolean');
});

test('every field has a caption of its own, and a row in the docs', () => {
	const docs = readFileSync(path.join(root, 'docs/shipment-reference.md'), 'utf8');
	const captions = mappedFieldNames.map((name) => mappedFields[name].caption);
	expect(new Set(captions).size).toBe(captions.length);
	// Those of the sender and the cover address are described together.
	const ownRows = mappedFieldNames.filter((name) => !/^(sender|cover)/.test(name));
	const missing = ownRows.filter(
		(name) => !new RegExp(`^\\| ${mappedFields[name].caption} +\\| \`${name}\` `, 'm').test(docs),
	);
	expect(missing).toEqual([]);
});
