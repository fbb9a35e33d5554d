import { rmSync } from 'node:fs';

import type { N8n } from '../../../scripts/demo/n8n';
import { readSuite } from './suite';

const shared = globalThis as typeof globalThis & { e2eN8n?: N8n };

export default async function stopSuite(): Promise<void> {
	await shared.e2eN8n?.stop();
	// E2E_KEEP keeps n8n's log and database.
	if (!process.env.E2E_KEEP) rmSync(readSuite().folder, { recursive: true, force: true });
}
