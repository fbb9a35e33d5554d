import type { INodeProperties } from 'n8n-workflow';

import { CONDITIONS, formFields } from '../orders/form';
import { carrierCodeField, locatorField, serviceTypeField } from './locators';
import { choices } from './options';

const carrierFromField: INodeProperties = {
	displayName: formFields.carrierFrom.caption,
	name: formFields.carrierFrom.field,
	type: 'options',
	noDataExpression: true,
	default: 'same',
	description: 'How to choose the carrier and its service',
	options: choices({
		rules: ['By Shipping Method', 'By the shipping method that the customer chose'],
		same: 'Same for All Orders',
	}),
};

// Not `show`: a workflow written by hand may leave out carrierFrom.
const whenSame: INodeProperties['displayOptions'] = { hide: { carrierFrom: ['rules'] } };
const byRules: INodeProperties['displayOptions'] = { show: { carrierFrom: ['rules'] } };

const shippingMethodField: INodeProperties = {
	displayName: formFields.shippingMethod.caption,
	name: formFields.shippingMethod.field,
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.shipping_method }}',
	description: 'The shipping method of the order. Drag it here from the input.',
	displayOptions: byRules,
};

// One list for carrier and service: n8n keeps the service of a row when its carrier changes.
const carrierServiceField = locatorField(
	{
		displayName: 'Carrier and Service',
		name: 'carrierService',
		description: 'The service for orders that fit this rule, with its carrier',
	},
	{ method: 'searchCarrierServices', placeholder: 'Select a service...' },
	{ displayName: 'By Codes', name: 'code', placeholder: 'e.g. ANT/ANT-HOME' },
);

const rulesField: INodeProperties = {
	displayName: formFields.rules.caption,
	name: formFields.rules.field,
	type: 'fixedCollection',
	placeholder: 'Add Rule',
	typeOptions: { multipleValues: true, sortable: true },
	// The editor shows the first rule from the start.
	default: {
		rule: [{ condition: 'contains', text: '', carrierService: { mode: 'list', value: '' } }],
	},
	description:
		'The first rule that fits the shipping method of an order chooses its carrier and service. Case, accents and extra spaces do not matter.',
	displayOptions: byRules,
	options: [
		{
			displayName: 'Rule',
			name: 'rule',
			values: [
				{
					displayName: 'Shipping Method',
					name: 'condition',
					type: 'options',
					default: 'contains',
					description: 'How to compare the shipping method with the text',
					options: choices(CONDITIONS),
				},
				{
					displayName: 'Text',
					name: 'text',
					type: 'string',
					default: '',
					placeholder: 'e.g. pickup point',
					description: 'What the shipping method contains or equals',
					displayOptions: { show: { condition: ['contains', 'equals'] } },
				},
				carrierServiceField,
			],
		},
	],
};

/** The fields of *Create* that choose the carrier and the service. */
export const carrierFields: INodeProperties[] = [
	carrierFromField,
	{ ...carrierCodeField, displayOptions: whenSame },
	{ ...serviceTypeField, displayOptions: whenSame },
	shippingMethodField,
	rulesField,
];
