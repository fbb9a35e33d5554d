// Redis and PostgreSQL for n8n's queue mode: Debian's packages, with their own ports and data folders.
import { execFile, execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { freePort } from '../../../scripts/demo/ports';
import { asUser, type Server, startServer } from './server';

const POSTGRES_FOLDER = '/usr/lib/postgresql';
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const run = promisify(execFile);

export async function startRedis(folder: string): Promise<Server> {
	const port = await freePort(6390);
	const data = path.join(folder, 'redis');
	mkdirSync(data);
	return await startServer({
		name: 'Redis',
		command: [
			'redis-server',
			...['--port', String(port), '--bind', '127.0.0.1', '--dir', data],
			// No persistence: this suite never restarts Redis.
			...['--save', '', '--appendonly', 'no'],
		],
		port,
		logFile: path.join(folder, 'redis.log'),
		signal: 'SIGTERM',
	});
}

export interface Postgres extends Server {
	/** Runs a query as n8n's user and returns its rows. */
	rows<Row>(query: string): Promise<Row[]>;
}

export async function startPostgres(folder: string): Promise<Postgres> {
	const port = await freePort(5440);
	const data = path.join(folder, 'postgres');
	mkdirSync(data);
	// PostgreSQL refuses to run as root.
	const user = process.getuid?.() === 0 ? 'postgres' : undefined;
	if (user) chownSync(data, idOf('-u', user), idOf('-g', user));
	const bin = path.join(POSTGRES_FOLDER, newestVersion(), 'bin');
	const initialize = [`${bin}/initdb`, '-D', data, '-U', 'n8n', '--auth=trust', '--encoding=UTF8'];
	execFileSync('setpriv', [...asUser(user), ...initialize, '--no-sync', '--locale=C.UTF-8'], {
		cwd: '/',
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const server = await startServer({
		name: 'PostgreSQL',
		command: [
			`${bin}/postgres`,
			...['-D', data, '-p', String(port), '-k', data, '-h', '127.0.0.1'],
		],
		...(user ? { user } : {}),
		port,
		logFile: path.join(folder, 'postgres.log'),
		signal: 'SIGINT',
	});
	const connection = ['-h', '127.0.0.1', '-p', String(port), '-U', 'n8n', '-d', 'postgres'];
	return {
		...server,
		async rows<Row>(query: string) {
			const asJson = `SELECT coalesce(json_agg(rows), '[]') FROM (${query}) rows`;
			const { stdout } = await run(`${bin}/psql`, [...connection, '-qtAc', asJson], {
				maxBuffer: MAX_OUTPUT_BYTES,
			});
			return JSON.parse(stdout) as Row[];
		},
	};
}

function idOf(which: '-u' | '-g', user: string): number {
	return Number(execFileSync('id', [which, user], { encoding: 'utf8' }));
}

function newestVersion(): string {
	const versions = readdirSync(POSTGRES_FOLDER).sort((a, b) => Number(b) - Number(a));
	return versions[0] as string;
}
