import { DateTime } from 'luxon';
import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { listTexts } from '../lists';
import { DAY_MS } from '../records';
import { HASH_VALIDITY_DAYS, type LabelGroup } from '../transport/contract';
import type { FileFormat } from '../transport/download';
import { describeError, isServiceError, ItemError } from '../transport/errors';
import { messageBeside } from '../transport/serviceMessage';
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

/** The labels of these shipments, one group per carrier. */
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

/** The output for the labels of a carrier, with their file if the settings say so. */
export async function saveLabels(
	run: NodeRun,
	group: LabelGroup,
	{ format, binaryPropertyName }: LabelSettings,
): Promise<ItemOutput> {
	const hashExpiresAt = new Date(Date.now() + HASH_VALIDITY_DAYS * DAY_MS).toISOString();
	const json: IDataObject = { ...group, hashExpiresAt };
	if (binaryPropertyName === undefined) return { json };
	const fileName = labelFileName(group, today(run.context), format);
	const file = await saveLabelFile(run, group.labelsUrl, format, fileName).catch(
		(thrown: unknown) => {
			const { message, description, details } = describeError(thrown);
			throw new ItemError(
				`The labels of ${group.carrierName} were created, but their file was not saved: ${message}`,
				`${description} To print the labels, use Label: Send to Printer with the hash. To get the file, run Label: Create Label Files again.`,
				{ ...details, ...json },
				true,
			);
		},
	);
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

/** Saves the file as a stream, because the labels of a whole day may not fit into memory. */
async function saveLabelFile(
	{ context, client }: NodeRun,
	url: string,
	format: FileFormat,
	fileName: string,
): Promise<IBinaryData> {
	return await client
		.download(url, format, async (stream) =>
			context.helpers.prepareBinaryData(stream, fileName, `application/${format}`),
		)
		.catch((thrown: unknown) => {
			if (isServiceError(thrown)) throw thrown;
			throw new ItemError(
				`n8n could not save the file: ${(thrown as Error).message}`,
				"Check n8n's binary data storage and its free space.",
			);
		});
}

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

/** Attaches the protocol of a hand-over of this day. */
export async function attachProtocol(
	run: NodeRun,
	output: ItemOutput,
	binaryField: string,
	day: string | null,
): Promise<ItemOutput> {
	const { protocolUrl, carrierCode, handOverId, id = handOverId } = output.json;
	if (!protocolUrl) return output;
	const fileName = fileNameOf(['protocol', carrierCode, day, id], 'pdf');
	const fields = { urlField: 'protocolUrl', failedField: 'protocolNotDownloaded' };
	return await attachFile(run, output, { ...fields, binaryField, fileName });
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

/** A name without special characters, from the parts that are not empty. */
export function fileNameOf(parts: unknown[], format: FileFormat): string {
	const name = parts
		.map((part) => String(part ?? '').replace(/[^A-Za-z0-9]+/g, '-'))
		.filter((part) => part !== '')
		.join('-');
	return `${name}.${format}`;
}

/** In the time zone of the workflow, such as `2026-11-20`. Null if there is no such zone: n8n does not check it. */
export function today(context: IExecuteFunctions): string | null {
	return DateTime.now().setZone(context.getTimezone()).toISODate();
}
