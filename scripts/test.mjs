// `npm test`: installs what is missing, then runs every check that needs only npm packages.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { installIfNeeded, run } from './install.mjs';

await installIfNeeded();

const scratch = mkdtempSync(path.join(tmpdir(), 'parcel-shipping-'));
const report = path.join(scratch, 'jest.json');
const requests = { SANDBOX_REQUESTS: path.join(scratch, 'requests.jsonl') };
const steps = [
	['Build', 'gulp', ['build', '--silent']],
	['Types', 'tsc', ['-p', '.']],
	['Lint', 'n8n-node', ['lint'], { ESLINT_FLAGS: 'unstable_config_lookup_from_file' }],
	['Import rules', 'depcruise', ['nodes', 'credentials', 'sandbox', '--output-type', 'err']],
	['Format', 'prettier', ['--check', '--log-level', 'warn', '.']],
	['Tests', 'jest', ['--selectProjects', 'main', '--json', '--outputFile', report], requests],
	['Recorded requests', 'jest', ['--selectProjects', 'recorded'], requests],
];

for (const [name, command, args, env] of steps) {
	console.log(`\n== ${name}`);
	const started = Date.now();
	try {
		await run(command, args, { env });
	} catch (error) {
		console.error(`\n${name} failed: ${error.message}`);
		process.exit(1);
	}
	console.log(`${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
console.log(`\n${numPassedTests} passed, ${numFailedTests} failed`);
if (numPassedTests === 0) process.exit(1);
