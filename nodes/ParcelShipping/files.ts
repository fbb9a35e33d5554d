import { DateTime } from 'luxon';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { ItemOutput, NodeRun } from './run';
import { download, type FileFormat } from './transport/download';
import { describeError } from './transport/errors';

/** Without special characters in its name. */
export async function saveFile(
	{ context, client }: NodeRun,
	url: string,
	format: FileFormat,
	name: string,
): Promise<IBinaryData> {
	const fileName = `${name.trim().replace(/[^A-Za-z0-9]+/g, '-')}.${format}`;
	return await download(client.http, url, format, async (stream) =>
		context.helpers.prepareBinaryData(stream, fileName, `application/${format}`),
	);
}

/**
 * Attaches a file to an item as its binary field data. A failed download is reported in the item and never thrown, because what
 * the item says is done anyway.
 */
export async function attachFile(
	run: NodeRun,
	{ json, binary }: ItemOutput,
	[urlField, failedField]: readonly [string, string],
	name: string,
	requestUrl: () => Promise<string> = async () => '',
): Promise<ItemOutput> {
	try {
		const url = String(json[urlField] || (await requestUrl()));
		const file = await saveFile(run, url, 'pdf', name);
		return { json: { ...json, [urlField]: url }, binary: { ...binary, data: file } };
	} catch (thrown) {
		const failed = { ...json, [failedField]: describeError(thrown).message };
		return { json: failed, ...(binary ? { binary } : {}) };
	}
}

/** Attaches the protocol of a hand-over of this day. */
export async function attachProtocol(
	run: NodeRun,
	output: ItemOutput,
	day: string | null,
): Promise<ItemOutput> {
	const { protocolUrl, carrierCode, handOverId, id = handOverId } = output.json;
	if (!protocolUrl) return output;
	const name = ['protocol', carrierCode, day, id].join(' ');
	return await attachFile(run, output, ['protocolUrl', 'protocolNotDownloaded'], name);
}

/** In the time zone of the workflow, such as `2026-11-20`. Null if there is no such zone: n8n does not check it. */
export function today(context: IExecuteFunctions): string | null {
	return DateTime.now().setZone(context.getTimezone()).toISODate();
}
