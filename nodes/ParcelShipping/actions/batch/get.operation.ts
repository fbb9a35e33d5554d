import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	BATCH_SIMPLE_FIELDS,
	isSimplified,
	simplify,
	simplifyField,
} from '../../descriptions/listing';
import { batchIdField, readRecordId } from '../../descriptions/locators';
import { attachBatchFiles, type BatchFile } from '../../labels/attach';
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

const downloadLabelsOption: INodeProperties = {
	displayName: 'Download Labels',
	name: 'downloadLabels',
	type: 'boolean',
	// On as soon as the user adds the option.
	default: true,
	description:
		'Whether to attach the label file of the batch as a PDF in the binary field data. With One Item per Order, the first item has it.',
};

const downloadOrdersOption: INodeProperties = {
	displayName: 'Download Orders',
	name: 'downloadOrders',
	type: 'boolean',
	// On as soon as the user adds the option.
	default: true,
	description:
		'Whether to attach the details of all orders of the batch as a PDF in the binary field orders. With One Item per Order, the first item has it.',
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
		optionsField(
			downloadLabelsOption,
			downloadOrdersOption,
			maxConcurrencyOption,
			maxRetryWaitOption,
			outputOption,
		),
	],

	async executeItem(run, itemIndex) {
		const { context, client } = run;
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
		const isByOrder = context.getNodeParameter('options.output', itemIndex, 'batches') === 'orders';
		const items = isByOrder
			? (result.orders ?? []).map((order) => ({
					json: { ...order, ...(isSimple ? { batchId: id } : {}) },
				}))
			: [{ json: isSimple ? simplify(batch, BATCH_SIMPLE_FIELDS) : batch }];
		const isOn = (option: string) =>
			context.getNodeParameter(`options.${option}`, itemIndex, false);
		const files: BatchFile[] = [
			...(isOn('downloadLabels') ? (['labels'] as const) : []),
			...(isOn('downloadOrders') ? (['orders'] as const) : []),
		];
		const [first, ...others] = items;
		if (!first || files.length === 0) return items;
		return [await attachBatchFiles(run, first, batch, files), ...others];
	},
};
