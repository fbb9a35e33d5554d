import type { IExecuteFunctions, INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { offerFields } from '../orders/form';
import { ItemError } from '../transport/errors';

type Mode = Pick<INodePropertyMode, 'displayName' | 'name' | 'placeholder' | 'validation'>;

/** A field with a list of `method` to choose from, and a text to enter instead. */
export function locatorField(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'required' | 'description'>,
	list: { method: string; placeholder: string },
	text: Mode,
): INodeProperties {
	return {
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

const byCode = (placeholder: string): Mode => ({
	displayName: 'By Code',
	name: 'code',
	placeholder,
});

const byId = (placeholder: string): Mode => ({
	displayName: 'By ID',
	name: 'id',
	placeholder,
	validation: [
		{
			type: 'regex',
			properties: { regex: '\\s*[0-9]+\\s*', errorMessage: 'The ID is a whole number' },
		},
	],
});

export const carrierCodeField = locatorField(
	{
		displayName: offerFields.carrierCode.caption,
		name: offerFields.carrierCode.field,
		required: true,
		description:
			'The carrier of the shipment. Choose from the carriers of your account, or enter a code as returned by Carrier: Get Many.',
	},
	{ method: 'searchCarriers', placeholder: 'Select a carrier...' },
	byCode('e.g. ANT'),
);

// The lists of services and shipments depend on the carrier, but without loadOptionsDependsOn: with it,
// n8n empties the field when the carrier changes. The editor reloads an open list anyway.
export const serviceTypeField = locatorField(
	{
		displayName: offerFields.serviceType.caption,
		name: offerFields.serviceType.field,
		required: true,
		description:
			'The service of the carrier. Choose from the list, or enter a code as returned by Carrier: Get Services.',
	},
	{ method: 'searchServices', placeholder: 'Select a service...' },
	byCode('e.g. ANT-HOME'),
);

export const shipmentIdField = locatorField(
	{
		displayName: 'Shipment',
		name: 'shipmentId',
		required: true,
		description:
			"The main shipment. Choose from the latest shipments of the carrier, or enter its ID in the service, a whole number and not the carrier's shipment number.",
	},
	{ method: 'searchShipments', placeholder: 'Select a shipment...' },
	byId('e.g. 1001'),
);

export const batchIdField = locatorField(
	{
		displayName: 'Batch',
		name: 'batchId',
		required: true,
		description: 'The batch to retrieve. Choose from the latest batches, or enter an ID.',
	},
	{ method: 'searchBatches', placeholder: 'Select a batch...' },
	byId('e.g. 812'),
);

/** Only the system name prints. The list shows the name that people gave to the printer. */
export const printerField = locatorField(
	{
		displayName: 'Printer',
		name: 'printerName',
		required: true,
		description:
			'The printer. Choose from the printers of the print service, or enter the system name as returned by Printer: Get Many.',
	},
	{ method: 'searchPrinters', placeholder: 'Select a printer...' },
	{ displayName: 'By Name', name: 'name', placeholder: 'e.g. Warehouse Zebra' },
);

/** The value of a locator as text. A workflow may also contain plain text in place of a locator. */
export function readLocator(
	context: IExecuteFunctions,
	field: INodeProperties,
	itemIndex: number,
): string {
	const chosen: unknown = context.getNodeParameter(field.name, itemIndex, '', {
		extractValue: true,
	});
	const text = String(chosen ?? '').trim();
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
