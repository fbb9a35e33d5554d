import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { ItemError } from '../transport/errors';

export const carrierCodeField: INodeProperties = {
	displayName: 'Carrier',
	name: 'carrierCode',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The carrier, from the carriers of your account or by its code',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a carrier...',
			typeOptions: { searchListMethod: 'searchCarriers', searchable: true },
		},
		{
			displayName: 'By Code',
			name: 'code',
			type: 'string',
			placeholder: 'e.g. ANT',
		},
	],
};

/** What is chosen in a locator, as text; a locator may also hold plain text. */
export function readLocator(
	context: IExecuteFunctions,
	field: INodeProperties,
	itemIndex: number,
): string {
	const chosen = context.getNodeParameter(field.name, itemIndex, '', {
		extractValue: true,
	}) as unknown;
	const text = chosen === null || chosen === undefined ? '' : String(chosen).trim();
	if (text !== '') return text;
	throw new ItemError(
		`${field.displayName} is empty`,
		`Choose one from the list, or check that the expression gives a value for item ${itemIndex}.`,
		{ field: field.name },
	);
}
