// n8n in queue mode: a main process for webhooks and polls, workers that execute workflows, and
// Debian's Redis and PostgreSQL with their own ports and data folders.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';

import { freePort, type N8n, startN8n } from '../../../scripts/demo/n8n';
import { untilThereIs } from '../../e2e/support/executions';
import { TestN8n } from '../../e2e/support/n8n';

const MAIN_PORT = 5790;
const NODES = '.n8n/nodes';
const POSTGRES_FOLDER = '/usr/lib/postgresql';
const [NEWEST = ''] = readdirSync(POSTGRES_FOLDER).sort((a, b) => Number(b) - Number(a));
const POSTGRES_BIN = path.join(POSTGRES_FOLDER, NEWEST, 'bin');
/** PostgreSQL refuses to run as root. */
const IS_ROOT = process.getuid?.() === 0;
const AS_POSTGRES = IS_ROOT ? ['--reuid', 'postgres', '--regid', 'postgres', '--init-groups'] : [];

const run = promisify(execFile);

export class Cluster {
	readonly workers: N8n[] = [];
	main!: TestN8n;
	private readonly variables: Record<string, string> = {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: 'the same in every process',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		...{ DB_TYPE: 'postgresdb', DB_POSTGRESDB_HOST: '127.0.0.1' },
		...{ DB_POSTGRESDB_DATABASE: 'postgres', DB_POSTGRESDB_USER: 'n8n' },
		// The processes share no disk.
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		// n8n detects the executions of a dead worker within 30 seconds instead of two minutes, and
		// after a restart within one minute instead of three hours.
		...{ QUEUE_WORKER_LOCK_DURATION: '10000', QUEUE_WORKER_LOCK_RENEW_TIME: '2000' },
		QUEUE_WORKER_STALLED_INTERVAL: '5000',
		N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
	};
	private readonly stopServers: Array<() => Promise<void>> = [];
	private startedWorkers = 0;

	async startWorker(): Promise<void> {
		const number = ++this.startedWorkers;
		const folder = path.join(this.main.folder, `worker-${number}`);
		// Each process loads the package from its own user folder.
		cpSync(path.join(this.main.folder, NODES), path.join(folder, NODES), { recursive: true });
		const port = MAIN_PORT + 10 * number;
		const settings = { folder, owner: this.main.owner, port, env: this.variables };
		this.workers.push(await startN8n({ ...settings, command: 'worker' }));
	}

	/** Runs a query as n8n's user and returns its rows. */
	async rows<Row>(query: string): Promise<Row[]> {
		const port = this.variables.DB_POSTGRESDB_PORT as string;
		const connection = ['-h', '127.0.0.1', '-p', port, '-U', 'n8n', '-d', 'postgres'];
		const asJson = `SELECT coalesce(json_agg(rows), '[]') FROM (${query}) rows`;
		const { stdout } = await run(`${POSTGRES_BIN}/psql`, [...connection, '-qtAc', asJson], {
			maxBuffer: Infinity,
		});
		return JSON.parse(stdout) as Row[];
	}

	async stop(): Promise<void> {
		await Promise.all(this.workers.map(async (worker) => worker.stop()));
		await this.main?.running?.stop();
		for (const stop of this.stopServers) await stop();
		await this.main?.remove();
	}

	async open(): Promise<void> {
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
		this.stopServers.push(await startServer(command, port, data, 'SIGTERM'));
	}

	private async startPostgres(folder: string, port: number): Promise<void> {
		const data = path.join(folder, 'postgres');
		const owner = IS_ROOT ? ['--owner=postgres', '--group=postgres'] : [];
		execFileSync('install', ['--directory', ...owner, data]);
		const options = ['-D', data, '-U', 'n8n', '--auth=trust', '--encoding=UTF8', '--no-sync'];
		const initialize = [...AS_POSTGRES, `${POSTGRES_BIN}/initdb`, ...options, '--locale=C.UTF-8'];
		execFileSync('setpriv', initialize, { cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] });
		const address = ['-D', data, '-p', String(port), '-k', data, '-h', '127.0.0.1'];
		const command = [...AS_POSTGRES, `${POSTGRES_BIN}/postgres`, ...address];
		this.stopServers.push(await startServer(command, port, data, 'SIGINT'));
	}
}

/** Runs an installed server that the kernel stops with its parent, and returns what stops it. `signal` does so at once. */
async function startServer(
	command: string[],
	port: number,
	data: string,
	signal: 'SIGTERM' | 'SIGINT',
): Promise<() => Promise<void>> {
	const log = openSync(`${data}.log`, 'a');
	const child = spawn('setpriv', ['--pdeathsig', signal.slice(3), ...command], {
		stdio: ['ignore', log, log],
		cwd: '/',
	});
	const ended = once(child, 'exit');
	await untilThereIs(() => isListening(port)).catch(() => {
		throw new Error(`No server at port ${port}:\n${readFileSync(`${data}.log`, 'utf8')}`);
	});
	return async () => {
		child.kill(signal);
		await ended;
	};
}

const isListening = async (port: number) =>
	await new Promise<boolean>((resolve) => {
		const socket = connect(port, '127.0.0.1', () => resolve(true));
		socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
	});
