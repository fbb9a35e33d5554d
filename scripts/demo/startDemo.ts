// Starts the sandbox and n8n, and imports the credential and the examples, in the order in which they
// depend on each other.
import { randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import path from 'node:path';

import { startSandbox } from '../../sandbox';
import {
	assertNotRunning,
	deleteDemoData,
	type DemoState,
	readState,
	saveState,
} from './demoState';
import { copySampleFiles, ensureCredential, importExamples, readExamples } from './examples';
import { createOwner, freePort, type N8n, startN8n } from './n8n';
import type { Options } from './options';
import { installPackage, sourceFolders } from './package';
import { signIn } from './rest';

/** Runs in reverse order when the demo stops. */
export type CleanupSteps = Array<() => Promise<void> | void>;

/** Prints labels with nothing to fill in first. */
const FIRST_EXAMPLE = 'nightlyBatches';

/** How long the sources must not change before they are built. */
const QUIET_MS = 300;

/** Returns a promise that settles if n8n ends without being stopped. */
export async function startDemo(
	options: Options,
	cleanup: CleanupSteps,
	signal: AbortSignal,
): Promise<{ crashed: Promise<Error> }> {
	const startedMs = Date.now();
	const { folder, isDev, dialect } = options;
	const state = openState(options, cleanup);
	const owner = (state.owner ??= createOwner(
		'demo@example.com',
		`parcel-${randomBytes(4).toString('hex')}`,
	));

	console.log('Building and installing the package, if it has changed');
	await installPackage(folder);
	signal.throwIfAborted();
	state.sandboxPort = await freePort(state.sandboxPort ?? 3040);
	const sandbox = await startSandbox({ port: state.sandboxPort, dialect });
	cleanup.push(() => sandbox.close());
	const isFirst = state.imported.length === 0 && !state.credential;
	console.log(`Starting n8n (${isFirst ? '15 to 60 seconds the first time' : '5 to 20 seconds'})`);
	const host = await startReloadableN8n(folder, state, cleanup, signal);
	const { url, files } = host.n8n;

	const rest = await signIn(url, owner);
	if (sandbox.url !== state.credential?.baseUrl) {
		await ensureCredential(rest, state, sandbox.url);
		saveState(folder, state);
	}
	copySampleFiles(files);
	await importExamples(rest, state);
	state.running = { pid: process.pid, url };
	saveState(folder, state);
	if (isDev) cleanup.push(onSourceChange(host.reload));

	const { status, message } = await rest.testCredential(state.credential?.id ?? '');
	const first = readExamples().find(({ id }) => id === FIRST_EXAMPLE);
	const accepted =
		status === 'OK'
			? 'The provider accepted the credential.'
			: `The credential does not work: ${message}. Fix it in n8n under Credentials.`;
	const watched = 'Each change in nodes/, credentials/ or icons/ rebuilds and restarts n8n.\n';
	console.log(`
Ready after ${Math.round((Date.now() - startedMs) / 1000)} s

  n8n         ${url}
  User        ${owner.email}
  Password    ${owner.password}
  Sandbox     ${sandbox.home}

First   Open ${url}/workflow/${FIRST_EXAMPLE}
        ("${first?.name}"). Sign in and select "Execute workflow".
Then    Open ${sandbox.home} to see the new shipments, labels and print jobs.

${accepted}
${isDev ? watched : ''}Ctrl+C stops everything. The next start keeps your workflows.
`);
	return { crashed: host.crashed };
}

function openState({ folder, reset }: Options, cleanup: CleanupSteps): DemoState {
	assertNotRunning(folder);
	if (reset) deleteDemoData(folder);
	const state = readState(folder);
	state.running = { pid: process.pid };
	saveState(folder, state);
	cleanup.push(() => {
		delete state.running;
		saveState(folder, state);
	});
	return state;
}

/** Starts n8n. `reload` restarts it with the current sources, if they have changed. */
async function startReloadableN8n(
	folder: string,
	state: DemoState,
	cleanup: CleanupSteps,
	signal: AbortSignal,
) {
	let reportCrash: (error: Error) => void;
	const crashed = new Promise<Error>((resolve) => (reportCrash = resolve));
	const start = async (): Promise<N8n> => {
		// The sandbox writes its dates in this timezone.
		const env = { GENERIC_TIMEZONE: 'Europe/Prague' };
		const { owner, n8nPort: port = 5678 } = state;
		if (!owner) throw new Error('n8n needs an owner');
		const started = await startN8n({ folder, owner, port, signal, env });
		state.n8nPort = started.port;
		void started.ended.then((how) => {
			if (how === 'crashed')
				reportCrash(new Error(`n8n stopped unexpectedly. See ${started.logFile}`));
		});
		return started;
	};
	const host = { n8n: await start(), crashed, reload };
	cleanup.push(() => host.n8n.stop());

	async function reload(): Promise<void> {
		const changedMs = Date.now();
		try {
			if ((await installPackage(folder)) === 'up to date' || signal.aborted) return;
			await host.n8n.stop();
			host.n8n = await start();
			const seconds = ((Date.now() - changedMs) / 1000).toFixed(1);
			console.log(`Reloaded in ${seconds} s. Refresh ${host.n8n.url} to see the change`);
		} catch (error) {
			if (!signal.aborted) console.error(`\nReload failed: ${(error as Error).message}`);
		}
	}
	return host;
}

/** Calls `reload` after each burst of changes, one call at a time. Returns a function that stops it. */
function onSourceChange(reload: () => Promise<void>): () => void {
	let timer: NodeJS.Timeout | undefined;
	let reloading = Promise.resolve();
	const watchers = sourceFolders.map((folder) =>
		watch(path.resolve(__dirname, '../..', folder), { recursive: true }, () => {
			clearTimeout(timer);
			timer = setTimeout(() => (reloading = reloading.then(reload)), QUIET_MS);
		}),
	);
	return () => {
		clearTimeout(timer);
		for (const watcher of watchers) watcher.close();
	};
}
