// Debian packages that a suite needs beside npm's, installed when they are missing.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { run } from './install.mjs';

const POSTGRES = '/usr/lib/postgresql';

/** How to see, on any system, that what a package brings is there. */
const isThere = {
	chromium: () => existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium'),
	'g++': () => isInPath('g++'),
	make: () => isInPath('make'),
	'poppler-utils': () => isInPath('pdftotext'),
	postgresql: () => filesIn(POSTGRES).some((version) => isFile(POSTGRES, version, 'bin/postgres')),
	python3: () => isInPath('python3'),
	'redis-server': () => isInPath('redis-server'),
};

/** For n8n's database driver, where no built one can be fetched. */
export const compiler = ['g++', 'make', 'python3'];

export async function installDebianPackages(...wanted) {
	const missing = wanted.filter((name) => !isThere[name]());
	if (missing.length === 0) return;

	const names = missing.join(' ');
	if (!existsSync('/usr/bin/apt-get')) {
		throw new Error(
			`It needs ${names}, and installs them by itself on Debian and its like only. Elsewhere, run it in a container of Debian.`,
		);
	}
	if (process.getuid() !== 0) {
		throw new Error(
			`It needs ${names}. Install them once (sudo apt-get install ${names}), or run it as root.`,
		);
	}
	console.log(`Installing ${names} with apt-get`);
	// None has to run as a service: a suite starts its own, elsewhere.
	const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
	await run('apt-get', ['update', '-qq'], { env });
	await run('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...missing], { env });
}

function isInPath(program) {
	const folders = (process.env.PATH ?? '').split(path.delimiter);
	return folders.some((folder) => isFile(folder, program));
}

function isFile(...parts) {
	return existsSync(path.join(...parts));
}

function filesIn(folder) {
	return existsSync(folder) ? readdirSync(folder) : [];
}
