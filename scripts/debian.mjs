// Installs the Debian packages that a suite needs, if they are missing.
import { existsSync } from 'node:fs';

import { run } from './install.mjs';

/** A file of each package that has no program of its own name. */
const FILES = {
	chromium: process.env.CHROMIUM ?? '/usr/bin/chromium',
	postgresql: '/usr/lib/postgresql',
};

/** Compiles n8n's database driver where no prebuilt one can be downloaded. */
export const compiler = ['g++', 'make', 'python3'];

export async function installDebianPackages(...wanted) {
	const missing = wanted.filter((name) => !existsSync(FILES[name] ?? `/usr/bin/${name}`));
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
