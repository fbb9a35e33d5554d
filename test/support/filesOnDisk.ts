import './host';

import { createRequire } from 'node:module';
import { BinaryDataService } from 'n8n-core';

interface Services {
	Container: { get<Service>(service: new (...args: never[]) => Service): Service };
}

/** Saves files to disk, as n8n does outside queue mode, instead of to memory. */
export async function saveFilesOnDisk(): Promise<void> {
	// The copy that n8n-core uses, because there may be several.
	const fromCore = createRequire(require.resolve('n8n-core'));
	const { Container } = fromCore('@n8n/di') as Services;
	await Container.get(BinaryDataService).init();
}
