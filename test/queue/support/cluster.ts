// n8n in queue mode: a main process for webhooks and polls, workers that execute workflows, and
// Debian's Redis and PostgreSQL with their own ports and data folders.
import { execFile, execFileSync, spawn } from 'node:child_process';
import {
	chmodSync,
	chownSync,
	cpSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { freePort, type N8n, startN8n } from '../../../scripts/demo/n8n';
import { TestN8n } from '../../e2e/support/n8n';

const MAIN_PORT = 5790;
const NODES = '.n8n/nodes';
const POSTGRES_FOLDER = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. */
const POSTGRES_USER = process.getuid?.() === 0 ? 'postgres' : undefined;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const run = promisify(execFile);

export class Cluster {
	readonly workers: N8n[] = [];
	main!: TestN8n;
	private readonly variables: Record<string, string> = {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: 'the same in every process',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: 'n8n',
		// The processes share no disk.
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		// n8n detects the executions of a dead worker within 30 seconds instead of two minutes, and
		// after a restart within one minute instead of three hours.
		QUEUE_WORKER_LOCK_DURATION: '10000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
		QUEUE_WORKER_STALLED_INTERVAL: '5000',
		N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
		// Helps to explain a failed test.
		N8N_LOG_LEVEL: 'info',
	};
	private readonly servers: Server[] = [];
	private startedWorkers = 0;

	static async start(): Promise<Cluster> {
		const cluster = new Cluster();
		try {
			await cluster.open();
		} catch (error) {
			await cluster.stop();
			throw error;
		}
		return cluster;
	}

	get n8n() {
		return this.main.rest;
	}

	async startWorker(): Promise<N8n> {
		const number = ++this.startedWorkers;
		const folder = path.join(this.main.folder, `worker-${number}`);
		// Each process loads the package from its own user folder.
		cpSync(path.join(this.main.folder, NODES), path.join(folder, NODES), { recursive: true });
		const worker = await startN8n({
			folder,
			owner: this.main.owner,
			port: MAIN_PORT + 10 * number,
			env: this.variables,
			command: 'worker',
		});
		this.workers.push(worker);
		return worker;
	}

	/** Runs a query as n8n's user and returns its rows. */
	async rows<Row>(query: string): Promise<Row[]> {
		const port = this.variables.DB_POSTGRESDB_PORT as string;
		const connection = ['-h', '127.0.0.1', '-p', port, '-U', 'n8n', '-d', 'postgres'];
		const asJson = `SELECT coalesce(json_agg(rows), '[]') FROM (${query}) rows`;
		const { stdout } = await run(`${postgresBin()}/psql`, [...connection, '-qtAc', asJson], {
			maxBuffer: MAX_OUTPUT_BYTES,
		});
		return JSON.parse(stdout) as Row[];
	}

	async stop(): Promise<void> {
		await Promise.all(this.workers.map(async (worker) => worker.stop()));
		await this.main?.running?.stop();
		for (const server of this.servers.reverse()) await server.stop();
		await this.main?.remove();
	}

	private async open(): Promise<void> {
		const [redisPort, postgresPort] = [await freePort(6390), await freePort(5440)];
		this.variables.QUEUE_BULL_REDIS_PORT = String(redisPort);
		this.variables.DB_POSTGRESDB_PORT = String(postgresPort);
		this.main = await TestN8n.install(MAIN_PORT, this.variables);
		const { folder } = this.main;
		// PostgreSQL runs as another user, and its folder is inside this one.
		chmodSync(folder, 0o711);
		await this.startRedis(folder, redisPort);
		await this.startPostgres(folder, postgresPort);
		await this.main.start();
		await Promise.all([this.startWorker(), this.startWorker()]);
	}

	private async startRedis(folder: string, port: number): Promise<void> {
		const data = path.join(folder, 'redis');
		mkdirSync(data);
		const address = ['--port', String(port), '--bind', '127.0.0.1', '--dir', data];
		// No persistence: this suite never restarts Redis.
		const command = ['redis-server', ...address, '--save', '', '--appendonly', 'no'];
		this.servers.push(await startServer({ command, port, data, signal: 'SIGTERM' }));
	}

	private async startPostgres(folder: string, port: number): Promise<void> {
		const data = path.join(folder, 'postgres');
		mkdirSync(data);
		const idOf = (which: string) =>
			Number(execFileSync('id', [which, POSTGRES_USER as string], { encoding: 'utf8' }));
		if (POSTGRES_USER) chownSync(data, idOf('-u'), idOf('-g'));
		const initialize = ['-D', data, '-U', 'n8n', '--auth=trust', '--encoding=UTF8', '--no-sync'];
		execFileSync(
			'setpriv',
			[...asPostgres(), `${postgresBin()}/initdb`, ...initialize, '--locale=C.UTF-8'],
			{ cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] },
		);
		const address = ['-D', data, '-p', String(port), '-k', data, '-h', '127.0.0.1'];
		const command = [...asPostgres(), `${postgresBin()}/postgres`, ...address];
		this.servers.push(await startServer({ command, port, data, signal: 'SIGINT' }));
	}
}

const asPostgres = () =>
	POSTGRES_USER ? ['--reuid', POSTGRES_USER, '--regid', POSTGRES_USER, '--init-groups'] : [];

function postgresBin(): string {
	const versions = readdirSync(POSTGRES_FOLDER).sort((a, b) => Number(b) - Number(a));
	return path.join(POSTGRES_FOLDER, versions[0] as string, 'bin');
}

interface Server {
	stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;

/** Runs an installed server as a child process. setpriv makes the kernel stop it with its parent. */
async function startServer(settings: {
	command: string[];
	port: number;
	data: string;
	/** The signal for an immediate clean shutdown. */
	signal: 'SIGTERM' | 'SIGINT';
}): Promise<Server> {
	const { command, port, data, signal } = settings;
	const logFile = `${data}.log`;
	const log = openSync(logFile, 'a');
	const child = spawn('setpriv', ['--pdeathsig', signal.slice(3), ...command], {
		stdio: ['ignore', log, log],
		cwd: '/',
	});
	let hasEnded = false;
	const ended = new Promise<void>((resolve) => {
		child.once('exit', () => resolve()).once('error', () => resolve());
	}).then(() => void (hasEnded = true));
	const stop = async () => {
		if (!hasEnded) child.kill(signal);
		await ended;
	};
	const deadlineMs = Date.now() + START_TIMEOUT_MS;
	while (!(await isListening(port))) {
		if (hasEnded || Date.now() > deadlineMs) {
			await stop();
			throw new Error(`No server at port ${port}:\n${readFileSync(logFile, 'utf8').slice(-3000)}`);
		}
		await sleep(100);
	}
	return { stop };
}

function isListening(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1')
			.once('connect', () => resolve(true))
			.once('error', () => resolve(false));
		socket.once('connect', () => socket.end());
	});
}
