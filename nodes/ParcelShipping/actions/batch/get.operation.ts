import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	BATCH_SIMPLE_FIELDS,
	isSimplified,
	simplify,
	simplifyField,
} from '../../descriptions/listing';
import { batchIdField, readRecordId } from '../../descriptions/locators';
import { maxConcurrencyOption, maxRetryWaitOption, optionsField } from '../../descriptions/options';
import type { ItemOperation } from '../operation';

const outputOption: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	default: 'batches',
	description: 'What each output item represents',
	options: [
		{ name: 'One Item per Batch', value: 'batches' },
		{
			name: 'One Item per Order',
			value: 'orders',
			description: 'Each order of the batch, with the shipment created for it',
		},
	],
};

export const operation: ItemOperation = {
	name: 'Get',
	value: 'get',
	action: 'Get a batch',
	description:
		'Retrieve a batch by its ID, with its counts, label file and print hash, or the orders and shipments in it',
	fields: [
		batchIdField,
		simplifyField,
		optionsField(maxConcurrencyOption, maxRetryWaitOption, outputOption),
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
