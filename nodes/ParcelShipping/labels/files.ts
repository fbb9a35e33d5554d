import type { IDataObject } from 'n8n-workflow';

import { fileNameOf, saveFile, today } from '../files';
import { listTexts } from '../lists';
import { DAY_MS } from '../records';
import { HASH_VALIDITY_DAYS, type LabelGroup } from '../transport/endpoints';
import type { FileFormat } from '../transport/download';
import { describeError, ItemError } from '../transport/errors';
import { messageBeside } from '../transport/response';
import type { ItemOutput, NodeRun } from '../run';
import type { Client } from '../transport/client';

export interface LabelSettings {
	format: FileFormat;
	/** Undefined: the carrier decides. */
	onePerPage?: boolean;
	/** How many labels are left free on the first sheet. */
	skip?: number;
	/** The binary field for the file. Undefined: the file is not downloaded. */
	binaryPropertyName?: string;
}

/** Creates the labels of these shipments. The response has one group per carrier. */
export async function requestLabels(
	client: Client,
	shipmentIds: number[],
	{ format, onePerPage, skip }: LabelSettings,
): Promise<LabelGroup[]> {
	const response = await client.call('printLabels', {
		query: { type: format },
		body: {
			packages: shipmentIds,
			...(onePerPage === undefined ? {} : { onePerPage }),
			...(skip ? { skip } : {}),
		},
	});
	const { result: groups } = response;
	if (groups.length === 0) {
		throw noLabelError(shipmentIds, messageBeside(response), response.correlationId);
	}
	return groups;
}

/** The output for a group, with its file if the settings say so. */
export async function saveLabels(
	run: NodeRun,
	group: LabelGroup,
	{ format, binaryPropertyName }: LabelSettings,
): Promise<ItemOutput> {
	const hashExpiresAt = new Date(Date.now() + HASH_VALIDITY_DAYS * DAY_MS).toISOString();
	const json: IDataObject = { ...group, hashExpiresAt };
	if (binaryPropertyName === undefined) return { json };
	const fileName = labelFileName(group, today(run.context), format);
	const file = await saveFile(run, group.labelsUrl, format, fileName).catch((thrown: unknown) => {
		const { message, description, details } = describeError(thrown);
		throw new ItemError(
			`The labels of ${group.carrierName} were created, but their file was not saved: ${message}`,
			`${description} To print the labels, use Label: Send to Printer with the hash. To get the file, run Label: Create Label Files again.`,
			{ ...details, ...json },
			true,
		);
	});
	return { json, binary: { [binaryPropertyName]: file } };
}

/** `said`: why there are none at all, if the response says it. */
export function noLabelError(
	shipmentIds: readonly number[],
	said?: string,
	correlationId?: string,
): ItemError {
	const noun = shipmentIds.length === 1 ? 'shipment' : 'shipments';
	return new ItemError(
		said
			? `The service created no label: ${said}`
			: `The service created no label for ${noun} ${listTexts(shipmentIds.map(String))}`,
		'Use Shipment: Get to check that the shipments are printable and not canceled.',
		{
			...(correlationId ? { correlationId } : {}),
			...(said ? { serviceMessage: said } : { shipmentIds: [...shipmentIds] }),
		},
		true,
	);
}

/**
 * `labels-ANT-2026-11-20-3-0a1b2c3d.pdf`: carrier, day, number of labels and the start of the print
 * hash. Without the hash, two files of the same day would overwrite each other in a folder.
 */
export function labelFileName(
	labels: { carrierCode: string; labelsCount?: number; hash?: string | null },
	day: string | null,
	format: FileFormat,
): string {
	const { carrierCode, labelsCount, hash } = labels;
	return fileNameOf(['labels', carrierCode, day, labelsCount, hash?.slice(0, 8)], format);
}

/** With the carrier's number, or the ID, the files of one day have different names. */
export function shipmentFileName({ carrierCode, packageNumberCarrier, id }: IDataObject): string {
	return fileNameOf(['label', carrierCode, packageNumberCarrier || id], 'pdf');
}
