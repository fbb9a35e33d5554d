import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeExecutionData } from 'n8n-workflow';

/** Returns the input item that each output item is linked to. */
export function linksOf(items: INodeExecutionData[]): number[] {
	return items.map(({ pairedItem }) => {
		const [link, ...more] = [pairedItem].flat();
		if (link === undefined || more.length > 0)
			throw new Error('An item must have exactly one link');
		return typeof link === 'number' ? link : link.item;
	});
}

/** Returns the fields that the editor shows before an operation has run. */
export function announcedFields(operation: string): string[] {
	const file = path.join(
		__dirname,
		`../../nodes/ParcelShipping/__schema__/v1.0.0/${operation}.json`,
	);
	const { properties } = JSON.parse(readFileSync(file, 'utf8')) as { properties: object };
	return Object.keys(properties).sort();
}

/** Returns the values of one field of all items. */
export function valuesOf(items: INodeExecutionData[], field: string): unknown[] {
	return items.map(({ json }) => json[field]);
}

/** Returns the values of some fields of each item. */
export function fieldsOf(items: INodeExecutionData[], ...fields: string[]): unknown[][] {
	return items.map(({ json }) => fields.map((field) => json[field]));
}
