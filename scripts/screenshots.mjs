// `npm run screenshots`: the browser tests, which take the pictures in docs/images while they are at it.
import { compiler, installDebianPackages } from './debian.mjs';
import { installHost, installIfNeeded, run } from './install.mjs';

try {
	await installIfNeeded();
	await installDebianPackages(...compiler, 'chromium', 'poppler-utils');
	await installHost();
	await run('jest', ['--config', 'jest.e2e.config.js', 'test/e2e/browser'], {
		env: { SCREENSHOTS: 'docs' },
	});
} catch (error) {
	console.error(`\nThe pictures were not taken: ${error.message}`);
	process.exit(1);
}
