import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface PdfPage {
	/** In points, 72 to the inch. */
	width: number;
	height: number;
	lines: string[];
	/** The barcodes that a reader finds in a bitmap of the page, row by row. */
	barcodes: string[];
}

export function readLabelsPdf(pdf: Buffer): PdfPage[] {
	const script = join(__dirname, 'pdfReader.mjs');
	return JSON.parse(execFileSync(process.execPath, [script], { input: pdf, encoding: 'utf8' }));
}
