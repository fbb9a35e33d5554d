// `npm run dev`: every change in the sources is built, packed, installed, and n8n restarted with it.
import { watch } from 'node:fs';
import path from 'node:path';

import { sourceFolders } from './package';

const root = path.resolve(__dirname, '../..');
const SETTLES_AFTER_MS = 300;

/** Calls `reload` after each burst of changes, never twice at a time. Gives the way to stop it. */
export function onSourceChange(reload: () => Promise<void>): () => void {
	let timer: NodeJS.Timeout | undefined;
	let isReloading = false;
	let isOutdated = false;

	async function settle(): Promise<void> {
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
			timer = setTimeout(() => void settle(), SETTLES_AFTER_MS);
		}),
	);
	return () => {
		clearTimeout(timer);
		for (const watcher of watchers) watcher.close();
	};
}
