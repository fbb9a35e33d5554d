import { readFileSync } from 'node:fs';
import path from 'node:path';

import { mapperFields } from '../../../nodes/ParcelShipping/methods/resourceMapping';
import { mappedFieldNames, mappedFields } from '../../../nodes/ParcelShipping/orders/fields';

const root = path.resolve(__dirname, '../../..');

const fieldOf = (name: string) => mapperFields().find(({ id }) => id === name);
test('mapped fields are shown, and none is required', () => {
	const shown = mapperFields(['vs']).filter(({ removed, display }) => display && !removed);
	const ids = shown.map(({ id }) => id);
	expect(ids).toEqual(expect.arrayContaining(['packageNumberCustom', 'vs']));
	expect(ids).not.toContain('senderName');
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
