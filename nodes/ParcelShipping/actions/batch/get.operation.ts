import { simplifyBatch, simplifyField, toOutputs } from '../../descriptions/listing';
import { invalidValue } from '../../parameterValues';
import { isId } from '../../records';
import { eachItem, runTasks } from '../../run';
import type { Operation } from '../operation';

export const operation: Operation = {
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
	],

	execute: async (run) =>
		runTasks(run, eachItem(run), async ({ item: itemIndex }) => {
			const { context, client } = run;
			const id = String(context.getNodeParameter('batchId', itemIndex, '') ?? '').trim();
			if (!isId(id)) {
				const advice =
					'Enter the batchId of a created shipment, or the ID of a batch from Batch: Get Many.';
				throw invalidValue('Batch ID', id, advice);
			}
			const { result } = await client.once(`getBatch ${id}`, async () =>
				client.call('getBatch', { path: { id: Number(id) } }),
			);
			return toOutputs(context, itemIndex, [result], simplifyBatch);
		}),
};
