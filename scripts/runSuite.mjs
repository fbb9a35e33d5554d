// `node scripts/runSuite.mjs <suite>`: installs what the suite needs and is missing, then runs its
// tests once. suites.mjs lists the suites.
import { parseArgs } from 'node:util';

import { installDebianPackages } from './debian.mjs';
import { installHost, installIfNeeded, run } from './install.mjs';
import { suites } from './suites.mjs';

const [name, ...args] = process.argv.slice(2);

/** The command line as environment variables. */
function readOptions({ prefix, defaults }) {
	const options = Object.fromEntries(Object.keys(defaults).map((key) => [key, { type: 'string' }]));
	const values = Object.entries({ ...defaults, ...parseArgs({ args, options }).values });
	return Object.fromEntries(
		values
			.filter(([, value]) => value !== undefined)
			.map(([key, value]) => [`${prefix}_${key.toUpperCase()}`, value]),
	);
}

try {
	const suite = suites[name];
	if (!suite) throw new Error(`Unknown suite. Use one of: ${Object.keys(suites).join(', ')}`);
	const variables = suite.options ? readOptions(suite.options) : {};
	await installIfNeeded();
	if (suite.debian) await installDebianPackages(...suite.debian);
	if (suite.host) await installHost();
	if (suite.build) await run('gulp', ['build', '--silent']);
	await run('jest', [...suite.jest, ...(suite.options ? [] : args)], {
		env: { ...suite.env, ...variables },
	});
} catch (error) {
	console.error(`\nThe ${name} suite failed: ${error.message}`);
	process.exit(1);
}
