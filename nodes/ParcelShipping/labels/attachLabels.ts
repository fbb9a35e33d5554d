import type { IDataObject } from 'n8n-workflow';

import { describeError } from '../transport/errors';
import { labelFileName, saveLabelFile } from './labelFile';
import { noLabelsError } from './labelRequests';
import type { ItemOutput, ItemResult, NodeRun } from '../run';

const BINARY_PROPERTY = 'data';

/**
 * Attaches the label file to each created shipment, or to each batch. A failed download is reported
 * in the item and never thrown, because the shipment exists anyway.
 */
export async function attachLabels(
	run: NodeRun,
	results: ItemResult[],
	day: string,
): Promise<ItemResult[]> {
	return await run.client.mapParallel(results, async (result) =>
		'failure' in result ? result : { ...result, ...(await attachLabel(run, result, day)) },
	);
}

async function attachLabel(run: NodeRun, { json }: ItemOutput, day: string): Promise<ItemOutput> {
	const shipments = json.shipments as IDataObject[] | undefined;
	const urlField = shipments ? 'labelsUrl' : 'labelUrl';
	try {
		const known = json[urlField] as string | null;
		const url = known || (await requestLabelUrl(run, shipments ?? [json]));
		const fileName = shipments ? batchFileName(json, shipments.length, day) : pieceFileName(json);
		const file = await saveLabelFile(run, url, 'pdf', fileName);
		return { json: { ...json, [urlField]: url }, binary: { [BINARY_PROPERTY]: file } };
	} catch (thrown) {
		return { json: { ...json, labelNotDownloaded: describeError(thrown).message } };
	}
}

function batchFileName(json: IDataObject, labelsCount: number, day: string): string {
	const carrierCode = String(json.carrierCode);
	return labelFileName({ carrierCode, labelsCount, hash: json.labelsHash as string }, day, 'pdf');
}

/** Contains the carrier's number, so that the files of one day have different names. */
function pieceFileName({ carrierCode, packageNumberCarrier, id }: IDataObject): string {
	const name = `label-${String(carrierCode)}-${String(packageNumberCarrier || id)}`;
	return `${name.replace(/[^A-Za-z0-9]+/g, '-')}.pdf`;
}

/** Only the response to a creation contains links to labels. Other shipments come without one. */
async function requestLabelUrl(
	{ client }: NodeRun,
	shipments: readonly IDataObject[],
): Promise<string> {
	const answer = await client.call('printLabels', {
		query: { type: 'pdf' },
		body: { packages: shipments.map(({ id }) => Number(id)) },
	});
	const [group] = answer.result;
	if (!group) throw noLabelsError(answer);
	return group.labelsUrl;
}
