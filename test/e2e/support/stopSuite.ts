import { rmSync } from 'node:fs';

import type { N8n } from '../../../scripts/demo/n8n';
import { theSuite } from './suite';

const shared = globalThis as typeof globalThis & { e2eN8n?: N8n };

export default async function stopSuite(): Promise<void> {
	await shared.e2eN8n?.stop();
	// The log of n8n and its database tell more than a test that failed; E2E_KEEP keeps them.
	if (!process.env.E2E_KEEP) rmSync(theSuite().folder, { recursive: true, force: true });
}
