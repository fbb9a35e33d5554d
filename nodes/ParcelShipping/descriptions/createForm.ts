import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readBoolean, readChoice, readNumber } from '../parameterValues';
import { captions, sentFieldNames, requiredFieldNames } from '../orders/fields';
import type { CreationOptions } from '../orders/order';
import { MORE_CONDITIONS } from '../orders/rules';
import { MAPPED, SHOPS } from '../orders/shops';
import { carrierServiceField, printerField } from './locators';
import { choices, optionsField } from './options';

/** Not `show`: a workflow written by hand may leave out orderData. */
const WITHOUT_SHOP = { hide: { orderData: Object.keys(SHOPS) } };

const mapperField = (
	name: 'shipment' | 'overrides',
	resourceMapperMethod: string,
	isWholeForm: boolean,
	more: Partial<INodeProperties>,
): INodeProperties => ({
	displayName: captions[name],
	name,
	type: 'resourceMapper',
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		// Without loadOptionsDependsOn: n8n empties the mapping when one of those fields changes.
		resourceMapper: {
			resourceMapperMethod,
			mode: 'add',
			supportAutoMap: isWholeForm,
			// If false, n8n initially shows only required fields and hides the recipient.
			addAllFields: isWholeForm,
			valuesLabel: captions[name],
			fieldWords: { singular: 'field', plural: 'fields' },
		},
	},
	...more,
});

const IF_SHIPPED = {
	returnUnchanged: [
		'Return It, Fail If the Order Changed',
		'Returns the existing shipment, or an error that names what was changed since',
	],
	return: ['Return It', 'Returns the existing shipment, with a list of the differences'],
	fail: ['Fail', 'The item fails with an error that contains the existing shipment'],
} as const;

const creationOptions: INodeProperties[] = [
	{
		displayName: 'Default Weight',
		name: 'defaultWeight',
		type: 'number',
		default: 0,
		typeOptions: { minValue: 0 },
		description:
			'Weight in kilograms for orders that have none, because most carriers require one. WooCommerce and Shoptet orders have none. 0 sends no weight.',
	},
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		// On as soon as the user adds the option, see `readCreationOptions`. Otherwise, adding it would ship for real.
		default: true,
		description:
			'Whether to send nothing and only return what would happen to each item: the request, and whether its shipment would be created, reused or refused',
	},
	{
		displayName: 'If Already Shipped',
		name: 'ifShipped',
		type: 'options',
		default: 'returnUnchanged',
		description:
			"What to do if the 'Order Number' has an active shipment. The node never creates a second one. It compares, if the provider returns them: carrier, service, cash on delivery, variable symbol, shipment value, pickup point, number of pieces, and the name, company, address (without a pickup point), phone and email of the recipient, sender and cover. Case, spaces and accents do not matter.",
		options: choices(IF_SHIPPED),
	},
	{
		displayName: captions.orderNumberPrefix,
		name: 'orderNumberPrefix',
		type: 'string',
		default: '',
		placeholder: 'e.g. A-',
		description:
			"Text to put before every order number, if several shops ship with one account and have the same numbers. The shipment then has the whole number, such as A-1001. packageNumberCustom in the output contains it, and operations that take an 'Order Number' need it.",
	},
	{
		displayName: captions.additionalFields,
		name: 'additionalFields',
		type: 'json',
		default: '{}',
		description:
			'JSON to merge into each shipment, for carrier-specific fields and additional services that the form does not have, such as { "exchangeOrder": true }. An empty value clears the value of the order.',
	},
	{
		displayName: captions.additionalServices,
		name: 'additionalServices',
		type: 'multiOptions',
		default: [],
		typeOptions: {
			loadOptionsMethod: 'getServiceAddons',
			loadOptionsDependsOn: ['carrierService.value'],
		},
		description:
			'Additional services of the chosen service, for orders without a value in the mapped field. If a rule chooses the service, only an expression adds them. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Cash on Delivery Methods',
		name: 'codMethods',
		type: 'string',
		default: '',
		placeholder: 'e.g. cash_courier, pay_on_pickup',
		description:
			"Payment methods of your shop that mean cash on delivery, separated by commas. COD, Cash on Delivery, Dobírka, Dobierka, Nachnahme, Za pobraniem and Utánvét always do. Once this list is filled in, every other payment method that is mapped to 'Cash on Delivery' means no. If the list contains a number, 1 and 0 in the item are payment methods, too, and not yes and no.",
	},
];

