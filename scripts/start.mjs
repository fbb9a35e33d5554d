// `npm start` and `npm run dev`: from a fresh clone to a running n8n. Installs what is missing; the
// rest is scripts/demo, which needs what was installed. `-- --help` tells the options.
import { installHost, installIfNeeded, run } from './install.mjs';

try {
	await installIfNeeded();
	await installHost();
} catch (error) {
	console.error(`\nInstalling did not work: ${error.message}`);
	process.exit(1);
}
await run(
	'node',
	[
		'--import',
		'./scripts/demo/leash.mjs',
		'--import',
		'tsx',
		'scripts/demo/main.ts',
		...process.argv.slice(2),
	],
	{ leash: true },
).catch(() => {
	// It has said itself what happened.
	process.exitCode = 1;
});
