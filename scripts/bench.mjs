// `npm run bench`: installs what is missing, builds, measures.
import { installHost, installIfNeeded, run } from './install.mjs';

try {
	await installIfNeeded();
	// n8n's own HTTP Request node comes with n8n itself.
	await installHost();
	await run('gulp', ['build', '--silent']);
	await run('tsx', ['bench/main.ts', ...process.argv.slice(2)]);
} catch (error) {
	console.error(error.message);
	process.exit(1);
}
