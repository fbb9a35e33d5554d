// A server of the operating system as a child of the tests, which does not outlive them: setpriv
// has the kernel end it together with whoever started it.
import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Server {
	port: number;
	stop(): Promise<void>;
}

interface ServerSettings {
	name: string;
	command: string[];
	/** The user to run as; the present one if not said. */
	user?: string;
	port: number;
	logFile: string;
	/** What makes it end at once and in order. */
	signal: 'SIGTERM' | 'SIGINT';
}

const STARTS_WITHIN_MS = 30_000;

export async function startServer(settings: ServerSettings): Promise<Server> {
	const { name, command, user, port, logFile, signal } = settings;
	const log = openSync(logFile, 'a');
	const child = spawn('setpriv', [...asUser(user), '--pdeathsig', signal.slice(3), ...command], {
		stdio: ['ignore', log, log],
		cwd: '/',
	});
	let isGone = false;
	const ended = new Promise<void>((resolve) => {
		child.once('exit', () => resolve()).once('error', () => resolve());
	}).then(() => void (isGone = true));
	const stop = async () => {
		if (!isGone) child.kill(signal);
		await ended;
	};
	const deadlineMs = Date.now() + STARTS_WITHIN_MS;
	while (!(await isListening(port))) {
		if (!isGone && Date.now() < deadlineMs) {
			await sleep(100);
			continue;
		}
		await stop();
		throw new Error(
			`${name} did not start. Its log:\n${readFileSync(logFile, 'utf8').slice(-3000)}`,
		);
	}
	return { port, stop };
}

export function asUser(user: string | undefined): string[] {
	return user ? ['--reuid', user, '--regid', user, '--init-groups'] : [];
}

function isListening(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1')
			.once('connect', () => resolve(true))
			.once('error', () => resolve(false));
		socket.once('connect', () => socket.end());
	});
}
