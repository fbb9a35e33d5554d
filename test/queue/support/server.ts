// Runs an installed server as a child process. setpriv makes the kernel stop it when its parent ends.
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
	/** The user to run as. The default is the current user. */
	user?: string;
	port: number;
	logFile: string;
	/** The signal for an immediate clean shutdown. */
	signal: 'SIGTERM' | 'SIGINT';
}

const START_TIMEOUT_MS = 30_000;

export async function startServer(settings: ServerSettings): Promise<Server> {
	const { name, command, user, port, logFile, signal } = settings;
	const log = openSync(logFile, 'a');
	const child = spawn('setpriv', [...asUser(user), '--pdeathsig', signal.slice(3), ...command], {
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
		if (!hasEnded && Date.now() < deadlineMs) {
			await sleep(100);
			continue;
		}
		await stop();
		throw new Error(`${name} did not start. Log:\n${readFileSync(logFile, 'utf8').slice(-3000)}`);
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
