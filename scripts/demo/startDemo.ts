// Starts the sandbox and n8n, and imports the credential and the examples, in the order in which they
// depend on each other.
import { randomBytes } from 'node:crypto';

import { startSandbox } from '../../sandbox';
import { sandboxAccount } from './account';
import {
	assertNotRunning,
	deleteDemoData,
	type DemoState,
	readState,
	saveState,
} from './demoState';
import { CREDENTIAL, prepareExternalN8n } from './externalN8n';
import { copySampleFiles, ensureCredential, importExamples } from './examples';
import { createOwner, type N8n, type Owner, startN8n } from './n8n';
import type { Options } from './options';
import { installPackage } from './package';
import { freePort } from './ports';
import { readyMessage } from './readyMessage';
import { signIn } from './rest';
import { onSourceChange } from './watchSources';

/** Runs in reverse order when the demo stops. */
export type CleanupSteps = Array<() => Promise<void> | void>;

export interface RunningDemo {
	/** Settles if n8n ends without being stopped. */
	crashed: Promise<Error>;
}

export async function startDemo(
	options: Options,
	cleanup: CleanupSteps,
	signal: AbortSignal,
): Promise<RunningDemo> {
	const startedMs = Date.now();
	const { folder, isDev } = options;
	const state = openState(options, cleanup);
	const { externalN8n } = options;
	if (externalN8n) {
		const { url: address, home } = await startDemoSandbox(state, options, cleanup);
		await prepareExternalN8n({ ...options, externalN8n }, state, { url: address, home });
		return { crashed: new Promise(() => {}) };
	}
	const owner = (state.owner ??= newOwner());

	console.log('Building and installing the package, if it has changed');
	await installPackage(folder);
	signal.throwIfAborted();
	const sandbox = await startDemoSandbox(state, options, cleanup);
	const isFirst = state.imported.length === 0 && !state.credential;
	console.log(`Starting n8n (${isFirst ? '15 to 60 seconds the first time' : '5 to 20 seconds'})`);
	const host = await startReloadableN8n(options, state, owner, cleanup, signal);

	const rest = await signIn(host.n8n.url, owner);
	if (sandbox.url !== state.credential?.baseUrl) {
		await ensureCredential(rest, state, CREDENTIAL, sandboxAccount(sandbox.url));
		saveState(folder, state);
	}
	copySampleFiles(host.n8n.files);
	await importExamples(rest, state, CREDENTIAL, { publish: true });
	state.running = { pid: process.pid, url: host.n8n.url };
	saveState(folder, state);
	if (isDev) cleanup.push(onSourceChange(host.reload));

	const credentialTest = await rest.testCredential(state.credential?.id ?? '');
	const message = readyMessage({
		n8nUrl: host.n8n.url,
		owner,
		credentialTest,
		tookMs: Date.now() - startedMs,
		isDev,
		sandboxHome: sandbox.home,
	});
	console.log(`\n${message}\n`);
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

function newOwner(): Owner {
	return createOwner('demo@example.com', `parcel-${randomBytes(4).toString('hex')}`);
}

async function startDemoSandbox(state: DemoState, { dialect }: Options, cleanup: CleanupSteps) {
	state.sandboxPort = await freePort(state.sandboxPort ?? 3040);
	const sandbox = await startSandbox({ port: state.sandboxPort, dialect });
	cleanup.push(() => sandbox.close());
	return sandbox;
}

/** Starts n8n. `reload` restarts it with the current sources, if they have changed. */
async function startReloadableN8n(
	{ folder }: Options,
	state: DemoState,
	owner: Owner,
	cleanup: CleanupSteps,
	signal: AbortSignal,
) {
	let reportCrash: (error: Error) => void;
	const crashed = new Promise<Error>((resolve) => (reportCrash = resolve));
	const start = async (): Promise<N8n> => {
		// The sandbox writes its dates in this timezone.
		const env = { GENERIC_TIMEZONE: 'Europe/Prague' };
		const port = state.n8nPort ?? 5678;
		const started = await startN8n({ folder, owner, port, signal, env });
		state.n8nPort = started.port;
		void started.ended.then((how) => {
			if (how === 'crashed') {
				reportCrash(new Error(`n8n stopped unexpectedly. See ${started.logFile}`));
			}
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
