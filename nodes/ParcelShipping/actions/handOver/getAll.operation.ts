import { filtersField, handOverFilters, readItemFilters } from '../../descriptions/filters';
import { readLimit, returnAllFields, toOutputs } from '../../descriptions/listing';
import { binaryField, readBinaryField } from '../../descriptions/options';
import { attachProtocol } from '../../files';
import { readBoolean } from '../../parameterValues';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many hand-overs',
	description: 'List past hand-overs to carriers, newest first, with the links to their protocols',
	fields: [
		...returnAllFields,
		{
			displayName: 'Download',
			name: 'download',
			type: 'boolean',
			default: false,
			description:
				'Whether to download the protocol of each hand-over. If turned off, the output only contains the links.',
		},
		{ ...binaryField('protocol'), displayOptions: { show: { download: [true] } } },
		filtersField(handOverFilters),
	],

	async executeItem(run, itemIndex) {
		const { context, client } = run;
		const { carrierCodes, ...days } = readItemFilters(handOverFilters, context, itemIndex);
		const filter = {
			sortOrder: 'desc',
			...days,
			...(carrierCodes ? { carrierCode: carrierCodes } : {}),
		};
		const download = context.getNodeParameter('download', itemIndex, false);
		const isDownload = readBoolean(download, 'Download');
		const limit = readLimit(context, itemIndex);
		const request = JSON.stringify(['findHandOvers', filter, limit]);
		const handOvers = await client.once(request, async () =>
			client.list('findHandOvers', filter, limit),
		);
		const outputs = toOutputs(context, itemIndex, handOvers);
		if (!isDownload) return outputs;
		const given = context.getNodeParameter('binaryPropertyName', itemIndex, 'data');
		const field = readBinaryField(given);
		return await client.mapParallel(outputs, async (output) => {
			const { date, created } = output.json;
			return await attachProtocol(run, output, field, String(date ?? created ?? '').slice(0, 10));
		});
	},
};
