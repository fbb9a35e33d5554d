import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { N8n } from '../../../scripts/demo/n8n';
import { installPackage } from '../../../scripts/demo/package';
import { shareSuite } from '../../e2e/support/suite';
import { newOwner, startVersion } from './olderN8n';

const shared = globalThis as typeof globalThis & { e2eN8n?: N8n };

/** Starts the n8n that HOST_FOLDER names for all test files. */
export default async function start(): Promise<void> {
	const folder = mkdtempSync(path.join(tmpdir(), 'parcel-versions-'));
	const owner = newOwner();
	await installPackage(folder);
	const { n8n, rest } = await startVersion(folder, owner, 5760);
	shared.e2eN8n = n8n;
	shareSuite({ url: n8n.url, owner, folder, files: n8n.files, headers: rest.headers });
}
