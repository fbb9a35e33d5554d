// Installs what is missing, so that one command is enough on a fresh clone. Works with any recent
// Node; the Node that runs everything else comes out of node_modules (package `node`).
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(
	import.meta.dirname ?? new URL('.', import.meta.url).pathname,
	'..',
);

/**
 * Runs a program with the project's own tools, and its own Node, first in PATH. What ends this
 * process ends the program too. With `leash`, a program that listens for its end learns even of a
 * kill that can't be passed on.
 */
export function run(command, args, { cwd = root, env = {}, leash = false } = {}) {
	const bin = path.join(root, 'node_modules', '.bin');
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, {
			cwd,
			stdio: ['inherit', 'inherit', 'inherit', ...(leash ? ['ipc'] : [])],
			shell: process.platform === 'win32',
			env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}`, ...env },
		});
		const passOn = (signal) => child.kill(signal);
		const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
		for (const signal of signals) process.on(signal, passOn);
		child.on('error', reject).on('exit', (code, signal) => {
			for (const name of signals) process.off(name, passOn);
			if (code === 0) return resolve();
			const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
			reject(new Error(`"${command} ${args.join(' ')}" ${how}`));
		});
	});
}

/**
 * `npm install` in a folder, unless its lockfile is the one that was installed last. With `build`,
 * only those packages run their install scripts, after the rest is in place.
 */
export async function installIfNeeded(
	folder = root,
	{ takes = 'one to four minutes', build } = {},
) {
	const lockfile = path.join(folder, 'package-lock.json');
	const hashOfLock = () => createHash('sha256').update(readFileSync(lockfile)).digest('hex');
	const mark = path.join(folder, 'node_modules', '.installed');
	if (existsSync(mark) && readFileSync(mark, 'utf8') === hashOfLock()) return;

	console.log(
		`Installing packages into ${path.relative(root, folder) || 'this folder'} (${takes})`,
	);
	const started = Date.now();
	const progress = showProgress(started);
	try {
		// Not `npm ci`: it refuses a lockfile that names optional packages for other platforms which
		// the registry in use doesn't have.
		const quietly = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
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
	} finally {
		clearInterval(progress);
	}
	// npm may complete a lockfile for this platform.
	writeFileSync(mark, hashOfLock());
	console.log(`Installed in ${duration(started)}`);
}

/** The real n8n that the demo and the end-to-end tests run in. */
export async function installHost() {
	await installIfNeeded(path.join(root, 'host'), {
		takes: 'the real n8n, 2.2 GB: three to ten minutes, this once',
		// Everything else that n8n would compile belongs to nodes that nobody uses here, and some of it
		// asks for compilers and downloads that a machine may not have.
		build: ['sqlite3'],
	});
}

function showProgress(started) {
	const timer = setInterval(
		() => console.log(`  ... still installing, ${duration(started)}`),
		15_000,
	);
	timer.unref();
	return timer;
}

function duration(started) {
	const seconds = Math.round((Date.now() - started) / 1000);
	return seconds < 100 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
