// Installs the package as users get it: built, packed by npm, and unpacked where n8n expects community nodes.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(__dirname, '../..');
export const PACKAGE = 'n8n-nodes-parcel-shipping';

/** Builds and installs the package in n8n's folder. */
export async function installPackage(userFolder: string): Promise<void> {
	await runQuietly('gulp', ['build', '--silent']);
	const target = path.join(userFolder, '.n8n/nodes/node_modules', PACKAGE);
	const tarball = await pack();
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	await runQuietly('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
	rmSync(path.dirname(tarball), { recursive: true, force: true });
}

/** The tarball that npm would publish. Needs `dist/`. */
export async function pack(folder = mkdtempSync(path.join(tmpdir(), 'parcel-tarball-'))) {
	await runQuietly('npm', ['pack', '--silent', '--pack-destination', folder]);
	const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
	return path.join(folder, tarball as string);
}

/** Shows the program's output only if it fails. */
async function runQuietly(command: string, args: string[]): Promise<void> {
	const options = { cwd: root, shell: process.platform === 'win32' };
	await promisify(execFile)(command, args, options).catch((error: Error & { stdout: string }) => {
		throw new Error(`${error.message}\n${error.stdout}`);
	});
}
