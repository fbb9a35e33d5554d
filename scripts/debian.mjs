// Debian packages that the queue suite needs, installed when they are missing.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { run } from './install.mjs';

const wanted = {
	'redis-server': () => existsSync('/usr/bin/redis-server'),
	postgresql: () =>
		versions().some((version) =>
			existsSync(path.join('/usr/lib/postgresql', version, 'bin', 'postgres')),
		),
};

export async function installDebianPackages() {
	const missing = Object.keys(wanted).filter((name) => !wanted[name]());
	if (missing.length === 0) return;

	const names = missing.join(' and ');
	if (!existsSync('/usr/bin/apt-get')) {
		throw new Error(
			`It needs ${names}, and installs them by itself on Debian and its like only. Elsewhere, run it in a container of Debian.`,
		);
	}
	if (process.getuid() !== 0) {
		throw new Error(
			`It needs ${names}. Install them once (sudo apt-get install ${missing.join(' ')}), or run it as root.`,
		);
	}
	console.log(`Installing ${names} with apt-get`);
	// Neither has to run as a service: the suite starts its own, elsewhere.
	const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
	await run('apt-get', ['update', '-qq'], { env });
	await run('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...missing], { env });
}

function versions() {
	const folder = '/usr/lib/postgresql';
	return existsSync(folder) ? readdirSync(folder) : [];
}
