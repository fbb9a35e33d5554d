import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';

import { readExamples } from '../../scripts/demo/examples';
import { type N8nRest, signIn } from '../../scripts/demo/rest';
import { readLabelsPdf } from '../support/readLabelsPdf';
import { openWindow } from './support/browser';
import { browserTest } from './support/editor';
import { untilThereIs } from './support/executions';

jest.setTimeout(240_000);

const root = path.resolve(__dirname, '../..');

/** The tests of a folder continue where the previous one ended. */
const folder = path.join(tmpdir(), `parcel-start-${randomUUID()}`);

/** Runs `npm start` in its own process group, as a terminal does. */
class NpmStart {
	printed = '';

	/** Settles once npm has ended and everything it printed was read. */
	readonly ended: Promise<unknown>;

	private readonly npm: ChildProcess;

	constructor(...args: string[]) {
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
async function untilEnded(pids: number[]): Promise<void> {
	await untilThereIs(() => !runningProcesses().some(({ pid }) => pids.includes(pid)), 20_000);
}

let running: NpmStart | undefined;

/** As a process manager does, which ends npm only. */
async function endRunning(): Promise<void> {
	const pids = running?.processes() ?? [];
	running?.end();
	await untilEnded(pids);
}

afterAll(async () => {
	await endRunning();
	rmSync(folder, { recursive: true, force: true });
});

async function start(...args: string[]): Promise<NpmStart> {
	await endRunning();
	running = new NpmStart(...args);
	await running.until(/Ctrl\+C stops everything/);
	return running;
}

const namesIn = async (n8n: N8nRest, what: 'workflows' | 'credentials') =>
	(await n8n.request<Array<{ name: string }>>('GET', `/${what}`)).map(({ name }) => name).sort();

const exampleNames = readExamples().map(({ name }) => name);

test('npm start runs a real n8n with the package, the credential and the examples', async () => {
	const demo = await start();
	const n8n = await demo.signIn();
	expect(await namesIn(n8n, 'credentials')).toEqual(['Parcel Shipping sandbox']);
	expect(await namesIn(n8n, 'workflows')).toEqual([...exampleNames].sort());
	expect(demo.printed).toContain('The provider accepted the credential');
	expect((await fetch(await demo.printedValue('Sandbox'))).status).toBe(200);
	// The sandbox writes its dates without an offset.
	expect(await n8n.request('GET', '/settings')).toMatchObject({ timezone: 'Europe/Prague' });
	type Stored = { activeVersionId: string | null };
	for (const { id, active } of readExamples()) {
		const { activeVersionId } = await n8n.request<Stored>('GET', `/workflows/${id}`);
		expect([id, activeVersionId !== null]).toEqual([id, active === true]);
	}
	await n8n.createWorkflow({ name: 'My own', nodes: [], connections: {}, settings: {} });
});

const user = {} as { page: Page };

browserTest(
	'A new user gets from npm start to a printed label in fewer than ten clicks, and Ctrl+C stops all of it',
	user,
	async () => {
		const demo = running as NpmStart;
		const page = (user.page = await openWindow());
		let clicks = 0;
		const act = async (action: Promise<unknown>) => {
			clicks++;
			await action;
		};

		await act(page.goto(await demo.until(/First +Open (\S+)/)));
		await page.getByLabel('Email').fill(await demo.printedValue('User'));
		await page.getByLabel('Password').fill(await demo.printedValue('Password'));
		await act(page.getByRole('button', { name: 'Sign in' }).click());
		await act(page.getByTestId('execute-workflow-button').click());
		await page.getByText('Workflow executed successfully').waitFor();
		// The canvas turns green a moment later.
		await page.waitForTimeout(3_000);

		await act(page.goto(await demo.until(/Then +Open (\S+)/)));
		await page.getByText('Jana Nováková').waitFor();
		expect(await page.locator('section', { hasText: 'Print jobs' }).innerText()).toContain(
			'Laser by the gate',
		);
		const tab = page.waitForEvent('popup');
		const row = page.getByRole('row', { name: 'Jana Nováková' });
		await act(row.getByRole('link', { name: /^Label/ }).click());
		const file = await fetch((await tab).url());
		const [label] = readLabelsPdf(Buffer.from(await file.arrayBuffer()));
		expect(label).toContain('Jana Nováková');
		expect(clicks).toBeLessThan(10);
		await page.context().close();

		const pids = demo.processes();
		// npm, its shell, start.mjs, the demo, n8n, n8n's task runner.
		expect(pids.length).toBeGreaterThanOrEqual(5);
		demo.pressCtrlC();
		await untilEnded(pids);
		await demo.ended;
		expect(demo.printed).toMatch(/Stopped\s*$/);
	},
);

test('A second start keeps all workflows and uses other ports if its own are in use', async () => {
	const before = running as NpmStart;
	const addresses = [await before.printedValue('n8n'), await before.printedValue('Sandbox')];
	const servers = addresses.map((url) =>
		createServer().listen(Number(new URL(url).port), '127.0.0.1'),
	);
	await Promise.all(servers.map((server) => once(server, 'listening')));
	const demo = await start().finally(() => servers.forEach((server) => server.close()));
	expect(addresses).not.toContain(await demo.printedValue('n8n'));
	expect(addresses).not.toContain(await demo.printedValue('Sandbox'));

	const n8n = await demo.signIn();
	expect(await namesIn(n8n, 'workflows')).toEqual([...exampleNames, 'My own'].sort());
	expect(await namesIn(n8n, 'credentials')).toEqual(['Parcel Shipping sandbox']);
	// The credential followed the sandbox to its new port.
	expect(demo.printed).toContain('The provider accepted the credential');

	const second = new NpmStart();
	await second.until(/already running/);
	await second.ended;
});

test('--reset starts over, and --dialect documented chooses how the sandbox responds', async () => {
	const demo = await start('--reset', '--dialect', 'documented');
	expect(await namesIn(await demo.signIn(), 'workflows')).toEqual([...exampleNames].sort());
	expect(demo.printed).toContain('The provider accepted the credential');
	const { headers } = await fetch(`${await demo.printedValue('Sandbox')}/api/Carrier/Find`);
	expect(headers.get('x-correlation-id')).not.toBeNull();

	// Processes end with their parent even if it is killed with a signal that it cannot handle.
	const pids = demo.processes();
	const { runningPid } = JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8'));
	process.kill(runningPid, 'SIGKILL');
	await untilEnded(pids);
});
