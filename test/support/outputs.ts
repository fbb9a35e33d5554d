import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeExecutionData } from 'n8n-workflow';

/** The input items that each output item is linked to: a number, or a list if there are several. */
export function linksOf(items: INodeExecutionData[]): Array<number | number[]> {
	return items.map(({ pairedItem }) => {
		const links = [pairedItem ?? []].flat();
		const [first, ...more] = links.map((link) => (typeof link === 'number' ? link : link.item));
		if (first === undefined) throw new Error('An item has no link');
		return more.length === 0 ? first : [first, ...more];
	});
}

export const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);

/** The content of a file. */
export function bytesOf(item?: INodeExecutionData, field = 'data'): Buffer {
	return Buffer.from(item?.binary?.[field]?.data ?? '', 'base64');
}

/** Returns the fields that the editor shows before an operation has run. */
export function announcedFields(operation: string): string[] {
	const folder = path.join(__dirname, '../../nodes/ParcelShipping/__schema__/v1.0.0');
	const { properties } = JSON.parse(readFileSync(path.join(folder, `${operation}.json`), 'utf8'));
	return Object.keys(properties).sort();
}

export const valuesOf = (items: INodeExecutionData[], field: string) =>
	items.map(({ json }) => json[field]);

/** The values of some fields of each item. */
export const fieldsOf = (items: INodeExecutionData[], ...fields: string[]) =>
	items.map(({ json }) => fields.map((field) => json[field]));

/** The names of the fields of the first item. */
export const keysOf = ([item]: INodeExecutionData[]) => Object.keys(item?.json ?? {}).sort();
