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
	fields: [carrierCodeField, requestOptions()],

	async executeItem({ context, client }, itemIndex) {
		const carrierCode = readLocator(context, carrierCodeField, itemIndex);
		return toOutputs(context, itemIndex, await client.services(carrierCode));
	},
};
