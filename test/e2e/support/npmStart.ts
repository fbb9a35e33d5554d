import {
	type ChildProcess,
	execFileSync,
	spawn,
	spawnSync,
	type StdioOptions,
} from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type N8nRest, signIn } from '../../../scripts/demo/rest';

const root = path.resolve(__dirname, '../../..');

/** Runs `npm start` in its own process group, as a terminal does. */
export class NpmStart {
	printed = '';

	/** Settles once npm has ended and everything it printed was read. */
	readonly ended: Promise<unknown>;

	private constructor(private readonly npm: ChildProcess) {
		this.ended = once(npm, 'close');
		for (const stream of [npm.stdout, npm.stderr]) {
			stream?.on('data', (text: Buffer) => (this.printed += text.toString()));
		}
	}

	static run(args: string[], env: NodeJS.ProcessEnv = {}): NpmStart {
		const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
		const options = { cwd: root, detached: true, stdio, env: { ...process.env, ...env } };
		return new NpmStart(spawn('npm', ['start', '--', ...args], options));
	}

	async until(text: RegExp, withinMs = 120_000): Promise<string> {
		const deadlineMs = Date.now() + withinMs;
		for (;;) {
			const found = text.exec(this.printed);
			if (found) return found[1] ?? found[0];
			if (this.hasEnded || Date.now() > deadlineMs) {
				throw new Error(`npm did not print ${String(text)}:\n${this.printed}`);
			}
			await sleep(100);
		}
	}

	/** Returns the value printed after a label, such as an address or a password. */
	printedValue(label: string): Promise<string> {
		return this.until(new RegExp(`^ +${label} +(\\S+)$`, 'm'));
	}

	/** Signs in with the printed user and password. */
	async signIn(): Promise<N8nRest> {
		const [email, password] = [
			await this.printedValue('User'),
			await this.printedValue('Password'),
		];
		return await signIn(await this.printedValue('n8n'), { email, password });
	}

	/** npm and all its descendants. */
	processes(): number[] {
		const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).split('\n');
		const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
		const found = [this.npm.pid as number];
		for (const parent of found) {
			for (const [pid, ppid] of pairs) if (ppid === parent && pid) found.push(pid);
		}
		return found;
	}

	/** Ctrl+C in a terminal sends the signal to every process in the foreground. */
	pressCtrlC(): void {
		process.kill(-(this.npm.pid as number), 'SIGINT');
	}

	/** Sends a signal to npm only, as a process manager does. */
	end(signal: NodeJS.Signals): void {
		this.npm.kill(signal);
	}

	private get hasEnded(): boolean {
		return this.npm.exitCode !== null || this.npm.signalCode !== null;
	}
}

/** Waits for processes to end and returns those that still run after the time limit. */
export async function stillRunning(pids: number[], withinMs = 20_000): Promise<number[]> {
	const deadlineMs = Date.now() + withinMs;
	for (;;) {
		const alive = pids.filter(isAlive);
		if (alive.length === 0 || Date.now() > deadlineMs) return alive;
		await sleep(100);
	}
}

function isAlive(pid: number): boolean {
	const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
	// A zombie has ended, but its parent has not read its exit code yet.
	return stdout.trim() !== '' && !stdout.startsWith('Z');
}