export const createFields: INodeProperties[] = [
	{
		displayName: captions.orderData,
		name: 'orderData',
		type: 'options',
		noDataExpression: true,
		default: MAPPED,
		description:
			"Where the values of the shipment come from: from fields that you map, or from an order as the shop's API returns it, for example the output of n8n's WooCommerce node",
		options: choices({
			[MAPPED]: ['Mapped Below', 'From the fields that you map'],
			...Object.fromEntries(Object.entries(SHOPS).map(([value, { caption }]) => [value, caption])),
		}),
	},
	{
		...carrierServiceField,
		required: false,
		description: `${carrierServiceField.description} With '${captions.rules}', it is for the orders that no rule fits.`,
	},
	{
		displayName: captions.rules,
		name: 'rules',
		type: 'fixedCollection',
		placeholder: 'Add Rule',
		typeOptions: { multipleValues: true, sortable: true },
		default: {},
		description:
			'For orders that need another service. The first rule that fits an order chooses its carrier and service. All conditions of the rule must fit. Case, accents and extra spaces of the shipping method do not matter.',
		options: [
			{
				displayName: 'Rule',
				name: 'rule',
				values: [
					{
						displayName: 'Shipping Method Contains',
						name: 'text',
						type: 'string',
						default: '',
						placeholder: 'e.g. pickup point',
						description:
							'Text that the shipping method contains. Without one, the rule is for any method. If one method contains the name of another, put its rule first.',
					},
					{
						displayName: 'More Conditions',
						name: 'more',
						type: 'collection',
						placeholder: 'Add Condition',
						default: {},
						description: 'What else has to fit, so that the rule is used',
						options: Object.entries(MORE_CONDITIONS).map(([name, { caption, inForm }]) => ({
							displayName: caption,
							name,
							...inForm,
						})),
					},
					{
						...carrierServiceField,
						required: false,
						description: 'The service for orders that fit this rule, with its carrier',
					},
				],
			},
		],
	},
	{
		displayName: captions.shippingMethod,
		name: 'shippingMethod',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.shipping_method }}',
		description: `The shipping method that the customer chose. Only needed if a rule of '${captions.rules}' asks for it.`,
		// Also without rules: n8n cannot show a field depending on a collection.
		displayOptions: WITHOUT_SHOP,
	},
	// n8n cannot make fields required depending on the service.
	{
		displayName:
			"Always fill in 'Order Number', 'Shipment Value' (enter 0 if your data has none), and the recipient with name and address. Services to a pickup point also need 'Pickup Point Code', and cash on delivery its amount and currency: orders without an amount collect nothing. Many carriers also need phone or email. 'Add field to send' has the other fields, such as pieces and the sender.",
		name: 'serviceNeedsNotice',
		type: 'notice',
		default: '',
		displayOptions: WITHOUT_SHOP,
	},
	mapperField('shipment', 'getShipmentFields', true, {
		required: true,
		description:
			"The recipient and contents of the shipment. Enter countries as names or two-letter codes (CZ), currencies as three-letter codes (CZK), phone numbers with their calling code (+420777123456), amounts as numbers (1200.50), and postal codes and order numbers as text. Automatic mapping uses input fields whose names match the provider's, except orderId.",
		displayOptions: WITHOUT_SHOP,
		// Tells n8n's AI the field names, which the type of a resource mapper does not contain.
		builderHint: {
			propertyHint: `Set mappingMode to "defineBelow" and value to an object. Required keys: ${requiredFieldNames.join(', ')}. Optional keys: ${sentFieldNames.filter((name) => !requiredFieldNames.includes(name)).join(', ')}. Always map the recipient (rec...), and codPrice and codCurrency for cash on delivery: an order without an amount collects nothing.`,
		},
	}),
	// Nothing is required: what the order lacks is reported.
	mapperField('overrides', 'getOverrideFields', false, {
		description:
			'Usually, leave this empty. Add a field only if its value in the order is wrong or missing. For yes or no, enter true or false. A field without a value keeps the value of the order.',
		displayOptions: { show: { orderData: Object.keys(SHOPS) } },
	}),
	{
		displayName: 'Labels',
		name: 'labels',
		type: 'options',
		noDataExpression: true,
		default: 'none',
		description:
			'What to do with the labels. A PDF is in the binary field data of its shipment, or labelNotDownloaded gives the reason.',
		options: choices({ none: 'None', print: 'Print', attach: 'Attach as PDF' }),
	},
	{
		...printerField,
		description:
			'The printer for the labels. Each label is printed once, that of an existing shipment only if the provider confirms that it was not printed. In the output, printedOn names the printer, or labelNotPrinted gives the reason.',
		displayOptions: { show: { labels: ['print'] } },
	},
	optionsField(...creationOptions),
];

/** The options of the form. An expression can give a value of another type, or none. */
export function readCreationOptions(given: IDataObject): CreationOptions {
	const ways = Object.keys(IF_SHIPPED) as Array<keyof typeof IF_SHIPPED>;
	const { labels, ifShipped, codMethods, timezone, defaultWeight, dryRun } = given;
	return {
		labels: readChoice('Labels', labels || 'none', ['none', 'print', 'attach']),
		ifShipped: readChoice('If Already Shipped', ifShipped || 'returnUnchanged', ways),
		codMethods: String(codMethods ?? ''),
		timezone: String(timezone),
		defaultWeight: readNumber(defaultWeight, 'Default Weight', { isWhole: false }) ?? 0,
		dryRun: readBoolean(dryRun, 'Dry Run'),
	};
}
