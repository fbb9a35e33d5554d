import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(__dirname, '../..');

export const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The files below a folder, as paths from the root. A missing folder is an error. */
export const filesIn = (folder: string): string[] =>
	readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
		.filter((file) => !file.includes('node_modules'))
		.sort();
