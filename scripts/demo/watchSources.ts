// `npm run dev`: watches the sources.
import { watch } from 'node:fs';
import path from 'node:path';

import { sourceFolders } from './package';

const root = path.resolve(__dirname, '../..');
const QUIET_MS = 300;

/** Calls `reload` after each burst of changes, one call at a time. Returns a function that stops it. */
export function onSourceChange(reload: () => Promise<void>): () => void {
	let timer: NodeJS.Timeout | undefined;
	let isReloading = false;
	let isOutdated = false;

	async function reloadUntilCurrent(): Promise<void> {
		if (isReloading) {
			isOutdated = true;
			return;
		}
		isReloading = true;
		do {
			isOutdated = false;
			await reload();
		} while (isOutdated);
		isReloading = false;
	}

	const watchers = sourceFolders.map((folder) =>
		watch(path.join(root, folder), { recursive: true }, () => {
			clearTimeout(timer);
			timer = setTimeout(() => void reloadUntilCurrent(), QUIET_MS);
		}),
	);
	return () => {
		clearTimeout(timer);
		for (const watcher of watchers) watcher.close();
	};
}
