import type { IDataObject } from 'n8n-workflow';

import { labelFileName, saveLabelFile } from './labelFile';
import { describeError } from '../transport/errors';
import type { Outcome, Result, Run } from '../actions/operation';

const BINARY_PROPERTY = 'data';

/**
 * Attaches to each shipment, or to each batch, its label file. The shipment exists whether or not
 * its file can be fetched, so a download that does not work is said in the item, never thrown.
 */
export async function attachLabels(run: Run, outcomes: Outcome[], day: string): Promise<Outcome[]> {
	return await run.client.mapParallel(outcomes, async (outcome) =>
		'failure' in outcome ? outcome : { ...outcome, ...(await attachTo(run, outcome, day)) },
	);
}

async function attachTo(run: Run, { json }: Result, day: string): Promise<Result> {
	const shipments = json.shipments as IDataObject[] | undefined;
	const urlField = shipments ? 'labelsUrl' : 'labelUrl';
	try {
		const known = json[urlField] as string | null;
		const url = known || (await makeLabels(run, shipments ?? [json]));
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

/** The carrier's number tells the files of one day apart. */
function pieceFileName({ carrierCode, packageNumberCarrier, id }: IDataObject): string {
	const name = `label-${String(carrierCode)}-${String(packageNumberCarrier || id)}`;
	return `${name.replace(/[^A-Za-z0-9]+/g, '-')}.pdf`;
}

/** Shipments that were not created just now come without a link to their labels. */
async function makeLabels(run: Run, shipments: readonly IDataObject[]): Promise<string> {
	const { result } = await run.client.call('printLabels', {
		query: { type: 'pdf' },
		body: { packages: shipments.map(({ id }) => Number(id)) },
	});
	return result[0]?.labelsUrl ?? '';
}
