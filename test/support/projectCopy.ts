import { cpSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { root } from './projectFiles';

/** What is not part of the sources. */
const NOT_COPIED = 'node_modules .git dist .host .bench .cache .sandbox coverage'.split(' ');

/**
 * Copies the sources to a new folder. What builds or generates runs there: a build deletes `dist/`, which
 * other tests load at the same time.
 */
export function copyProject(): string {
	const copy = mkdtempSync(path.join(tmpdir(), 'parcel-copy-'));
	const filter = (file: string) => !NOT_COPIED.includes(path.basename(file));
	cpSync(root, copy, { recursive: true, filter });
	symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
	return copy;
}
