import { batchFilters, filtersField, readItemFilters } from '../../descriptions/filters';
import { listingFields, readLimit, simplifyBatch, toOutputs } from '../../descriptions/listing';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many batches',
	description:
		'List batches of shipments created together, newest first, by carrier or creation date',
	fields: [...listingFields, filtersField(batchFilters)],

	async executeItem({ context, client }, itemIndex) {
		const filter = {
			...readItemFilters(batchFilters, context, itemIndex),
			sortOrder: 'desc',
		};
		const limit = readLimit(context, itemIndex);
		const batches = await client.once(JSON.stringify(['findBatches', filter, limit]), async () =>
			client.list('findBatches', filter, limit),
		);
		return toOutputs(context, itemIndex, batches, simplifyBatch);
	},
};
