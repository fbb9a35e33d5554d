import type { IDataObject } from 'n8n-workflow';

import { readLimit, returnAllFields } from '../../descriptions/listing';
import { choices } from '../../descriptions/options';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many carriers',
	description: 'List the carriers of the account with their codes, both active and inactive',
	fields: [
		...returnAllFields,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				{
					displayName: 'Status',
					name: 'status',
					type: 'options',
					default: 'Active',
					description: 'Only return carriers with this status',
					options: choices({
						Active: ['Active', 'Shipments can be created'],
						Inactive: ['Inactive', 'Not activated in the account'],
					}),
				},
			],
		},
	],

	async executeItem({ context, client }, itemIndex) {
		const { status } = context.getNodeParameter('filters', itemIndex, {}) as { status?: string };
		// The service returns all carriers at once and has no filter for them.
		return (await client.carriers())
			.filter((carrier) => !status || carrier.status === status)
			.slice(0, readLimit(context, itemIndex))
			.map((carrier) => ({ json: carrier as unknown as IDataObject }));
	},
};
