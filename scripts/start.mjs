// `npm start`: installs what is missing, then runs scripts/demo, which needs the installed packages. `-- --help` lists
// the options.
import { installHost, installIfNeeded, run } from './install.mjs';

// npm runs this process in a shell. When npm is stopped, the shell ends without passing the signal on.
if (process.env.npm_lifecycle_event) {
	const shell = process.ppid;
	setInterval(() => {
		if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM');
	}, 500).unref();
}

const exitWithParent = ['--import', './scripts/demo/exitWithParent.mjs'];
const demo = ['--import', 'tsx', 'scripts/demo/main.ts', ...process.argv.slice(2)];

try {
	await installIfNeeded();
	if (!process.argv.includes('--help')) await installHost();
} catch (error) {
	console.error(`\nInstallation failed: ${error.message}`);
	process.exit(1);
}
await run('node', [...exitWithParent, ...demo], { withChannel: true }).catch(() => {
	// The demo has printed the error.
	process.exitCode = 1;
});
