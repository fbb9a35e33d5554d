// The real n8n as a process: started in a folder of its own, on this machine only, and ended with
// everything it started.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from './ports';

const host = path.resolve(__dirname, '../../host');

/** For packages of the n8n that runs here, in the versions that it uses itself. */
export const requireFromN8n = createRequire(path.join(host, 'node_modules/n8n/package.json'));

export interface Owner {
	email: string;
	password: string;
	/** Kept, because another hash of the same password would sign everybody out. */
	passwordHash: string;
}

export interface N8nSettings {
	/** n8n's user folder; everything that it writes goes below. */
	folder: string;
	owner: Owner;
	/** In queue mode, a process that only executes workflows; `start`, the default, is everything else. */
	command?: 'start' | 'worker';
	/** The wanted port; a taken one makes it the next free one. */
	port?: number;
	/** Further variables of the environment. */
	env?: Record<string, string>;
	/** Gives up starting. */
	signal?: AbortSignal;
}

export interface N8n {
	url: string;
	port: number;
	pid: number;
	logFile: string;
	/** Where workflows may read and write files; relative paths begin here. */
	files: string;
	/** Settles when the process is gone. */
	ended: Promise<'stopped' | 'died'>;
	stop(): Promise<void>;
	/** As if the machine were gone: nothing is finished, nobody is told. */
	kill(): Promise<void>;
}

const STARTS_WITHIN_MS = 180_000;
const STOPS_WITHIN_MS = 15_000;

export function createOwner(email: string, password: string): Owner {
	const { hashSync } = requireFromN8n('bcryptjs') as { hashSync(text: string): string };
	return { email, password, passwordHash: hashSync(password) };
}

export async function startN8n(settings: N8nSettings): Promise<N8n> {
	for (let triesLeft = 3; ; triesLeft--) {
		try {
			return await startOnce(settings);
		} catch (error) {
			// Free when it was looked for, taken by somebody else a few seconds later.
			const isPortLost = /port \d+ is already in use/.test((error as Error).message);
			if (!isPortLost || triesLeft === 1) throw error;
		}
	}
}

async function startOnce(settings: N8nSettings): Promise<N8n> {
	const { folder, command = 'start' } = settings;
	const files = path.join(folder, 'files');
	mkdirSync(files, { recursive: true });
	const port = await freePort(settings.port ?? 5678);
	const url = `http://127.0.0.1:${port}`;
	const logFile = path.join(folder, command === 'worker' ? `worker-${port}.log` : 'n8n.log');

	const log = openSync(logFile, 'w');
	const child = spawn(
		process.execPath,
		['--import', path.join(__dirname, 'leash.mjs'), requireFromN8n.resolve('n8n/bin/n8n'), command],
		{
			cwd: files,
			// A group of its own: Ctrl+C reaches the one who stops it in order, and what it started
			// can be ended together with it.
			detached: process.platform !== 'win32',
			// A file, not a pipe: into a broken pipe, n8n would write for ever instead of ending.
			stdio: ['ignore', log, log, 'ipc'],
			env: { ...(await environment(settings, { port, files })), ...settings.env },
		},
	);
	closeSync(log);
	let isStopping = false;
	const ended = new Promise<'stopped' | 'died'>((resolve, reject) => {
		child.once('exit', () => resolve(isStopping ? 'stopped' : 'died')).once('error', reject);
	});
	const stop = async () => {
		isStopping = true;
		await end(child, ended);
	};
	const kill = async () => {
		isStopping = true;
		endGroup(child);
		await ended;
	};
	const pid = child.pid ?? 0;
	const n8n: N8n = { url, port, pid, logFile, files, ended, stop, kill };
	await untilReady(n8n, command === 'worker' ? isWorkerReady : isReady, settings.signal);
	return n8n;
}

/** What n8n gets to know of this machine: nothing of another n8n that is set up here. */
async function environment(
	{ folder, owner }: N8nSettings,
	{ port, files }: { port: number; files: string },
): Promise<NodeJS.ProcessEnv> {
	const foreign =
		/^(N8N|DB|EXECUTIONS|QUEUE|GENERIC|WEBHOOK|CREDENTIALS|EXTERNAL|NODES|CODE|OFFLOAD|JEST)_|^(NODE_ENV|NODE_OPTIONS|NODE_PATH|E2E_TESTS)$/;
	const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
	return {
		...Object.fromEntries(own),
		NO_PROXY: ['127.0.0.1', 'localhost', process.env.NO_PROXY].filter(Boolean).join(),
		N8N_USER_FOLDER: folder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}`,
		N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await freePort(port + 1)),
		N8N_SECURE_COOKIE: 'false',
		DB_TYPE: 'sqlite',
		N8N_RESTRICT_FILE_ACCESS_TO: files,
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
		N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
		N8N_INSTANCE_OWNER_EMAIL: owner.email,
		N8N_INSTANCE_OWNER_PASSWORD_HASH: owner.passwordHash,
		N8N_INSTANCE_OWNER_FIRST_NAME: 'Demo',
		N8N_INSTANCE_OWNER_LAST_NAME: 'Owner',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		// A catalogue that n8n would fetch from its maker.
		N8N_DISABLED_MODULES: 'mcp-registry',
	};
}

async function untilReady(
	n8n: N8n,
	isUp: (url: string) => Promise<boolean>,
	signal: AbortSignal | undefined,
): Promise<void> {
	let isGone = false;
	void n8n.ended.finally(() => (isGone = true)).catch(() => undefined);
	const deadlineMs = Date.now() + STARTS_WITHIN_MS;
	// The one who answers may be another n8n that took the port.
	while (!(await isUp(n8n.url)) || isGone) {
		if (!isGone && !signal?.aborted && Date.now() < deadlineMs) {
			await sleep(100);
			continue;
		}
		await n8n.stop();
		signal?.throwIfAborted();
		const what = isGone
			? 'ended while it started'
			: `was not up after ${STARTS_WITHIN_MS / 1000} s`;
		throw new Error(`n8n ${what}. The end of ${n8n.logFile}:\n${lastLines(n8n.logFile)}`);
	}
}

/** Until everything is up, n8n answers with a page that says so. */
async function isReady(url: string): Promise<boolean> {
	const answer = await fetch(`${url}/rest/settings`).catch(() => undefined);
	if (!answer?.ok) return false;
	return (answer.headers.get('content-type') ?? '').includes('json');
}

async function isWorkerReady(url: string): Promise<boolean> {
	const answer = await fetch(`${url}/healthz/readiness`).catch(() => undefined);
	return answer?.ok ?? false;
}

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
	const isRunning = () => child.exitCode === null && child.signalCode === null;
	if (isRunning()) child.kill('SIGTERM');
	await Promise.race([ended, sleep(STOPS_WITHIN_MS, undefined, { ref: false })]);
	endGroup(child);
	if (isRunning()) child.kill('SIGKILL');
	await ended.catch(() => undefined);
}

/** n8n's task runner outlives an n8n that was ended the hard way. */
function endGroup({ pid }: ChildProcess): void {
	if (pid === undefined || process.platform === 'win32') return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

function lastLines(file: string): string {
	return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
}
