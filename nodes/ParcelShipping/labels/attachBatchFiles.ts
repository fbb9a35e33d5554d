import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { describeError, ItemError } from '../transport/errors';
import { labelFileName, saveLabelFile, today } from './labelFile';
import type { ItemOutput, NodeRun } from '../run';

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
