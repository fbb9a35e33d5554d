// Runs the real n8n as a process with its own folder, reachable from this machine only, and stops it
// with all its child processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where n8n is installed. `npm run test:versions` names the folders of other versions. */
const host = process.env.HOST_FOLDER ?? path.resolve(__dirname, '../../host');

/** Loads packages of this n8n in the versions that it uses. */
export const requireFromN8n = createRequire(path.join(host, 'node_modules/n8n/package.json'));

export interface Owner {
	email: string;
	password: string;
	/** Stored, because a new hash of the same password would sign everyone out. */
	passwordHash: string;
}

export interface N8nSettings {
	/** n8n's user folder. n8n writes only into this folder. */
	folder: string;
	owner: Owner;
	/** `worker` is a process of queue mode that only executes workflows. The default is `start`. */
	command?: 'start' | 'worker';
	/** If the port is in use, the next free one is taken. */
	port?: number;
	/** Additional environment variables. */
	env?: Record<string, string>;
	/** Cancels the start. */
	signal?: AbortSignal;
}

export interface N8n {
	url: string;
	port: number;
	pid: number;
	logFile: string;
	/** Where workflows may read and write files. Relative paths start here. */
	files: string;
	/** Settles when the process has ended. */
	ended: Promise<'stopped' | 'crashed'>;
	stop(): Promise<void>;
	/** Simulates a crash: n8n gets no signal that it could handle. */
	kill(): Promise<void>;
}

const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 15_000;

export function createOwner(email: string, password: string): Owner {
	const { hashSync } = requireFromN8n('bcryptjs') as { hashSync(text: string): string };
	return { email, password, passwordHash: hashSync(password) };
}

export async function startN8n(settings: N8nSettings): Promise<N8n> {
	const { folder, command = 'start' } = settings;
	const files = path.join(folder, 'files');
	mkdirSync(files, { recursive: true });
	const port = await freePort(settings.port ?? 5678);
	const url = `http://127.0.0.1:${port}`;
	const logFile = path.join(folder, command === 'worker' ? `worker-${port}.log` : 'n8n.log');

	const log = openSync(logFile, 'w');
	const exitWithParent = ['--import', path.join(__dirname, 'exitWithParent.mjs')];
	const program = requireFromN8n.resolve('n8n/bin/n8n');
	const child = spawn(process.execPath, [...exitWithParent, program, command], {
		cwd: files,
		// Its own process group: Ctrl+C reaches only this process, which then stops n8n, and n8n's
		// child processes can be killed with it.
		detached: process.platform !== 'win32',
		// A file and not a pipe: n8n does not end while it writes into a broken pipe.
		stdio: ['ignore', log, log, 'ipc'],
		env: { ...(await environment(settings, { port, files })), ...settings.env },
	});
	closeSync(log);
	let isStopping = false;
	const ended = new Promise<'stopped' | 'crashed'>((resolve, reject) => {
		child.once('exit', () => resolve(isStopping ? 'stopped' : 'crashed')).once('error', reject);
	});
	const stop = async () => {
		isStopping = true;
		await stopProcess(child, ended);
	};
	const kill = async () => {
		isStopping = true;
		killGroup(child);
		await ended;
	};
	const pid = child.pid ?? 0;
	const n8n: N8n = { url, port, pid, logFile, files, ended, stop, kill };
	await waitUntilReady(n8n, command === 'worker' ? isWorkerReady : isReady, settings.signal);
	return n8n;
}

/** `wanted`, or the next free port after it. */
export async function freePort(wanted: number): Promise<number> {
	const server = createServer().listen(wanted, '127.0.0.1');
	const isFree = await once(server, 'listening').then(
		() => true,
		() => false,
	);
	if (!isFree) return await freePort(wanted + 1);
	await once(server.close(), 'close');
	return wanted;
}

const SWITCHED_OFF = [
	...['PERSONALIZATION', 'DIAGNOSTICS', 'TEMPLATES', 'VERIFIED_PACKAGES', 'DYNAMIC_BANNERS'],
	...['HIRING_BANNER', 'VERSION_NOTIFICATIONS', 'VERSION_NOTIFICATIONS_WHATS_NEW'],
];

/** This machine's environment without the settings of any other n8n on it. */
async function environment(
	{ folder, owner }: N8nSettings,
	{ port, files }: { port: number; files: string },
): Promise<NodeJS.ProcessEnv> {
	const otherN8n =
		/^(N8N|DB|EXECUTIONS|QUEUE|GENERIC|WEBHOOK|CREDENTIALS|EXTERNAL|NODES|CODE|OFFLOAD|JEST)_|^(NODE_ENV|NODE_OPTIONS|NODE_PATH|E2E_TESTS)$/;
	const inherited = Object.entries(process.env).filter(([name]) => !otherN8n.test(name));
	return {
		...Object.fromEntries(inherited),
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
		...Object.fromEntries(SWITCHED_OFF.map((name) => [`N8N_${name}_ENABLED`, 'false'])),
		// n8n would download a catalog for this module.
		N8N_DISABLED_MODULES: 'mcp-registry',
	};
}

async function waitUntilReady(
	n8n: N8n,
	checkReady: (url: string) => Promise<boolean>,
	signal: AbortSignal | undefined,
): Promise<void> {
	let hasEnded = false;
	void n8n.ended.finally(() => (hasEnded = true)).catch(() => undefined);
	const deadlineMs = Date.now() + START_TIMEOUT_MS;
	// If this n8n has ended, the response comes from another n8n that took the port.
	while (!(await checkReady(n8n.url)) || hasEnded) {
		if (!hasEnded && !signal?.aborted && Date.now() < deadlineMs) {
			await sleep(100);
			continue;
		}
		await n8n.stop();
		signal?.throwIfAborted();
		const problem = hasEnded
			? 'stopped during its start'
			: `did not start within ${START_TIMEOUT_MS / 1000} s`;
		const last = readFileSync(n8n.logFile, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
		throw new Error(`n8n ${problem}. Last lines of ${n8n.logFile}:\n${last}`);
	}
}

/** While n8n starts, it responds with an HTML page to every path, and serves the editor last. */
async function isReady(url: string): Promise<boolean> {
	const read = async (path: string) =>
		await fetch(`${url}${path}`, { headers: { connection: 'close' } }).catch(() => undefined);
	const settings = await read('/rest/settings');
	if (!settings?.ok || !(settings.headers.get('content-type') ?? '').includes('json')) return false;
	return (await read('/'))?.ok ?? false;
}

async function isWorkerReady(url: string): Promise<boolean> {
	const response = await fetch(`${url}/healthz/readiness`).catch(() => undefined);
	return response?.ok ?? false;
}

async function stopProcess(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
	const isRunning = () => child.exitCode === null && child.signalCode === null;
	if (isRunning()) child.kill('SIGTERM');
	await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
	killGroup(child);
	if (isRunning()) child.kill('SIGKILL');
	await ended.catch(() => undefined);
}

/** n8n's task runner survives an n8n that was killed. */
function killGroup({ pid }: ChildProcess): void {
	if (pid === undefined || process.platform === 'win32') return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}
