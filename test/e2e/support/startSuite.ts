import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createOwner, type N8n, startN8n } from '../../../scripts/demo/n8n';
import { installPackage } from '../../../scripts/demo/package';
import { signIn } from '../../../scripts/demo/rest';
import { shareSuite } from './suite';

const shared = globalThis as typeof globalThis & { e2eN8n?: N8n };

export default async function startSuite(): Promise<void> {
	const folder = mkdtempSync(path.join(tmpdir(), 'parcel-e2e-'));
	const owner = createOwner('e2e@example.com', 'parcel-e2e-1');
	await installPackage(folder);
	const n8n = await startN8n({ folder, owner, port: 5690 });
	shared.e2eN8n = n8n;
	const { headers } = await signIn(n8n.url, owner);
	shareSuite({ url: n8n.url, owner, folder, files: n8n.files, headers });
}
