import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The text of a PDF as a program of Debian's finds it, which knows nothing of this project. */
export function textOfPdf(file: string): string {
	try {
		return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
		throw new Error(
			'These tests read labels with pdftotext, and it is not there. On Debian: apt-get install poppler-utils. Elsewhere, install Poppler',
		);
	}
}

/** The files in a folder by their names, as text. */
export function textsOfPdfs(folder: string): Record<string, string> {
	const names = readdirSync(folder).sort();
	return Object.fromEntries(names.map((name) => [name, textOfPdf(path.join(folder, name))]));
}
