import './host';

import { createRequire } from 'node:module';
import { BinaryDataService } from 'n8n-core';

interface Services {
	Container: { get<Service>(service: new (...args: never[]) => Service): Service };
}

/** Stores files on disk, the default of n8n outside queue mode. n8n-core defaults to memory. */
export async function keepFilesOnDisk(): Promise<void> {
	// Resolved from n8n-core, because other packages may use another copy.
	const fromCore = createRequire(require.resolve('n8n-core'));
	const { Container } = fromCore('@n8n/di') as Services;
	await Container.get(BinaryDataService).init();
}
