import type { IDataObject } from 'n8n-workflow';

import { simplifyBatch, simplifyField, toOutputs } from '../../descriptions/listing';
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
		simplifyField,
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
		const { output = 'batches', downloadLabels } = context.getNodeParameter(
			'options',
			itemIndex,
			{},
		) as IDataObject;
		const outputs = readChoice('Output', output, ['batches', 'orders']);
		const hasLabels = readBoolean(downloadLabels, 'Download Labels');
		const { result: batch } = await client.once(`getBatch ${id}`, async () =>
			client.call('getBatch', { path: { id } }),
		);
		const orders = (outputs === 'orders' && batch.orders) || [];
		// Without orders, the batch itself, which has the labels.
		const [first, ...others] = (
			orders.length > 0
				? toOutputs(context, itemIndex, orders, (order) => ({ ...order, batchId: id }))
				: toOutputs(context, itemIndex, [batch], simplifyBatch)
		) as [ItemOutput, ...ItemOutput[]];
		if (!hasLabels) return [first, ...others];
		const json = { ...first.json, labelsUrl: batch.labelsUrl ?? null };
		const file = {
			...{ urlField: 'labelsUrl', binaryField: 'data', failedField: 'labelsNotDownloaded' },
			fileName: fileNameOf(['labels', batch.carrierCode, 'batch', id, today(context)], 'pdf'),
		};
		const withLabels = await attachFile(run, { ...first, json }, file, () => {
			throw new ItemError(
				`Batch ${id} has no file with its labels`,
				'The provider gives links only for batches whose files it still has.',
			);
		});
		return [withLabels, ...others];
	},
};
