import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { BATCH_SIMPLE_FIELDS } from '../../descriptions/batchSimple';
import { readRecordId } from '../../descriptions/recordId';
import { maxConcurrencyOption, maxRetryWaitOption } from '../../descriptions/requestOptions';
import { isSimplified, simplify, simplifyField } from '../../descriptions/simplify';
import type { ItemOperation } from '../operation';

const batchIdField: INodeProperties = {
	displayName: 'Batch',
	name: 'batchId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The batch, from the latest batches or by its ID',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a batch...',
			typeOptions: { searchListMethod: 'searchBatches', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 812' },
	],
};

const outputOption: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	default: 'batches',
	description: 'What an output item stands for',
	options: [
		{ name: 'One Item per Batch', value: 'batches' },
		{
			name: 'One Item per Order',
			value: 'orders',
			description: 'The orders of the batch, with the shipment that was made for each',
		},
	],
};

export const operation: ItemOperation = {
	name: 'Get',
	value: 'get',
	action: 'Get a batch',
	description:
		'Read one batch by its ID: its counts, label file and print hash, or the orders and shipments in it',
	fields: [
		batchIdField,
		simplifyField,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [maxConcurrencyOption, maxRetryWaitOption, outputOption],
		},
	],

	async executeItem({ context, client }, itemIndex) {
		const id = readRecordId(
			context,
			batchIdField,
			itemIndex,
			'Choose the batch from the list, or use the batchId of a created shipment.',
		);
		const { result } = await client.once(`getBatch ${id}`, async () =>
			client.call('getBatch', { path: { id } }),
		);
		const isSimple = isSimplified(context, itemIndex);
		const batch = result as unknown as IDataObject;
		if (context.getNodeParameter('options.output', itemIndex, 'batches') === 'orders') {
			return (result.orders ?? []).map((order) => ({
				json: { ...order, ...(isSimple ? { batchId: id } : {}) },
			}));
		}
		return [{ json: isSimple ? simplify(batch, BATCH_SIMPLE_FIELDS) : batch }];
	},
};
