// `node scripts/runSuite.mjs <suite>`: installs what the suite needs and is missing, then runs it
// once. suites.mjs lists the suites.
import { parseArgs } from 'node:util';

import { installDebianPackages } from './debian.mjs';
import { installHost, installIfNeeded, run } from './install.mjs';
import { suites } from './suites.mjs';
import { installVersions } from './versions.mjs';

const [name, ...args] = process.argv.slice(2);

/** Runs all versions, so that one command shows which of them fail. */
async function runInEachVersion(list, env) {
	const failed = [];
	for (const [version, folder] of Object.entries(await installVersions(env.KILL_N8N))) {
		console.log(`\n== n8n ${version}`);
		const inVersion = { ...env, N8N_VERSION: version, HOST_FOLDER: folder };
		await run('jest', list, { env: inVersion }).catch(() => failed.push(version));
	}
	if (failed.length > 0) throw new Error(`it failed in n8n ${failed.join(', ')}`);
}

try {
	const suite = suites[name];
	if (!suite) throw new Error(`Unknown suite. Use one of: ${Object.keys(suites).join(', ')}`);
	const env = { ...suite.env };
	const options = suite.options ? parseArgs({ args, options: suite.options }).values : {};
	for (const key in options) env[`KILL_${key.toUpperCase()}`] = options[key];
	await installIfNeeded();
	if (suite.debian) await installDebianPackages(...suite.debian);
	if (suite.host) await installHost();
	if (suite.build) await run('gulp', ['build', '--silent']);
	const [program, ...own] = suite.command ?? ['jest', ...suite.jest];
	const list = [...own, ...(suite.options ? [] : args)];
	if (suite.versions) await runInEachVersion(list, env);
	else await run(program, list, { env });
} catch (error) {
	console.error(`\nThe ${name} suite failed: ${error.message}`);
	process.exit(1);
}
