import { simplifyBatch, simplifyField, toOutputs } from '../../descriptions/listing';
import { optionsField } from '../../descriptions/options';
import { attachFile, fileNameOf, today } from '../../files';
import { invalidValue, readBoolean } from '../../parameterValues';
import { isId } from '../../records';
import type { ItemOutput } from '../../run';
import { ItemError } from '../../transport/errors';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get',
	value: 'get',
	action: 'Get batch',
	description: 'Retrieve a batch by its ID, with its counts, its print hash and its label file',
	fields: [
		{
			displayName: 'Batch ID',
			name: 'batchId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 812',
			description: 'ID of the batch: the batchId of a created shipment, or as in Batch: Get Many',
		},
		simplifyField,
		optionsField({
			displayName: 'Download Labels',
			name: 'downloadLabels',
			type: 'boolean',
			// On as soon as the user adds the option.
			default: true,
			description:
				'Whether to attach the label file of the batch as a PDF in the binary field data',
		}),
	],

	async executeItem(run, itemIndex) {
		const { context, client } = run;
		const given = String(context.getNodeParameter('batchId', itemIndex, '') ?? '').trim();
		if (!isId(given)) {
			const advice =
				'Enter the batchId of a created shipment, or the ID of a batch from Batch: Get Many.';
			throw invalidValue('Batch ID', given, advice);
		}
		const id = Number(given);
		const download = context.getNodeParameter('options.downloadLabels', itemIndex, false);
		const hasLabels = readBoolean(download, 'Download Labels');
		const { result: batch } = await client.once(`getBatch ${id}`, async () =>
			client.call('getBatch', { path: { id } }),
		);
		const [output] = toOutputs(context, itemIndex, [batch], simplifyBatch) as [ItemOutput];
		if (!hasLabels) return [output];
		const json = { ...output.json, labelsUrl: batch.labelsUrl ?? null };
		const file = {
			...{ urlField: 'labelsUrl', failedField: 'labelsNotDownloaded' },
			fileName: fileNameOf(['labels', batch.carrierCode, 'batch', id, today(context)], 'pdf'),
		};
		const withLabels = await attachFile(run, { json }, file, () => {
			throw new ItemError(
				`Batch ${id} has no file with its labels`,
				'The provider gives links only for batches whose files it still has.',
			);
		});
		return [withLabels];
	},
};
