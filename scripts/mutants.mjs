// `npm run test:mutants -- [file or folder]`: changes the code in many small ways, one at a time, and
// lists the changes that no test notices. `npm run test:mutants -- creation/match --force` repeats
// what has not changed since the last run.
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';

import { installIfNeeded, root, run } from './install.mjs';

/** The code that keeps shipments and events from getting lost or repeated. */
const CORE = [
	'writes/journal',
	'writes/writeOnce',
	'creation/match',
	'tracking/compare',
	'tracking/periods',
	'tracking/state',
	'transport/response',
	'transport/retry',
];

/** Tests must notice at least this share of the changes to each of these files, in percent. */
const MINIMUM = '90';

const [target, ...options] = process.argv.slice(2);

try {
	const targets = target ? [target.replace(/(\.ts|\/)$/, '')] : CORE;
	for (const name of targets) {
		const source = path.join(root, 'nodes/ParcelShipping', name);
		if (!existsSync(source) && !existsSync(`${source}.ts`)) throw new Error(`No ${source}`);
	}
	await installIfNeeded();
	// It takes long, so it leaves the processor to everything else.
	setPriority(15);
	const failed = [];
	for (const name of targets) {
		console.log(`\n== ${name}`);
		const env = { MUTATE: name, ...(CORE.includes(name) ? { MINIMUM } : {}) };
		const stryker = ['run', 'scripts/mutants/stryker.config.mjs', ...options];
		await run('stryker', stryker, { env }).catch(() => failed.push(name));
	}
	if (failed.length > 0) throw new Error(`Not passed: ${failed.join(', ')}`);
} catch (error) {
	console.error(`\n${error.message}`);
	process.exit(1);
}
