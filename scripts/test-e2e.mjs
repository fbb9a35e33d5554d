// `npm run test:e2e`: installs what is missing, then the suite in the real n8n. What stands after
// `--` goes to jest.
import { compiler, installDebianPackages } from './debian.mjs';
import { installHost, installIfNeeded, run } from './install.mjs';

try {
	await installIfNeeded();
	await installDebianPackages(...compiler, 'chromium', 'poppler-utils');
	await installHost();
	await run('jest', ['--config', 'jest.e2e.config.js', ...process.argv.slice(2)]);
} catch (error) {
	console.error(`\nThe end-to-end suite did not pass: ${error.message}`);
	process.exit(1);
}
