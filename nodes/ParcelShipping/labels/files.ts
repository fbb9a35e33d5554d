import type { IDataObject } from 'n8n-workflow';

import { fileNameOf, saveFile, today } from '../files';
import { DAY_MS } from '../records';
import { HASH_VALIDITY_DAYS, type LabelGroup } from '../transport/endpoints';
import type { FileFormat } from '../transport/download';
import { describeError, ItemError } from '../transport/errors';
import { messageBeside } from '../transport/response';
import type { ItemOutput, NodeRun } from '../run';
import type { Client } from '../transport/client';

export interface LabelFormat {
	type: FileFormat;
	/** Undefined: the carrier decides. */
	onePerPage?: boolean;
	/** How many labels are left free on the first sheet. */
	skip?: number;
}

/** Creates the labels of these shipments. The response has one group per carrier. */
export async function requestLabels(
	client: Client,
	shipmentIds: number[],
	{ type, ...layout }: LabelFormat,
): Promise<LabelGroup[]> {
	const body = { packages: shipmentIds, ...layout };
	const response = await client.call('printLabels', { query: { type }, body });
	if (response.result.length > 0) return response.result;
	throw noLabelError(messageBeside(response), response.correlationId);
}

/** The output for a group, with its file. */
export async function saveLabels(
	run: NodeRun,
	group: LabelGroup,
	type: FileFormat,
	binaryPropertyName: string,
): Promise<ItemOutput> {
	const hashExpiresAt = new Date(Date.now() + HASH_VALIDITY_DAYS * DAY_MS).toISOString();
	const json: IDataObject = { ...group, hashExpiresAt };
	const { carrierCode, carrierName, labelsCount, hash, labelsUrl } = group;
	// Without the hash, two files of the same day would overwrite each other in a folder.
	const parts = ['labels', carrierCode, today(run.context), labelsCount, hash?.slice(0, 8)];
	const file = await saveFile(run, labelsUrl, type, fileNameOf(parts, type)).catch(
		(thrown: unknown) => {
			const { message, description, details } = describeError(thrown);
			throw new ItemError(
				`The labels of ${carrierName} were created, but their file was not saved: ${message}`,
				`${description} To print the labels, use Label: Send to Printer with the hash. To get the file, run Label: Create Label Files again.`,
				{ ...details, ...json },
				true,
			);
		},
	);
	return { json, binary: { [binaryPropertyName]: file } };
}

/** `said`: why there are none at all, if the response says it. */
export const noLabelError = (said?: string, correlationId?: string) =>
	new ItemError(
		said ?? 'the provider returned none',
		'Use Shipment: Get to check that the shipment is printable and not canceled.',
		{
			...(correlationId ? { correlationId } : {}),
			...(said ? { serviceMessage: said } : {}),
		},
		true,
	);

/** With the carrier's number, or the ID, the files of one day have different names. */
export function shipmentFileName({ carrierCode, packageNumberCarrier, id }: IDataObject): string {
	return fileNameOf(['label', carrierCode, packageNumberCarrier || id], 'pdf');
}
