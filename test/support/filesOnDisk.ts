import './host';

import { createRequire } from 'node:module';
import { BinaryDataService } from 'n8n-core';

interface Services {
	Container: { get<Service>(service: new (...args: never[]) => Service): Service };
}

/** Files go to the disk, as the n8n application has it outside queue mode; else to the memory. */
export async function keepFilesOnDisk(): Promise<void> {
	// The copy of n8n-core, which may be another one than that of its neighbours.
	const fromCore = createRequire(require.resolve('n8n-core'));
	const { Container } = fromCore('@n8n/di') as Services;
	await Container.get(BinaryDataService).init();
}
