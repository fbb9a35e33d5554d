import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { type N8nRest, signIn } from '../../../scripts/demo/rest';
import { untilThereIs } from './executions';

const root = path.resolve(__dirname, '../../..');

/** Runs `npm start` in its own process group, as a terminal does. */
export class NpmStart {
	printed = '';

	/** Settles once npm has ended and everything it printed was read. */
	readonly ended: Promise<unknown>;

	private readonly npm: ChildProcess;

	constructor(folder: string, ...args: string[]) {
		const env = { ...process.env, DEMO_FOLDER: folder };
		this.npm = spawn('npm', ['start', '--', ...args], { cwd: root, detached: true, env });
		this.ended = once(this.npm, 'close');
		for (const stream of [this.npm.stdout, this.npm.stderr]) {
			stream?.on('data', (text: Buffer) => (this.printed += text.toString()));
		}
	}

	/** Waits for a text, and returns its first group. */
	async until(text: RegExp): Promise<string> {
		const found = () => text.exec(this.printed)?.slice(-1);
		const [group = ''] = await untilThereIs(found, 120_000).catch(() => {
			throw new Error(`npm did not print ${String(text)}:\n${this.printed}`);
		});
		return group;
	}

	/** Returns the value printed after a label, such as an address or a password. */
	printedValue(label: string): Promise<string> {
		return this.until(new RegExp(`^ +${label} +(\\S+)$`, 'm'));
	}

	/** Signs in with the printed user and password. */
	async signIn(): Promise<N8nRest> {
		const email = await this.printedValue('User');
		const password = await this.printedValue('Password');
		return await signIn(await this.printedValue('n8n'), { email, password });
	}

	/** npm and all its descendants. */
	processes(): number[] {
		const all = runningProcesses();
		const found = [this.npm.pid as number];
		for (const parent of found) {
			found.push(...all.flatMap(({ pid, ppid }) => (ppid === parent ? pid : [])));
		}
		return found;
	}

	/** Ctrl+C in a terminal sends the signal to every process in the foreground. */
	pressCtrlC(): void {
		process.kill(-(this.npm.pid as number), 'SIGINT');
	}

	/** Sends a signal to npm only, as a process manager does. */
	end(): void {
		this.npm.kill('SIGTERM');
	}
}

/** Without zombies, which have ended, but whose parent has not read their exit code yet. */
function runningProcesses(): Array<{ pid: number; ppid: number }> {
	const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' }).split('\n');
	return rows.flatMap((row) => {
		const [pid, ppid, state = 'Z'] = row.trim().split(/\s+/);
		return state.startsWith('Z') ? [] : { pid: Number(pid), ppid: Number(ppid) };
	});
}

/** Waits for processes to end. */
export async function untilEnded(pids: number[]): Promise<void> {
	await untilThereIs(() => !runningProcesses().some(({ pid }) => pids.includes(pid)), 20_000);
}
