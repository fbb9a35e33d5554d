import type { IDataObject } from 'n8n-workflow';

import { batchFilters } from '../../descriptions/batchFilters';
import { BATCH_SIMPLE_FIELDS } from '../../descriptions/batchSimple';
import { filtersField, readFilters } from '../../descriptions/filters';
import { requestOptionsField } from '../../descriptions/requestOptions';
import { readLimit, returnAllFields } from '../../descriptions/returnAll';
import { isSimplified, simplify, simplifyField } from '../../descriptions/simplify';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many batches',
	description:
		'List batches, which are groups of shipments created together, by carrier or day of creation. Their shipments are not included: use Get for those.',
	fields: [
		...returnAllFields,
		simplifyField,
		{
			displayName: 'Sort Order',
			name: 'sortOrder',
			type: 'options',
			default: 'desc',
			description: 'In which order of creation the batches come',
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

		const question = JSON.stringify(['findBatches', filters, sortOrder, limit]);
		const batches = await client.once(question, async () =>
			client.listBatches({ ...filters, sortOrder }, limit),
		);
		const isSimple = isSimplified(context, itemIndex);
		return batches.map((batch) => {
			const record = batch as unknown as IDataObject;
			return { json: isSimple ? simplify(record, BATCH_SIMPLE_FIELDS) : record };
		});
	},
};
