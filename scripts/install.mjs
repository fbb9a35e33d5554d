// Installs what is missing, so that one command is enough on a fresh clone. Any recent Node can run
// this. Everything else runs with the Node in node_modules (package `node`).
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(
	import.meta.dirname ?? new URL('.', import.meta.url).pathname,
	'..',
);

/**
 * Runs a program with the project's own tools and Node first in PATH, and passes signals on to it.
 * `withChannel` opens a channel whose end tells the program that this process was killed.
 */
export function run(command, args, { cwd = root, env = {}, withChannel = false } = {}) {
	const bin = path.join(root, 'node_modules', '.bin');
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, {
			cwd,
			stdio: ['inherit', 'inherit', 'inherit', ...(withChannel ? ['ipc'] : [])],
			shell: process.platform === 'win32',
			env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}`, ...env },
		});
		const passOn = (signal) => child.kill(signal);
		const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
		for (const signal of signals) process.on(signal, passOn);
		child.on('error', reject).on('exit', (code, signal) => {
			for (const name of signals) process.off(name, passOn);
			if (code === 0) return resolve();
			const how = signal ? `was stopped by ${signal}` : `exited with code ${code}`;
			reject(new Error(`"${command} ${args.join(' ')}" ${how}`));
		});
	});
}

/**
 * Runs `npm install` in a folder if `definedBy` has changed since the last installation. With `build`,
 * only the packages named there run their install scripts.
 */
export async function installIfNeeded(
	folder = root,
	{ takes = 'one to four minutes', build, definedBy = 'package-lock.json' } = {},
) {
	const definition = path.join(folder, definedBy);
	const currentHash = () => createHash('sha256').update(readFileSync(definition)).digest('hex');
	const hashFile = path.join(folder, 'node_modules', '.installed');
	if (existsSync(hashFile) && readFileSync(hashFile, 'utf8') === currentHash()) return;

	console.log(
		`Installing packages into ${path.relative(root, folder) || 'this folder'} (${takes})`,
	);
	const started = Date.now();
	// Not `npm ci`: it fails if the registry in use lacks an optional package for another platform.
	const quietly = ['--no-audit', '--no-fund', '--loglevel=error'];
	await run('npm', ['install', ...quietly, ...(build ? ['--ignore-scripts'] : [])], {
		cwd: folder,
	});
	const unbuilt = (build ?? []).filter(
		(name) => !existsSync(path.join(folder, 'node_modules', name, 'build')),
	);
	if (unbuilt.length > 0) {
		console.log(`Building ${unbuilt.join(', ')} (one to three minutes)`);
		await run('npm', ['rebuild', ...unbuilt, '--loglevel=error'], { cwd: folder });
	}
	// npm may have added packages for this platform to the lockfile.
	writeFileSync(hashFile, currentHash());
	console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** The real n8n for the demo and the end-to-end tests. */
export async function installHost() {
	await installN8n(path.join(root, 'host'));
}

export async function installN8n(folder, options = {}) {
	await installIfNeeded(folder, {
		...options,
		takes: 'the real n8n, 2.2 GB; three to ten minutes, only once',
		// The other packages that n8n would compile belong to nodes that are not used here, and some of
		// them need compilers and downloads that a machine may not have.
		build: ['sqlite3'],
	});
}
