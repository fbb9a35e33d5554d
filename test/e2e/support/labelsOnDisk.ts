import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Returns the text of a PDF, read by a program that is independent of this project. */
export function textOfPdf(file: string): string {
	try {
		return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
		throw new Error(
			'These tests read labels with pdftotext, which is not installed. On Debian, run: apt-get install poppler-utils. On other systems, install Poppler',
		);
	}
}

/** Returns the text of each PDF in a folder, by file name. */
export function textsOfPdfs(folder: string): Record<string, string> {
	const names = readdirSync(folder).sort();
	return Object.fromEntries(names.map((name) => [name, textOfPdf(path.join(folder, name))]));
}
