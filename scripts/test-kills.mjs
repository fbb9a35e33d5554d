// `npm run test:kills -- --kills 40`: the trigger in a real n8n that is killed again and again, in both
// of n8n's poll modes, or in one with `--mode durable`. `--seed`, as printed, brings the same moments
// again, as far as a computer keeps to them.
import { parseArgs } from 'node:util';

import { installHost, installIfNeeded, run } from './install.mjs';

const text = { type: 'string' };
const { values } = parseArgs({ options: { kills: text, seed: text, mode: text } });
const env = Object.fromEntries(
	Object.entries({ kills: '40', seed: String(Date.now() % 2 ** 31), ...values }).map(
		([name, value]) => [`KILL_${name.toUpperCase()}`, value],
	),
);

try {
	await installIfNeeded();
	await installHost();
	await run('jest', ['--config', 'jest.kills.config.js'], { env });
} catch (error) {
	console.error(`\nThe trigger did not stand the kills: ${error.message}`);
	process.exit(1);
}
