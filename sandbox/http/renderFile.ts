import { Readable } from 'node:stream';
import type { LabelFormat } from '../domain/seed';
import { labelOf } from '../labels/label';
import { renderLines, renderPdf, renderZpl } from '../labels/render';
import { type FileContents, fileHeaders } from './labelFiles';
import type { ServiceState } from './state';

export interface RenderedFile {
	content: Buffer | Readable;
	headers: Record<string, string | number>;
}

export async function renderFile(
	file: FileContents,
	{ options, database }: ServiceState,
): Promise<RenderedFile> {
	const { format, layout, skip, lines, shipments } = file;
	const headers = fileHeaders(file);
	if (lines) return { content: await renderLines(lines), headers };
	const { labelFileBytes: bytes } = options;
	if (bytes !== undefined) {
		const content = Readable.from(paddedFile(format, bytes));
		return { content, headers: { ...headers, 'content-length': bytes } };
	}
	const labels = shipments.map((shipment) => labelOf(shipment, database));
	const isPdf = format === 'pdf';
	return { content: isPdf ? await renderPdf(labels, layout, skip) : renderZpl(labels), headers };
}

/** Starts with the signature of its format, for clients that check the first bytes. */
function* paddedFile(format: LabelFormat, bytes: number): Generator<Buffer> {
	const block = Buffer.alloc(64 * 1024, ' ');
	const start = Buffer.from(block);
	start.write(format === 'pdf' ? '%PDF-1.7\n' : '^XA\n');
	for (let sent = 0; sent < bytes; sent += block.length) {
		yield (sent === 0 ? start : block).subarray(0, Math.min(block.length, bytes - sent));
	}
}
