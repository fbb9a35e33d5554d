import type { IDataObject } from 'n8n-workflow';

import { attachFile, today } from '../files';
import { labelFileName, requestLabels, shipmentFileName } from '../labels/files';
import { idOf } from '../records';
import type { ItemResult, NodeRun } from '../run';
import { ItemError } from '../transport/errors';
import { PRINTED_BEFORE } from './labelsToPrint';

/** Its label was not printed, and may be printed later. */
const isToPrint = ({ labelNotPrinted }: IDataObject) =>
	labelNotPrinted !== undefined && labelNotPrinted !== PRINTED_BEFORE.reason;

/**
 * Attaches the label file to each created shipment, or to each batch. Of a label that is still to be printed, no file
 * is created: some services would mark them as printed, and then nobody would print them. A link of the response to the
 * creation is downloaded anyway.
 */
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
			fileName: shipments
				? labelFileName({ ...batch, labelsCount: shipments.length }, day, 'pdf')
				: shipmentFileName(json),
		};
		const attached = await attachFile(run, result, file, async () => {
			// Only the response to a creation contains links to labels.
			const all = shipments ?? [json];
			if (all.some(isToPrint)) {
				throw new ItemError(
					'The label was not printed (see labelNotPrinted), and creating its file could mark it as printed',
					'Print it first.',
				);
			}
			const [labels] = await requestLabels(run.client, all.map(idOf), { format: 'pdf' });
			return labels?.labelsUrl ?? '';
		});
		return { ...result, ...attached };
	});
}
