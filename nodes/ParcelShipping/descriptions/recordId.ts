import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { ItemError } from '../transport/errors';
import { readLocator } from './locators';

/** The id of a record in the service: a whole number, as chosen in a list, or as text. */
export function readRecordId(
	context: IExecuteFunctions,
	field: INodeProperties,
	itemIndex: number,
	advice: string,
): number {
	const text = readLocator(context, field, itemIndex);
	if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
	throw new ItemError(
		`${field.displayName} must be the ID in the service, a whole number; it is ${JSON.stringify(text)}`,
		advice,
		{ field: field.name },
	);
}
