import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** The input items that each output item is linked to: a number, or a list if there are several. */
export function linksOf(items: INodeExecutionData[]): Array<number | number[]> {
	return items.map(({ pairedItem }) => {
		const links = [pairedItem ?? []].flat();
		const [first, ...more] = links.map((link) => (typeof link === 'number' ? link : link.item));
		if (first === undefined) throw new Error('An item has no link');
		return more.length === 0 ? first : [first, ...more];
	});
}

/** Returns the JSON of all items. */
export function jsonOf(items: INodeExecutionData[]): IDataObject[] {
	return items.map(({ json }) => json);
}

/** The content of a file. */
export function bytesOf(item?: INodeExecutionData, field = 'data'): Buffer {
	return Buffer.from(item?.binary?.[field]?.data ?? '', 'base64');
}

/** Returns the fields that the editor shows before an operation has run. */
export function announcedFields(operation: string): string[] {
	const folder = path.join(__dirname, '../../nodes/ParcelShipping/__schema__/v1.0.0');
	const text = readFileSync(path.join(folder, `${operation}.json`), 'utf8');
	return Object.keys((JSON.parse(text) as { properties: object }).properties).sort();
}

/** Returns the values of one field of all items. */
export function valuesOf(items: INodeExecutionData[], field: string): unknown[] {
	return items.map(({ json }) => json[field]);
}

/** Returns the values of some fields of each item. */
export function fieldsOf(items: INodeExecutionData[], ...fields: string[]): unknown[][] {
	return items.map(({ json }) => fields.map((field) => json[field]));
}

/** Returns the names of the fields of the first item, sorted. */
export function keysOf([item]: INodeExecutionData[]): string[] {
	return Object.keys(item?.json ?? {}).sort();
}
