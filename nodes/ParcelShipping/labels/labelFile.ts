import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../transport/client';
import type { FileFormat } from '../transport/download';
import { isServiceError, ItemError } from '../transport/errors';

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
	const name = ['labels', carrierCode, day, labelsCount, hash?.slice(0, 8)]
		.map((part) => String(part ?? '').replace(/[^A-Za-z0-9]+/g, '-'))
		.filter((part) => part !== '')
		.join('-');
	return `${name}.${format}`;
}

/** Today's date in the time zone of the workflow, such as `2026-11-20`. */
export function today(context: IExecuteFunctions): string {
	return new Intl.DateTimeFormat('sv-SE', { timeZone: context.getTimezone() }).format();
}
