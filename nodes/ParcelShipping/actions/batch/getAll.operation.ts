import type { IDataObject } from 'n8n-workflow';

import { batchFilters, filtersField, readFilters } from '../../descriptions/filters';
import {
	BATCH_SIMPLE_FIELDS,
	isSimplified,
	readLimit,
	returnAllFields,
	simplify,
	simplifyField,
} from '../../descriptions/listing';
import { requestOptionsField } from '../../descriptions/options';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many batches',
	description:
		'List batches, which are groups of shipments created together, by carrier or creation date. Shipments are not included: use Get to retrieve them.',
	fields: [
		...returnAllFields,
		simplifyField,
		{
			displayName: 'Sort Order',
			name: 'sortOrder',
			type: 'options',
			default: 'desc',
			description: 'Sort order by creation date',
			options: [
				{ name: 'Newest First', value: 'desc' },
				{ name: 'Oldest First', value: 'asc' },
			],
		},
		filtersField(batchFilters),
		requestOptionsField,
	],

	async executeItem({ context, client }, itemIndex) {
		const given = context.getNodeParameter('filters', itemIndex, {}) as IDataObject;
		const filters = readFilters(batchFilters, given, context.getTimezone());
		const sortOrder = context.getNodeParameter('sortOrder', itemIndex, 'desc') as string;
		const limit = readLimit(context, itemIndex);

		const request = JSON.stringify(['findBatches', filters, sortOrder, limit]);
		const batches = await client.once(request, async () =>
			client.listBatches({ ...filters, sortOrder }, limit),
		);
		const isSimple = isSimplified(context, itemIndex);
		return batches.map((batch) => {
			const record = batch as unknown as IDataObject;
			return { json: isSimple ? simplify(record, BATCH_SIMPLE_FIELDS) : record };
		});
	},
};
