// n8n in queue mode: a main process for webhooks and polls, and workers that execute workflows.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createOwner, type N8n, startN8n } from '../../../scripts/demo/n8n';
import { installPackage } from '../../../scripts/demo/package';
import { N8nRest, signIn } from '../../../scripts/demo/rest';
import { type Postgres, startPostgres, startRedis } from './databases';

const MAIN_PORT = 5790;
const NODES = '.n8n/nodes';

export class Cluster {
	readonly workers: N8n[] = [];
	main!: N8n;
	n8n!: N8nRest;
	database!: Postgres;
	private readonly cleanup: Array<() => Promise<void> | void> = [];
	private readonly owner = createOwner('queue@example.com', 'parcel-queue-1');
	private variables: Record<string, string> = {};
	private startedWorkers = 0;

	private constructor(readonly folder: string) {}

	static async start(variables: Record<string, string> = {}): Promise<Cluster> {
		const folder = mkdtempSync(path.join(tmpdir(), 'parcel-queue-'));
		// PostgreSQL runs as another user, and its folder is inside this one.
		chmodSync(folder, 0o711);
		const cluster = new Cluster(folder);
		try {
			await cluster.open(variables);
		} catch (error) {
			await cluster.stop();
			throw error;
		}
		return cluster;
	}

	/** Starts the main process, or starts it again after it was stopped or killed. */
	async startMain(): Promise<void> {
		const { owner, variables: env } = this;
		this.main = await startN8n({ folder: this.folderOf('main'), owner, port: MAIN_PORT, env });
		// n8n limits sign-ins per minute. A session stays valid after a restart.
		this.n8n = new N8nRest(
			this.main.url,
			(this.n8n ?? (await signIn(this.main.url, owner))).headers,
		);
	}

	async startWorker(): Promise<N8n> {
		const { owner, variables: env } = this;
		const number = ++this.startedWorkers;
		const folder = this.folderOf(`worker-${number}`);
		const port = MAIN_PORT + 10 * number;
		// Each process loads the package from its own user folder.
		cpSync(path.join(this.folderOf('main'), NODES), path.join(folder, NODES), { recursive: true });
		const worker = await startN8n({ folder, owner, port, env, command: 'worker' });
		this.workers.push(worker);
		return worker;
	}

	async stop(): Promise<void> {
		const processes = [...this.workers, this.main].filter(Boolean);
		await Promise.all(processes.map(async (each) => each.stop()));
		for (const step of this.cleanup.reverse()) await step();
		// QUEUE_KEEP keeps the logs of n8n.
		if (process.env.QUEUE_KEEP) console.log(`Kept ${this.folder}`);
		else rmSync(this.folder, { recursive: true, force: true });
	}

	private folderOf(name: string): string {
		const folder = path.join(this.folder, name);
		mkdirSync(folder, { recursive: true });
		return folder;
	}

	private async open(variables: Record<string, string>): Promise<void> {
		const { folder, cleanup } = this;
		const redis = await startRedis(folder);
		cleanup.push(() => redis.stop());
		this.database = await startPostgres(folder);
		cleanup.push(() => this.database.stop());
		this.variables = {
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: 'the same in every process',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(this.database.port),
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
			...variables,
		};
		await installPackage(this.folderOf('main'));
		await this.startMain();
		await Promise.all([this.startWorker(), this.startWorker()]);
	}
}
