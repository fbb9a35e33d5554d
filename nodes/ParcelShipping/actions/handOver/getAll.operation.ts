import { creationFilters } from '../../descriptions/filters';
import { attachProtocol } from '../../files';
import { readBoolean } from '../../parameterValues';
import { getMany } from '../getMany';

export const operation = getMany({
	action: 'Get many hand-overs',
	description: 'List past hand-overs to carriers, newest first, with the links to their protocols',
	filters: creationFilters,
	lastField: {
		displayName: 'Download',
		name: 'download',
		type: 'boolean',
		default: false,
		description:
			'Whether to attach the protocol of each hand-over as a PDF in the binary field data. If turned off, the output only contains the links.',
	},

	async read(client, { carrierCodes, ...days }, limit) {
		const ofCarriers = carrierCodes ? { carrierCode: carrierCodes } : {};
		const filter = { sortOrder: 'desc', ...days, ...ofCarriers } as const;
		return await client.list('findHandOvers', filter, limit);
	},

	async complete(run, output, itemIndex) {
		const isDownload = run.context.getNodeParameter('download', itemIndex, false);
		if (!readBoolean(isDownload, 'Download')) return output;
		const { date, created } = output.json;
		return await attachProtocol(run, output, String(date ?? created ?? '').slice(0, 10));
	},
});
