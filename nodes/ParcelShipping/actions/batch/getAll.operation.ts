import { batchFilters, filtersField, readItemFilters } from '../../descriptions/filters';
import { listingFields, readLimit, simplifyBatch, toOutputs } from '../../descriptions/listing';
import { choices, requestOptions } from '../../descriptions/options';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many batches',
	description:
		'List batches, the groups of shipments created together, by carrier or creation date',
	fields: [
		...listingFields,
		{
			displayName: 'Sort Order',
			name: 'sortOrder',
			type: 'options',
			default: 'desc',
			description: 'Sort order by creation date',
			options: choices({ desc: 'Newest First', asc: 'Oldest First' }),
		},
		filtersField(batchFilters),
		requestOptions(),
	],

	async executeItem({ context, client }, itemIndex) {
		const filter = {
			...readItemFilters(batchFilters, context, itemIndex),
			sortOrder: context.getNodeParameter('sortOrder', itemIndex, 'desc') as string,
		};
		const limit = readLimit(context, itemIndex);
		const batches = await client.once(JSON.stringify(['findBatches', filter, limit]), async () =>
			client.listBatches(filter, limit),
		);
		return toOutputs(context, itemIndex, batches, simplifyBatch);
	},
};
