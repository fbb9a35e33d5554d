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

/** The command of the README, with the package of this folder in the place of the published one. */
function commandFor(tarball: string): string {
	const readme = readFileSync(path.resolve(__dirname, '../../README.md'), 'utf8');
	const [, command = ''] = new RegExp(`\`(npm install [^\`]*${PACKAGE})\``).exec(readme) ?? [];
	return command.replace(PACKAGE, tarball);
}

test('Installed by hand as the README says, n8n has the nodes after a restart', async () => {
	const nodes = path.join(folder, '.n8n/nodes');
	mkdirSync(nodes, { recursive: true });
	const tarball = await pack();
	execFileSync('sh', ['-c', commandFor(tarball)], { cwd: nodes, stdio: 'pipe' });
	rmSync(path.dirname(tarball), { recursive: true });

	const owner = createOwner('hand@example.com', 'parcel-hand-1');
	n8n = await startN8n({ folder, owner, port: 5720 });
	const { headers } = await signIn(n8n.url, owner);
	const answer = await fetch(`${n8n.url}/types/nodes.json`, { headers });
	const names = ((await answer.json()) as Array<{ name: string }>).map(({ name }) => name);
	expect(names.filter((name) => name.startsWith(`${PACKAGE}.`)).sort()).toEqual([
		`${PACKAGE}.parcelShipping`,
		`${PACKAGE}.parcelShippingTool`,
		`${PACKAGE}.parcelShippingTrigger`,
	]);
});
