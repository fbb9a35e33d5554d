// `npm run test:faults -- --runs 10000`: the randomised fault test of creation, as long as you like.
// With `--seed` and `--path` as it prints them, the same scenario again.
import { parseArgs } from 'node:util';

import { run } from './install.mjs';

const { values } = parseArgs({
	options: {
		runs: { type: 'string', default: '1000' },
		seed: { type: 'string' },
		path: { type: 'string' },
	},
});

const env = { FAULT_RUNS: values.runs };
env.FAULT_SEED = values.seed ?? String(Date.now() % 2 ** 31);
if (values.path) env.FAULT_PATH = values.path;

try {
	await run('gulp', ['build', '--silent']);
	await run('jest', ['test/engine/creationFaults.test.ts'], { env });
} catch {
	// What went wrong stands above already.
	process.exitCode = 1;
}
