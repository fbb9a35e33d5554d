import type { IExecuteFunctions, INodeProperties, INodePropertyModeValidation } from 'n8n-workflow';

import { formFields } from '../orders/form';
import { ItemError } from '../transport/errors';

const isWholeNumber: INodePropertyModeValidation = {
	type: 'regex',
	properties: { regex: '\\s*[0-9]+\\s*', errorMessage: 'The ID is a whole number' },
};

export const carrierCodeField: INodeProperties = {
	displayName: formFields.carrierCode.caption,
	name: formFields.carrierCode.field,
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description:
		'The carrier of the shipment. Choose from the carriers of your account, or enter a code as returned by Carrier: Get Many.',
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

// The lists of services and shipments depend on the carrier, but without loadOptionsDependsOn: with it,
// n8n empties the field when the carrier changes. The editor reloads an open list anyway.
export const serviceTypeField: INodeProperties = {
	displayName: formFields.serviceType.caption,
	name: formFields.serviceType.field,
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description:
		'The service of the carrier. Choose from the list, or enter a code as returned by Carrier: Get Services.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a service...',
			typeOptions: { searchListMethod: 'searchServices', searchable: true },
		},
		{
			displayName: 'By Code',
			name: 'code',
			type: 'string',
			placeholder: 'e.g. ANT-HOME',
		},
	],
};

export const shipmentIdField: INodeProperties = {
	displayName: 'Shipment',
	name: 'shipmentId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description:
		"The main shipment. Choose from the latest shipments of the carrier, or enter its ID in the service, a whole number and not the carrier's shipment number.",
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a shipment...',
			typeOptions: { searchListMethod: 'searchShipments', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 1001',
			validation: [isWholeNumber],
		},
	],
};

export const batchIdField: INodeProperties = {
	displayName: 'Batch',
	name: 'batchId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The batch to retrieve. Choose from the latest batches, or enter an ID.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a batch...',
			typeOptions: { searchListMethod: 'searchBatches', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 812',
			validation: [isWholeNumber],
		},
	],
};

/** Only the system name prints. The list shows the name that people gave to the printer. */
export const printerField: INodeProperties = {
	displayName: 'Printer',
	name: 'printerName',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description:
		'The printer. Choose from the printers of the print service, or enter the system name as returned by Printer: Get Many.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a printer...',
			typeOptions: { searchListMethod: 'searchPrinters', searchable: true },
		},
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. Warehouse Zebra',
		},
	],
};

/** The value of a locator as text. A workflow may also contain plain text in place of a locator. */
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
		`Choose one from the list, or check the result of the expression for item ${itemIndex}.`,
		{ field: field.name },
	);
}

/** The ID of a shipment or batch, from a locator. */
export function readRecordId(
	context: IExecuteFunctions,
	field: INodeProperties,
	itemIndex: number,
	advice: string,
): number {
	const text = readLocator(context, field, itemIndex);
	if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
	throw new ItemError(
		`Invalid ${field.displayName}: ${JSON.stringify(text)}`,
		`Enter the ID in the service, which is a whole number. ${advice}`,
		{ field: field.name },
	);
}
