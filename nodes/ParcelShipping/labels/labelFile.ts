import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../transport/client';
import type { FileFormat } from '../transport/download';
import { isServiceError, ItemError } from '../transport/errors';

const MIME_TYPES: Readonly<Record<FileFormat, string>> = {
	pdf: 'application/pdf',
	zpl: 'application/zpl',
};

/** Label files usually are a few kilobytes, but a day's labels can be more than the memory holds. */
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
				`n8n could not keep the label file: ${(thrown as Error).message}`,
				'Check the binary data storage of n8n and its free space.',
			);
		});
}

/**
 * `labels-ANT-2026-11-20-3-0a1b2c3d.pdf`: carrier, day, number of labels and the beginning of the
 * print hash, without which two files of one day would overwrite each other in a folder.
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
