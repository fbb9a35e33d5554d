// `npm start` and `npm run dev`: from a fresh clone to a running n8n. Installs what is missing; the
// rest is scripts/demo, which needs what was installed. `-- --help` tells the options.
import { installHost, installIfNeeded, run } from './install.mjs';

// The shell between npm and this process passes no signal on when npm is ended: it only goes away.
if (process.env.npm_lifecycle_event) {
	const shell = process.ppid;
	setInterval(() => {
		if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM');
	}, 500).unref();
}

const leash = ['--import', './scripts/demo/leash.mjs'];
const demo = ['--import', 'tsx', 'scripts/demo/main.ts', ...process.argv.slice(2)];

try {
	await installIfNeeded();
	await installHost();
} catch (error) {
	console.error(`\nInstalling did not work: ${error.message}`);
	process.exit(1);
}
await run('node', [...leash, ...demo], { leash: true }).catch(() => {
	// It has said itself what happened.
	process.exitCode = 1;
});
