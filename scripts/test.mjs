// `npm test`: installs what is missing, then runs every check that needs only npm packages.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { installIfNeeded, run } from './install.mjs';

await installIfNeeded();

const scratch = mkdtempSync(path.join(tmpdir(), 'parcel-shipping-'));
const report = path.join(scratch, 'jest.json');
const requests = { SANDBOX_REQUESTS: path.join(scratch, 'requests.jsonl') };
/** Each check runs after those before it; those in one list run at the same time. */
const steps = [
	[['Build', 'gulp', ['build', '--silent']]],
	[
		['Types', 'tsc', ['-p', '.']],
		['Lint', 'npm', ['run', 'lint', '--silent']],
		['Import rules', 'depcruise', ['nodes', 'credentials', 'sandbox', '--output-type', 'err']],
		['Generated files', 'tsx', ['scripts/generate.ts', '--check']],
		['Examples', 'tsx', ['scripts/checkExamples.ts']],
		['Format', 'prettier', ['--check', '--log-level', 'warn', '.']],
	],
	[['Simulation', 'tsx', ['test/simulation/main.ts', '--ordinary']]],
	[['Tests', 'jest', ['--selectProjects', 'main', '--json', '--outputFile', report], requests]],
	[['Recorded requests', 'jest', ['--selectProjects', 'recorded'], requests]],
];

async function check([name, command, args, env]) {
	console.log(`\n== ${name}`);
	const started = Date.now();
	await run(command, args, { env });
	console.log(`${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

for (const together of steps) {
	const outcomes = await Promise.allSettled(together.map(check));
	for (const [index, { status, reason }] of outcomes.entries()) {
		if (status === 'rejected') console.error(`\n${together[index][0]} failed: ${reason.message}`);
	}
	if (outcomes.some(({ status }) => status === 'rejected')) process.exit(1);
}

const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
console.log(`\n${numPassedTests} passed, ${numFailedTests} failed`);
if (numPassedTests === 0) process.exit(1);
