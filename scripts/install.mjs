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

/** Runs a program with the project's own tools, and its own Node, first in PATH. */
export function run(command, args, { cwd = root, env = {} } = {}) {
	const bin = path.join(root, 'node_modules', '.bin');
	return new Promise((resolve, reject) => {
		spawn(command, args, {
			cwd,
			stdio: 'inherit',
			shell: process.platform === 'win32',
			env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}`, ...env },
		})
			.on('error', reject)
			.on('exit', (code) =>
				code === 0
					? resolve()
					: reject(new Error(`"${command} ${args.join(' ')}" ended with code ${code}`)),
			);
	});
}

/** `npm install` in a folder, unless its lockfile is the one that was installed last. */
export async function installIfNeeded(folder = root, expectation = 'about two minutes') {
	const lock = createHash('sha256')
		.update(readFileSync(path.join(folder, 'package-lock.json')))
		.digest('hex');
	const mark = path.join(folder, 'node_modules', '.installed');
	if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;

	console.log(`Installing packages into ${path.relative(root, folder) || '.'} (${expectation})`);
	const started = Date.now();
	// Not `npm ci`: it refuses a lockfile that names optional packages for other platforms which the
	// registry in use doesn't have.
	await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
	writeFileSync(mark, lock);
	console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s`);
}
