import type { IDataObject } from 'n8n-workflow';

import { simplifyBatch, simplifyFields, toOutputs } from '../../descriptions/listing';
import { batchIdField, readRecordId } from '../../descriptions/locators';
import { outputField, readChoice, optionsField } from '../../descriptions/options';
import { attachFile, fileNameOf, today } from '../../files';
import { readBoolean } from '../../parameterValues';
import type { ItemOutput } from '../../run';
import { ItemError } from '../../transport/errors';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get',
	value: 'get',
	action: 'Get batch',
	description:
		'Retrieve a batch by its ID, with its label file and print hash, or the orders in it',
	fields: [
		batchIdField,
		...simplifyFields,
		optionsField(
			{
				displayName: 'Download Labels',
				name: 'downloadLabels',
				type: 'boolean',
				// On as soon as the user adds the option.
				default: true,
				description:
					"Whether to attach the label file of the batch as a PDF in the binary field data. With 'One Item per Order', the first item has it.",
			},
			{
				displayName: 'Download Orders',
				name: 'downloadOrders',
				type: 'boolean',
				// On as soon as the user adds the option.
				default: true,
				description:
					"Whether to attach the details of all orders of the batch as a PDF in the binary field orders. With 'One Item per Order', the first item has it.",
			},
			outputField('batches', {
				batches: ['One Item per Batch', 'The batch with its counts and its label file'],
				orders: ['One Item per Order', 'Each order of the batch, with the shipment created for it'],
			}),
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
		const {
			output = 'batches',
			downloadLabels,
			downloadOrders,
		} = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
		const outputs = readChoice('Output', output, ['batches', 'orders']);
		const hasLabels = readBoolean(downloadLabels, 'Download Labels');
		const hasOrders = readBoolean(downloadOrders, 'Download Orders');
		const { result: batch } = await client.once(`getBatch ${id}`, async () =>
			client.call('getBatch', { path: { id } }),
		);
		const orders = (outputs === 'orders' && batch.orders) || [];
		// Without orders, the batch itself, which has the files.
		const [first, ...others] = (
			orders.length > 0
				? toOutputs(context, itemIndex, orders, (order) => ({ ...order, batchId: id }))
				: toOutputs(context, itemIndex, [batch], simplifyBatch)
		) as [ItemOutput, ...ItemOutput[]];
		const files = [
			{ name: 'labels', isWanted: hasLabels, urlField: 'labelsUrl', binaryField: 'data' },
			{ name: 'orders', isWanted: hasOrders, urlField: 'ordersUrl', binaryField: 'orders' },
		] as const;
		let withFiles = first;
		for (const { name, urlField, binaryField } of files.filter(({ isWanted }) => isWanted)) {
			const json = { ...withFiles.json, [urlField]: batch[urlField] ?? null };
			const fileName = fileNameOf([name, batch.carrierCode, 'batch', id, today(context)], 'pdf');
			const file = { urlField, binaryField, failedField: `${name}NotDownloaded`, fileName };
			withFiles = await attachFile(run, { ...withFiles, json }, file, () => {
				throw new ItemError(
					`Batch ${id} has no file with its ${name}`,
					'The service gives links only for batches whose files it still has.',
				);
			});
		}
		return [withFiles, ...others];
	},
};
