// `npm run bench`: installs what is missing, builds, and runs the benchmark.
import { installHost, installIfNeeded, run } from './install.mjs';

try {
	await installIfNeeded();
	// n8n's HTTP Request node is part of n8n.
	await installHost();
	await run('gulp', ['build', '--silent']);
	await run('tsx', ['bench/main.ts', ...process.argv.slice(2)]);
} catch (error) {
	console.error(error.message);
	process.exit(1);
}
