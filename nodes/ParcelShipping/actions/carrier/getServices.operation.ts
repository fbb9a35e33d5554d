import { toOutputs } from '../../descriptions/listing';
import { carrierCodeField, readLocator } from '../../descriptions/locators';
import { optionsField } from '../../descriptions/options';
import { readBoolean } from '../../parameterValues';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get Services',
	value: 'getServices',
	action: 'Get services of carrier',
	description: 'List the services of a carrier with the codes that are needed to create shipments',
	fields: [
		{
			...carrierCodeField,
			description:
				'The carrier whose services to list. Choose from the carriers of your account, or enter a code.',
		},
		optionsField({
			displayName: 'Include Additional Services',
			name: 'includeAddons',
			type: 'boolean',
			// On as soon as the user adds the option.
			default: true,
			description:
				"Whether to add the list of its additional services to each service, one request per service. Shipment: Create takes their codes as 'Additional Services'.",
		}),
	],

	async executeItem({ context, client }, itemIndex) {
		const carrierCode = readLocator(context, carrierCodeField, itemIndex);
		const addons = context.getNodeParameter('options.includeAddons', itemIndex, false);
		const includesAddons = readBoolean(addons, 'Include Additional Services');
		const services = await client.services(carrierCode);
		if (!includesAddons) return toOutputs(context, itemIndex, services);
		const withAddons = await client.mapParallel(services, async (service) => ({
			...service,
			additionalServices: await client.serviceAddons(carrierCode, service.code),
		}));
		return toOutputs(context, itemIndex, withAddons);
	},
};
