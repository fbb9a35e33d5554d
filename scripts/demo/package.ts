// Installs the package as users get it: built, packed by npm, and unpacked where n8n expects community nodes.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(__dirname, '../..');
export const PACKAGE = 'n8n-nodes-parcel-shipping';

/** The folders that the build reads. */
export const sourceFolders = ['nodes', 'credentials', 'icons'];
const sourceFiles = ['package.json', 'README.md', 'tsconfig.json', 'gulpfile.js'];

/** Builds and installs, unless n8n's folder already has the package built from these sources. */
export async function installPackage(userFolder: string): Promise<'installed' | 'up to date'> {
	const installed = path.join(userFolder, '.n8n/nodes/node_modules', PACKAGE);
	const hashFile = path.join(userFolder, 'package.sha256');
	const sources = hashOfSources();
	if (existsSync(installed) && existsSync(hashFile) && readFileSync(hashFile, 'utf8') === sources) {
		return 'up to date';
	}
	await runQuietly('gulp', ['build', '--silent']);
	await unpackInto(installed, await pack());
	writeFileSync(hashFile, sources);
	return 'installed';
}

/** The tarball that npm would publish. Needs `dist/`. */
export async function pack(folder = mkdtempSync(path.join(tmpdir(), 'parcel-tarball-'))) {
	await runQuietly('npm', ['pack', '--silent', '--pack-destination', folder]);
	const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
	return path.join(folder, tarball as string);
}

async function unpackInto(target: string, tarball: string): Promise<void> {
	const fresh = `${target}.new`;
	rmSync(fresh, { recursive: true, force: true });
	await mkdir(fresh, { recursive: true });
	await runQuietly('tar', ['-xzf', tarball, '-C', fresh, '--strip-components=1']);
	rmSync(target, { recursive: true, force: true });
	await rename(fresh, target);
	rmSync(path.dirname(tarball), { recursive: true, force: true });
}

function hashOfSources(): string {
	const hash = createHash('sha256');
	const inFolders = sourceFolders.flatMap((folder) =>
		readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
			path.join(root, folder, file),
		),
	);
	const ownFiles = sourceFiles.map((file) => path.join(root, file));
	for (const file of [...inFolders.sort(), ...ownFiles]) {
		if (statSync(file).isFile()) hash.update(file).update(readFileSync(file));
	}
	return hash.digest('hex');
}

/** Shows the program's output only if it fails. */
async function runQuietly(command: string, args: string[]): Promise<void> {
	const options = { cwd: root, shell: process.platform === 'win32' };
	await promisify(execFile)(command, args, options).catch((error: Error & { stdout: string }) => {
		throw new Error(`${error.message}\n${error.stdout}`);
	});
}
