import type { IDataObject } from 'n8n-workflow';

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
		const services = await client.services(carrierCode);
		return services.map((service) => ({ json: { ...service } as IDataObject }));
	},
};
