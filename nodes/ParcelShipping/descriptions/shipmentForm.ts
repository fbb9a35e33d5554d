import type { INodeProperties } from 'n8n-workflow';

export const serviceTypeField: INodeProperties = {
	displayName: 'Service',
	name: 'serviceType',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The service of the carrier, from its list or by its code',
	typeOptions: { loadOptionsDependsOn: ['carrierCode.value'] },
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

export const shipmentField: INodeProperties = {
	displayName: 'Shipment',
	name: 'shipment',
	type: 'resourceMapper',
	default: { mappingMode: 'defineBelow', value: null },
	required: true,
	description:
		'What to send and to whom. Countries are codes of two capital letters, phones a plus sign and digits without spaces, amounts plain numbers. Automatic mapping takes the fields of the input that are called like those of the service, except orderId.',
	typeOptions: {
		loadOptionsDependsOn: ['carrierCode.value', 'serviceType.value'],
		resourceMapper: {
			resourceMapperMethod: 'getShipmentFields',
			mode: 'add',
			supportAutoMap: true,
			// Keeps the recipient in the form from the start: otherwise n8n shows required fields only.
			addAllFields: true,
			valuesLabel: 'Shipment',
			fieldWords: { singular: 'field', plural: 'fields' },
		},
	},
};
