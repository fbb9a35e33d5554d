// The suites and programs that `npm test` leaves out: what each of them needs, and how it runs.
import { compiler } from './debian.mjs';

/** One test file at a time. A failed test may leave a server open, so jest exits regardless. */
const inSequence = ['--runInBand', '--forceExit'];
const forBrowserTests = { debian: [...compiler, 'chromium', 'openssl'], host: true };
const option = (value) => ({ type: 'string', default: value });

/**
 * `jest` has its arguments, and `command` is a program that runs instead. `debian` has packages to install, `host` means that
 * it needs the real n8n, and `versions` that it runs once in each tested version. Of the `options`, `--kills` becomes the
 * environment variable KILL_KILLS. Without them, the program gets the command line.
 */
export const suites = {
	// Two files at a time share one n8n: each waits for the browser most of the time.
	e2e: { ...forBrowserTests, jest: ['--selectProjects', 'e2e', '--maxWorkers=2', '--forceExit'] },
	screenshots: {
		...forBrowserTests,
		debian: [...forBrowserTests.debian, 'pngquant'],
		// Paths come first: --selectProjects takes everything up to the next option as project names.
		jest: ['test/e2e/(browser|userActions|start)', '--selectProjects', 'e2e', ...inSequence],
		env: { SCREENSHOTS: 'docs' },
	},
	queue: {
		debian: [...compiler, 'redis-server', 'postgresql'],
		host: true,
		jest: ['--selectProjects', 'queue', '--bail', ...inSequence],
	},
	kills: {
		host: true,
		jest: ['--selectProjects', 'kills', ...inSequence],
		options: { kills: option('40'), seed: option(String(Date.now() % 2 ** 31)), mode: option('') },
	},
	versions: {
		debian: [...compiler, 'openssl'],
		versions: true,
		jest: ['--selectProjects', 'versions', 'kills', ...inSequence],
		options: { kills: option('4'), n8n: option('') },
	},
	simulate: { build: true, command: ['tsx', 'test/simulation/main.ts'] },
	// n8n's HTTP Request node is part of n8n.
	benchmark: { host: true, build: true, command: ['tsx', 'bench/main.ts'] },
};
