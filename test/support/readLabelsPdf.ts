import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The lines of each page. */
export function readLabelsPdf(pdf: Buffer): string[][] {
	const script = join(__dirname, 'pdfReader.mjs');
	return JSON.parse(execFileSync(process.execPath, [script], { input: pdf, encoding: 'utf8' }));
}
