// The package as users get it: built, packed by npm, unpacked where n8n installs community nodes.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
export const PACKAGE = 'n8n-nodes-parcel-shipping';

/** What the package is made of. */
export const sourceFolders = ['nodes', 'credentials', 'icons'];
const sourceFiles = ['package.json', 'README.md', 'tsconfig.json', 'gulpfile.js'];

/** Builds and packs, unless n8n's folder has the package of these very sources. */
export async function installPackage(userFolder: string): Promise<'installed' | 'up to date'> {
	const installed = path.join(userFolder, '.n8n/nodes/node_modules', PACKAGE);
	const mark = path.join(userFolder, 'package.sha256');
	const sources = hashOfSources();
	if (existsSync(installed) && existsSync(mark) && readFileSync(mark, 'utf8') === sources) {
		return 'up to date';
	}
	await runQuietly('gulp', ['build', '--silent']);
	await unpackInto(installed, await pack());
	writeFileSync(mark, sources);
	return 'installed';
}

/** The tarball that npm would publish. Needs `dist/`. */
export async function pack(folder = mkdtempSync(path.join(tmpdir(), 'parcel-tarball-'))) {
	await runQuietly('npm', ['pack', '--silent', '--pack-destination', folder]);
	const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
	return path.join(folder, tarball as string);
}

export async function unpackInto(target: string, tarball: string): Promise<void> {
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
		readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => path.join(entry.parentPath, entry.name)),
	);
	const ownFiles = sourceFiles.map((file) => path.join(root, file));
	for (const file of [...inFolders.sort(), ...ownFiles].filter((name) => existsSync(name))) {
		hash.update(file).update(readFileSync(file));
	}
	return hash.digest('hex');
}

/** What the program printed is shown only when it did not work. */
function runQuietly(command: string, args: string[]): Promise<void> {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd: root, shell: process.platform === 'win32' });
		let printed = '';
		child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
		child.stderr.on('data', (text: Buffer) => (printed += text.toString()));
		child.on('error', reject).on('close', (code) => {
			if (code === 0) return resolve();
			reject(new Error(`"${command} ${args.join(' ')}" ended with code ${code}\n${printed}`));
		});
	});
}
