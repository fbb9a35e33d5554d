import type { IExecuteFunctions, INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { readOptionalText } from '../parameterValues';
import { captions } from '../orders/fields';
import { isRecord } from '../records';
import { ItemError } from '../transport/errors';

interface Locator extends Omit<INodeProperties, 'type' | 'default'> {
	list: { method: string; placeholder: string };
	/** What can be entered instead of a choice from the list. */
	text: Omit<INodePropertyMode, 'type'>;
}

function locatorField({ list, text, ...field }: Locator): INodeProperties {
	return {
		required: true,
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: list.placeholder,
				typeOptions: { searchListMethod: list.method, searchable: true },
			},
			{ ...text, type: 'string' },
		],
	};
}

export const carrierCodeField = locatorField({
	displayName: 'Carrier',
	name: 'carrierCode',
	description:
		'The carrier. Choose from the carriers of your account, or enter a code as returned by Carrier: Get Many.',
	list: { method: 'searchCarriers', placeholder: 'Select a carrier...' },
	text: { displayName: 'By Code', name: 'code', placeholder: 'e.g. ANT' },
});

/** One list for both: n8n keeps the service that was chosen when its carrier changes. */
export const carrierServiceField = locatorField({
	displayName: captions.carrierService,
	name: 'carrierService',
	description:
		'The service of a carrier. Choose from the services of your carriers, or enter both codes as returned by Carrier: Get Many and Carrier: Get Services.',
	list: { method: 'searchCarrierServices', placeholder: 'Select a service...' },
	text: { displayName: 'By Codes', name: 'code', placeholder: 'e.g. ANT/ANT-HOME' },
	builderHint: {
		propertyHint:
			'With mode "code", value is the code of the carrier, a slash, and the code of its service, such as "ANT/ANT-HOME". The codes belong to the account of the user: do not invent them.',
	},
});

/** Only the system name prints. The list also shows the name that people gave to the printer. */
export const printerField = locatorField({
	displayName: 'Printer',
	name: 'printerName',
	description:
		'The printer. Choose from the printers of the print service, or enter the system name as returned by Printer: Get Many. Other names do not work.',
	list: { method: 'searchPrinters', placeholder: 'Select a printer...' },
	text: { displayName: 'By Name', name: 'name', placeholder: 'e.g. Warehouse Zebra' },
});

/** The value of a locator as text. A workflow may also contain plain text in place of a locator. */
export function readOptionalLocator(
	context: IExecuteFunctions,
	field: INodeProperties,
	itemIndex: number,
): string | undefined {
	const extractValue = { extractValue: true };
	return readOptionalText(context.getNodeParameter(field.name, itemIndex, '', extractValue));
}

export function readLocator(
	context: IExecuteFunctions,
	field: INodeProperties,
	itemIndex: number,
): string {
	const text = readOptionalLocator(context, field, itemIndex);
	if (text !== undefined) return text;
	const advice = `Choose one from the list, or check the result of the expression for item ${itemIndex}.`;
	throw new ItemError(`${field.displayName} is empty`, advice, { field: field.name });
}

/** How the list shows what was chosen from it, without the value in brackets. Otherwise the value. */
export function chosenName(
	context: IExecuteFunctions,
	field: INodeProperties,
	itemIndex: number,
): string {
	const chosen: unknown = context.getNodeParameter(field.name, itemIndex, '');
	const value = readLocator(context, field, itemIndex);
	const shown = isRecord(chosen) && chosen.mode === 'list' ? chosen.cachedResultName : undefined;
	return typeof shown === 'string' && shown !== '' ? shown.replace(` (${value})`, '') : value;
}
