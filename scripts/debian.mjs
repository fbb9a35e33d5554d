// Installs the Debian packages that a suite needs, if they are missing.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { run } from './install.mjs';

const POSTGRES = '/usr/lib/postgresql';

/** Checks on any system whether the programs of a package are present. */
const isInstalled = {
	chromium: () => existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium'),
	'g++': () => isInPath('g++'),
	make: () => isInPath('make'),
	openssl: () => isInPath('openssl'),
	'poppler-utils': () => isInPath('pdftotext'),
	postgresql: () => filesIn(POSTGRES).some((version) => isFile(POSTGRES, version, 'bin/postgres')),
	python3: () => isInPath('python3'),
	'redis-server': () => isInPath('redis-server'),
};

/** Compiles n8n's database driver where no prebuilt one can be downloaded. */
export const compiler = ['g++', 'make', 'python3'];

export async function installDebianPackages(...wanted) {
	const missing = wanted.filter((name) => !isInstalled[name]());
	if (missing.length === 0) return;

	const names = missing.join(' ');
	if (!existsSync('/usr/bin/apt-get')) {
		throw new Error(
			`Missing: ${names}. This script installs them on Debian and Ubuntu only. On other systems, install them yourself or use a Debian container.`,
		);
	}
	if (process.getuid() !== 0) {
		throw new Error(`Missing: ${names}. Install them with: sudo apt-get install ${names}`);
	}
	console.log(`Installing ${names} with apt-get`);
	// Keeps apt-get from starting services: a suite starts its own servers.
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
