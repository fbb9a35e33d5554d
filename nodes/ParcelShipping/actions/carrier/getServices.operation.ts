import { toOutputs } from '../../descriptions/listing';
import { carrierCodeField, readLocator } from '../../descriptions/locators';
import { requestOptions } from '../../descriptions/options';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get Services',
	value: 'getServices',
	action: 'Get the services of a carrier',
	description:
		'List the services of a carrier with the codes needed to create shipments, and whether each accepts a sender or cover address',
	fields: [
		carrierCodeField,
		requestOptions({
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
		const services = await client.services(carrierCode);
		if (!context.getNodeParameter('options.includeAddons', itemIndex, false)) {
			return toOutputs(context, itemIndex, services);
		}
		const withAddons = await client.mapParallel(services, async (service) => ({
			...service,
			additionalServices: await client.serviceAddons(carrierCode, service.code),
		}));
		return toOutputs(context, itemIndex, withAddons);
	},
};
