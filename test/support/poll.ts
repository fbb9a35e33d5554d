import { loadPackage, StoredCredential } from './host';

import type { INodeType } from 'n8n-workflow';
import path from 'node:path';

import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import { type HostMode, PollHost } from './pollHost';

export type { HostMode, PollHost } from './pollHost';

let loading: ReturnType<typeof loadPackage> | undefined;

export async function startPollHost(mode: HostMode, credentialData: ParcelShippingCredential) {
	loading ??= loadPackage();
	const { credentialType } = await loading;
	return new PollHost(mode, new StoredCredential(credentialData, credentialType), loadTrigger);
}

/** Loads the built node without any state in memory, like a new process. */
function loadTrigger(): INodeType {
	for (const module of ['n8n-workflow', 'luxon']) {
		// Load these only once, because they are slow to load.
		const loaded = jest.requireActual<object>(module);
		jest.doMock(module, () => loaded);
	}
	const file = path.resolve(
		__dirname,
		'../../dist/nodes/ParcelShipping/ParcelShippingTrigger.node',
	);
	let built = {} as { ParcelShippingTrigger: new () => INodeType };
	jest.isolateModules(() => (built = jest.requireActual(file)));
	return new built.ParcelShippingTrigger();
}
