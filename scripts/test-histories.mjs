// `npm run test:histories -- --runs 5000`: the random histories of the trigger, as many as wanted.
// `--seed` and `--path`, as printed with a history that went wrong, play that one again.
import { parseArgs } from 'node:util';

import { installIfNeeded, run } from './install.mjs';

const text = { type: 'string' };
const { values } = parseArgs({ options: { runs: text, seed: text, path: text } });
const env = Object.fromEntries(
	Object.entries(values).map(([name, value]) => [`HISTORY_${name.toUpperCase()}`, value]),
);

try {
	await installIfNeeded();
	await run('gulp', ['build', '--silent']);
	await run('jest', ['test/engine/triggerHistories'], {
		env: { HISTORY_RUNS: '5000', HISTORY_SEED: String(Date.now() % 2 ** 31), ...env },
	});
} catch (error) {
	console.error(`\nThe histories did not pass: ${error.message}`);
	process.exit(1);
}
