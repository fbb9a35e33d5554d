import type { IDataObject } from 'n8n-workflow';

import type { ItemOutput, ItemResult, NodeRun } from '../run';
import { describeError, ItemError } from '../transport/errors';
import { fileNameOf, labelFileName, requestLabels, saveLabelFile, today } from './files';

/** A PDF file of an item: the field with its link, the binary field, and where a failure is reported. */
interface AttachedFile {
	urlField: string;
	binaryField: string;
	failedField: string;
	fileName: string;
}

/**
 * Attaches a file to an item. A failed download is reported in the item and never thrown, because what
 * the item says is done anyway.
 */
export async function attachFile(
	run: NodeRun,
	{ json, binary }: ItemOutput,
	{ urlField, binaryField, failedField, fileName }: AttachedFile,
	requestUrl: () => Promise<string> = async () => '',
): Promise<ItemOutput> {
	try {
		const url = String(json[urlField] || (await requestUrl()));
		const file = await saveLabelFile(run, url, 'pdf', fileName);
		return { json: { ...json, [urlField]: url }, binary: { ...binary, [binaryField]: file } };
	} catch (thrown) {
		const failed = { ...json, [failedField]: describeError(thrown).message };
		return { json: failed, ...(binary ? { binary } : {}) };
	}
}

/** Attaches the label file to each created shipment, or to each batch. */
export async function attachLabels(run: NodeRun, results: ItemResult[]): Promise<ItemResult[]> {
	const day = today(run.context);
	return await run.client.mapParallel(results, async (result) => {
		if ('failure' in result) return result;
		const { json } = result;
		const shipments = json.shipments as IDataObject[] | undefined;
		const batch = { carrierCode: String(json.carrierCode), hash: json.labelsHash as string };
		const file = {
			urlField: shipments ? 'labelsUrl' : 'labelUrl',
			binaryField: 'data',
			failedField: 'labelNotDownloaded',
			// With the carrier's number, the files of one day have different names.
			fileName: shipments
				? labelFileName({ ...batch, labelsCount: shipments.length }, day, 'pdf')
				: fileNameOf(['label', json.carrierCode, json.packageNumberCarrier || json.id], 'pdf'),
		};
		const attached = await attachFile(run, result, file, async () => {
			// Only the response to a creation contains links to labels.
			const ids = (shipments ?? [json]).map((each) => Number(each.id));
			const [labels] = await requestLabels(run, ids, { format: 'pdf' });
			return labels?.labelsUrl ?? '';
		});
		return { ...result, ...attached };
	});
}

/** The files of a batch. */
export const batchFiles = {
	labels: { urlField: 'labelsUrl', binaryField: 'data', failedField: 'labelsNotDownloaded' },
	orders: { urlField: 'ordersUrl', binaryField: 'orders', failedField: 'ordersNotDownloaded' },
} as const;

/** Attaches files of a batch to an item, which has their links as well. */
export async function attachBatchFiles(
	run: NodeRun,
	item: ItemOutput,
	{ id, carrierCode, ...batch }: IDataObject,
	files: ReadonlyArray<keyof typeof batchFiles>,
): Promise<ItemOutput> {
	let output = item;
	for (const file of files) {
		const { urlField } = batchFiles[file];
		const json = { ...output.json, [urlField]: batch[urlField] ?? null };
		const fileName = fileNameOf([file, carrierCode, 'batch', id, today(run.context)], 'pdf');
		output = await attachFile(run, { ...output, json }, { ...batchFiles[file], fileName }, () => {
			throw new ItemError(
				`Batch ${String(id)} has no file with its ${file}`,
				'The service gives links only for batches whose files it still has.',
			);
		});
	}
	return output;
}
