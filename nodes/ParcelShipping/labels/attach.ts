import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import type { ItemOutput, ItemResult, NodeRun } from '../run';
import { describeError, ItemError } from '../transport/errors';
import { labelFileName, requestLabels, saveLabelFile, today } from './files';

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
		// Only the response to a creation contains links to labels.
		const ids = (shipments ?? [json]).map(({ id }) => Number(id));
		const url = known || (await requestLabels(run, ids, { format: 'pdf' }))[0]?.labelsUrl || '';
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

/** The files of a batch: the field with its link, the binary field, and what it is called. */
export const batchFiles = {
	labels: { urlField: 'labelsUrl', binaryField: 'data', failedField: 'labelsNotDownloaded' },
	orders: { urlField: 'ordersUrl', binaryField: 'orders', failedField: 'ordersNotDownloaded' },
} as const;

export type BatchFile = keyof typeof batchFiles;

/** Attaches files of a batch to an item. A failed download is reported in the item. */
export async function attachBatchFiles(
	run: NodeRun,
	{ json }: ItemOutput,
	batch: IDataObject,
	files: readonly BatchFile[],
): Promise<ItemOutput> {
	const output: Required<ItemOutput> = { json: { ...json }, binary: {} };
	for (const file of files) {
		const { urlField, binaryField, failedField } = batchFiles[file];
		const url = batch[urlField];
		output.json[urlField] = url ?? null;
		await saveBatchFile(run, batch, file).then(
			(saved) => (output.binary[binaryField] = saved),
			(thrown: unknown) => (output.json[failedField] = describeError(thrown).message),
		);
	}
	return { json: output.json, ...(hasFiles(output.binary) ? { binary: output.binary } : {}) };
}

async function saveBatchFile(run: NodeRun, batch: IDataObject, file: BatchFile) {
	const url = batch[batchFiles[file].urlField];
	if (typeof url !== 'string' || url === '') {
		throw new ItemError(
			`Batch ${String(batch.id)} has no file with its ${file}`,
			'The service gives links only for batches whose files it still has.',
		);
	}
	const name = labelFileName(
		{ carrierCode: `${String(batch.carrierCode)}-batch-${String(batch.id)}` },
		today(run.context),
		'pdf',
	);
	return await saveLabelFile(run, url, 'pdf', name.replace(/^labels/, file));
}

const hasFiles = (binary: IBinaryKeyData) => Object.keys(binary).length > 0;
