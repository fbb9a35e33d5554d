import { creationFilters } from '../../descriptions/filters';
import { attachProtocol } from '../../files';
import { readBoolean } from '../../parameterValues';
import { getMany } from '../getMany';
import type { ItemOperation } from '../operation';

const listing = getMany({
	action: 'Get many hand-overs',
	description: 'List past hand-overs to carriers, newest first, with the links to their protocols',
	filters: creationFilters,
	read: async (client, { carrierCodes, ...days }, limit) =>
		client.list(
			'findHandOvers',
			{ sortOrder: 'desc', ...days, ...(carrierCodes ? { carrierCode: carrierCodes } : {}) },
			limit,
		),
});

export const operation: ItemOperation = {
	...listing,
	fields: [
		...listing.fields,
		{
			displayName: 'Download',
			name: 'download',
			type: 'boolean',
			default: false,
			description:
				'Whether to attach the protocol of each hand-over as a PDF in the binary field data. If turned off, the output only contains the links.',
		},
	],

	async executeItem(run, itemIndex) {
		const { context, client } = run;
		const isDownload = context.getNodeParameter('download', itemIndex, false);
		const outputs = await listing.executeItem(run, itemIndex);
		if (!readBoolean(isDownload, 'Download')) return outputs;
		return await client.mapParallel(outputs, async (output) => {
			const { date, created } = output.json;
			return await attachProtocol(run, output, String(date ?? created ?? '').slice(0, 10));
		});
	},
};
