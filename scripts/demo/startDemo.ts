// Starts the sandbox and n8n, and imports the credential and the examples, in the order in which they
// depend on each other.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';

import { type DialectName, startSandbox } from '../../sandbox';
import { assertNotRunning, type DemoState, folder, readState, saveState } from './demoState';
import { copySampleFiles, ensureCredential, importExamples, readExamples } from './examples';
import { createOwner, freePort, type N8n, startN8n } from './n8n';
import { installPackage } from './package';
import { signIn } from './rest';

/** Runs in reverse order when the demo stops. */
export type CleanupSteps = Array<() => Promise<void> | void>;

/** Prints labels with nothing to fill in first. */
const FIRST_EXAMPLE = 'nightlyBatches';

export async function startDemo(
	{ reset, dialect }: { reset: boolean; dialect: DialectName },
	cleanup: CleanupSteps,
	signal: AbortSignal,
): Promise<N8n> {
	const startedMs = Date.now();
	const state = openState(reset, cleanup);
	const owner = (state.owner ??= createOwner(
		'demo@example.com',
		`parcel-${randomBytes(4).toString('hex')}`,
	));

	console.log('Building and installing the package');
	await installPackage(folder);
	signal.throwIfAborted();
	state.sandboxPort = await freePort(state.sandboxPort ?? 3040);
	const sandbox = await startSandbox({ port: state.sandboxPort, dialect });
	cleanup.push(() => sandbox.close());
	const isFirst = state.imported.length === 0 && !state.credential;
	console.log(`Starting n8n (${isFirst ? '15 to 60 seconds the first time' : '5 to 20 seconds'})`);
	// The sandbox writes its dates in this timezone.
	const env = { GENERIC_TIMEZONE: 'Europe/Prague' };
	const { n8nPort = 5678 } = state;
	const n8n = await startN8n({ folder, owner, port: n8nPort, signal, env });
	cleanup.push(() => n8n.stop());
	const { url, files } = n8n;
	state.n8nPort = n8n.port;

	const rest = await signIn(url, owner);
	if (sandbox.url !== state.credential?.baseUrl) {
		await ensureCredential(rest, state, sandbox.url);
		saveState(state);
	}
	copySampleFiles(files);
	await importExamples(rest, state);
	saveState(state);

	const { status, message } = await rest.testCredential(state.credential?.id ?? '');
	const first = readExamples().find(({ id }) => id === FIRST_EXAMPLE);
	const accepted =
		status === 'OK'
			? 'The provider accepted the credential.'
			: `The credential does not work: ${message}. Fix it in n8n under Credentials.`;
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
Ctrl+C stops everything. The next start keeps your workflows.
`);
	return n8n;
}

function openState(reset: boolean, cleanup: CleanupSteps): DemoState {
	assertNotRunning();
	if (reset) rmSync(folder, { recursive: true, force: true });
	const state = readState();
	state.runningPid = process.pid;
	saveState(state);
	cleanup.push(() => {
		delete state.runningPid;
		saveState(state);
	});
	return state;
}
