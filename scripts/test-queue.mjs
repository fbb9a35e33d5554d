// `npm run test:queue`: installs what is missing, then the suite in n8n's queue mode: a main process
// and workers over Redis and PostgreSQL. What stands after `--` goes to jest.
import { compiler, installDebianPackages } from './debian.mjs';
import { installHost, installIfNeeded, run } from './install.mjs';

try {
	await installIfNeeded();
	await installDebianPackages(...compiler, 'redis-server', 'postgresql');
	await installHost();
	await run('jest', ['--config', 'jest.queue.config.js', ...process.argv.slice(2)]);
} catch (error) {
	console.error(`\nThe suite in queue mode did not pass: ${error.message}`);
	process.exit(1);
}
