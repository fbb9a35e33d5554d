import { creationFilters } from '../../descriptions/filters';
import { simplifyBatch } from '../../descriptions/listing';
import { getMany } from '../getMany';

export const operation = getMany({
	action: 'Get many batches',
	description:
		'List batches of shipments created together, newest first, by carrier or creation date',
	filters: creationFilters,
	simplify: simplifyBatch,
	read: async (client, filter, limit) =>
		client.list('findBatches', { ...filter, sortOrder: 'desc' }, limit),
});
