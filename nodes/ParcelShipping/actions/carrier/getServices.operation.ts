import { toOutputs } from '../../descriptions/listing';
import { carrierCodeField, readLocator } from '../../descriptions/locators';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get Services',
	value: 'getServices',
	action: 'Get services of carrier',
	description: 'List the services of a carrier with the codes that are needed to create shipments',
	fields: [carrierCodeField],

	async executeItem({ context, client }, itemIndex) {
		const carrierCode = readLocator(context, carrierCodeField, itemIndex);
		return toOutputs(context, itemIndex, await client.services(carrierCode));
	},
};
