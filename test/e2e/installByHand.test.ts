import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createOwner, type N8n, startN8n } from '../../scripts/demo/n8n';
import { PACKAGE, pack } from '../../scripts/demo/package';
import { signIn } from '../../scripts/demo/rest';

jest.setTimeout(240_000);

let folder: string;
let n8n: N8n | undefined;

beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'parcel-by-hand-'));
});

afterAll(async () => {
	await n8n?.stop();
	rmSync(folder, { recursive: true, force: true });
});

/** Returns the install command of the README, with the tarball in place of the published package. */
function commandFor(tarball: string): string {
	const readme = readFileSync(path.resolve(__dirname, '../../README.md'), 'utf8');
	const [, command = ''] = new RegExp(`\`(npm install [^\`]*${PACKAGE})\``).exec(readme) ?? [];
	return command.replace(PACKAGE, tarball);
}

test('After a manual installation as in the README, n8n has the nodes', async () => {
	const nodes = path.join(folder, '.n8n/nodes');
	mkdirSync(nodes, { recursive: true });
	const tarball = await pack();
	execFileSync('sh', ['-c', commandFor(tarball)], { cwd: nodes, stdio: 'pipe' });
	rmSync(path.dirname(tarball), { recursive: true });

	const owner = createOwner('hand@example.com', 'parcel-hand-1');
	n8n = await startN8n({ folder, owner, port: 5720 });
	const { headers } = await signIn(n8n.url, owner);
	const response = await fetch(`${n8n.url}/types/nodes.json`, { headers });
	const names = ((await response.json()) as Array<{ name: string }>).map(({ name }) => name);
	expect(names.filter((name) => name.startsWith(`${PACKAGE}.`)).sort()).toEqual([
		`${PACKAGE}.parcelShipping`,
		`${PACKAGE}.parcelShippingTool`,
		`${PACKAGE}.parcelShippingTrigger`,
	]);
});
