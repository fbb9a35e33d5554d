import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../transport/client';
import { HASH_VALIDITY_DAYS, type LabelGroup } from '../transport/contract';
import type { FileFormat } from '../transport/download';
import { describeError, isServiceError, ItemError } from '../transport/errors';
import { messageBeside } from '../transport/serviceMessage';
import { type ItemOutput, type NodeRun, showHints } from '../run';

export const MAX_SHIPMENTS_PER_REQUEST = 1_000;

const DAY_MS = 86_400_000;

export interface LabelSettings {
	format: 'pdf' | 'zpl';
	/** Undefined: the carrier decides. */
	onePerPage?: boolean;
	/** The binary field for the file. Undefined: the file is not downloaded. */
	binaryPropertyName?: string;
}

/** The labels of these shipments, one group per carrier. */
export async function requestLabels(
	run: NodeRun,
	shipmentIds: number[],
	{ format, onePerPage }: LabelSettings,
): Promise<LabelGroup[]> {
	const response = await run.client.call('printLabels', {
		query: { type: format },
		body: { packages: shipmentIds, ...(onePerPage === undefined ? {} : { onePerPage }) },
	});
	const { result: groups } = response;
	if (groups.length === 0) throw noLabelsError(response);
	const labelCount = groups.reduce((sum, { labelsCount }) => sum + labelsCount, 0);
	if (labelCount < shipmentIds.length) {
		showHints(run, [
			`The service created ${labelCount} labels for ${shipmentIds.length} shipments. It does not report which are missing. Use Shipment: Get to check whether a shipment is printable.`,
		]);
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
				`${description} To print the labels, use Label: Send to Printer with the hash, or open labelsUrl.`,
				{ ...details, ...json },
				true,
			);
		},
	);
	return { json, binary: { [binaryPropertyName]: file } };
}

/** The service returned an empty list. `errors` may give the reason. */
export function noLabelsError(response: { correlationId: string }): ItemError {
	const serviceMessage = messageBeside(response);
	return new ItemError(
		`The service created no labels${serviceMessage ? `: ${serviceMessage}` : ' for these shipments'}`,
		'Use Shipment: Get to check that the shipments are printable and not canceled.',
		{ correlationId: response.correlationId, ...(serviceMessage ? { serviceMessage } : {}) },
		true,
	);
}

const MIME_TYPES: Readonly<Record<FileFormat, string>> = {
	pdf: 'application/pdf',
	zpl: 'application/zpl',
};

/** Saves the file as a stream, because the labels of a whole day may not fit into memory. */
export async function saveLabelFile(
	run: { context: IExecuteFunctions; client: Client },
	url: string,
	format: FileFormat,
	fileName: string,
): Promise<IBinaryData> {
	return await run.client
		.download(url, format, async (stream) =>
			run.context.helpers.prepareBinaryData(stream, fileName, MIME_TYPES[format]),
		)
		.catch((thrown: unknown) => {
			if (isServiceError(thrown)) throw thrown;
			throw new ItemError(
				`n8n could not save the label file: ${(thrown as Error).message}`,
				"Check n8n's binary data storage and its free space.",
			);
		});
}

/**
 * `labels-ANT-2026-11-20-3-0a1b2c3d.pdf`: carrier, day, number of labels and the start of the print
 * hash. Without the hash, two files of the same day would overwrite each other in a folder.
 */
export function labelFileName(
	labels: { carrierCode: string; labelsCount?: number; hash?: string | null },
	day: string,
	format: FileFormat,
): string {
	const { carrierCode, labelsCount, hash } = labels;
	return fileNameOf(['labels', carrierCode, day, labelsCount, hash?.slice(0, 8)], format);
}

/** A name without special characters, from the parts that are not empty. */
export function fileNameOf(parts: unknown[], format: FileFormat): string {
	const name = parts
		.map((part) => String(part ?? '').replace(/[^A-Za-z0-9]+/g, '-'))
		.filter((part) => part !== '')
		.join('-');
	return `${name}.${format}`;
}

/** Today's date in the time zone of the workflow, such as `2026-11-20`. */
export function today(context: IExecuteFunctions): string {
	return new Intl.DateTimeFormat('sv-SE', { timeZone: context.getTimezone() }).format();
}
