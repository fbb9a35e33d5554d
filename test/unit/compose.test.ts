import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

// Checks docs/scaling/compose.yaml as far as possible without Docker.

const root = path.resolve(__dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

interface Service {
	image?: string;
	build?: { dockerfile_inline: string };
	command?: string;
	environment: Record<string, string>;
	depends_on?: Record<string, { condition: string }>;
	volumes?: string[];
	healthcheck?: { test: string[] };
}

const text = read('docs/scaling/compose.yaml');
const page = read('docs/scaling.md');
const { services, volumes } = parse(text, { merge: true }) as {
	services: Record<'main' | 'worker' | 'postgres' | 'redis', Service>;
	volumes: Record<string, unknown>;
};
const { main, worker, postgres, redis } = services;

/** The code of n8n that reads its environment. */
const n8nCode = ['@n8n/config', 'n8n-core'].flatMap((name) => {
	const dist = path.join(root, 'node_modules', name, 'dist');
	return readdirSync(dist, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.js'))
		.map((file) => readFileSync(path.join(dist, file), 'utf8'));
});
const isUnknown = (name: string) => !n8nCode.some((code) => code.includes(`'${name}'`));

test('The file starts a main process, two workers, PostgreSQL and Redis', () => {
	expect(Object.keys(services).sort()).toEqual(['main', 'postgres', 'redis', 'worker']);
	expect(main.command).toBeUndefined();
	expect(worker.command).toMatch(/^worker --concurrency=\d+$/);
	expect(text).toContain('docker compose up --build --scale worker=2');
	for (const { depends_on } of [main, worker]) {
		expect(Object.keys(depends_on ?? {}).sort()).toEqual(['postgres', 'redis']);
	}
	for (const store of [postgres, redis]) {
		expect(store.healthcheck?.test[0]).toBe('CMD');
		const [volume = ''] = store.volumes?.map((each) => each.split(':')[0]) ?? [];
		expect(volumes).toHaveProperty(volume);
	}
});

test('Every process uses the tested version of n8n and installs the package as in the README', () => {
	const { dependencies } = JSON.parse(read('host/package.json')) as {
		dependencies: { n8n: string };
	};
	const [install = ''] = /npm install [^`]*n8n-nodes-parcel-shipping/.exec(read('README.md')) ?? [];
	for (const { build } of [main, worker]) {
		expect(build?.dockerfile_inline).toContain(`FROM n8nio/n8n:${dependencies.n8n}\n`);
		expect(build?.dockerfile_inline).toContain(`cd /home/node/.n8n/nodes && ${install}\n`);
	}
});

test('The main process and the workers have the same variables, and n8n reads all of them', () => {
	expect(worker.environment).toEqual(main.environment);
	expect(Object.keys(main.environment).filter(isUnknown)).toEqual([]);
});

test('The values match those of the queue mode suite, except for addresses and secrets', () => {
	const cluster = read('test/queue/support/cluster.ts');
	for (const name of [
		'EXECUTIONS_MODE',
		'DB_TYPE',
		'DB_POSTGRESDB_USER',
		'N8N_DEFAULT_BINARY_DATA_MODE',
		'N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL',
	]) {
		expect(cluster).toContain(`${name}: '${main.environment[name]}'`);
	}
	expect(main.environment.QUEUE_BULL_REDIS_HOST).toBe('redis');
	expect(main.environment.DB_POSTGRESDB_HOST).toBe('postgres');
	expect(postgres.environment).toMatchObject({
		POSTGRES_USER: main.environment.DB_POSTGRESDB_USER,
		POSTGRES_DB: main.environment.DB_POSTGRESDB_DATABASE,
	});
});

test('n8n reads every variable in docs/scaling.md', () => {
	const names = [...page.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)`/g)].map(([, name = '']) => name);
	expect(names.length).toBeGreaterThan(8);
	expect(names.filter(isUnknown)).toEqual([]);
});
