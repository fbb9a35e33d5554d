// `npm run simulate`: installs what is missing, builds the package, and plays histories. The options are
// those of test/simulation/main.ts.
import { installIfNeeded, run } from './install.mjs';

await installIfNeeded();
try {
	await run('gulp', ['build', '--silent']);
	await run('tsx', ['test/simulation/main.ts', ...process.argv.slice(2)]);
} catch {
	process.exit(1);
}
