import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { readExamples } from '../../scripts/demo/examples';
import { readState } from '../../scripts/demo/demoState';
import { PACKAGE } from '../../scripts/demo/package';
import type { N8nRest } from '../../scripts/demo/rest';
import { NpmStart, stillRunning } from './support/npmStart';

jest.setTimeout(240_000);

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'parcel-start-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let running: NpmStart | undefined;
afterEach(async () => {
	const pids = running?.processes() ?? [];
	if ((await stillRunning(pids, 0)).length > 0) running?.end('SIGTERM');
	await stillRunning(pids);
});

async function start(...args: string[]): Promise<NpmStart> {
	running = NpmStart.run('start', ['--folder', folder, ...args]);
	await running.until(/Ctrl\+C stops everything/);
	return running;
}

const namesIn = async (n8n: N8nRest, what: 'workflows' | 'credentials') =>
	(await n8n.request<Array<{ name: string }>>('GET', `/${what}`)).map(({ name }) => name).sort();

const exampleNames = readExamples().map(({ name }) => name);

test('npm start runs a real n8n with the package, the credential and the examples. Ctrl+C stops all of it', async () => {
	const demo = await start();
	const n8n = await demo.signIn();
	expect(await namesIn(n8n, 'credentials')).toEqual(['Parcel Shipping sandbox']);
	expect(await namesIn(n8n, 'workflows')).toEqual([...exampleNames].sort());
	expect(demo.printed).toContain('The service accepted the credential');
	expect((await fetch(await demo.printedValue('Sandbox'))).status).toBe(200);
	for (const { id, active } of readExamples()) {
		const { activeVersionId } = await n8n.request<{ activeVersionId: string | null }>(
			'GET',
			`/workflows/${id}`,
		);
		expect([id, activeVersionId !== null]).toEqual([id, active === true]);
	}
	await n8n.createWorkflow({ name: 'My own', nodes: [], connections: {}, settings: {} });

	const pids = demo.processes();
	// npm, its shell, start.mjs, the demo, n8n, n8n's task runner.
	expect(pids.length).toBeGreaterThanOrEqual(5);
	demo.pressCtrlC();
	expect(await stillRunning(pids)).toEqual([]);
	expect(demo.printed).toMatch(/Stopped\s*$/);
});

test('A second start keeps all workflows and uses other ports if its own are in use', async () => {
	const before = running as NpmStart;
	const occupied = [await before.printedValue('n8n'), await before.printedValue('Sandbox')].map(
		async (url) => {
			const server = createServer();
			const port = Number(new URL(url).port);
			await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
			return server;
		},
	);
	const servers = await Promise.all(occupied);
	const demo = await start().finally(() => servers.forEach((server) => server.close()));
	expect(await demo.printedValue('n8n')).not.toBe(await before.printedValue('n8n'));
	expect(await demo.printedValue('Sandbox')).not.toBe(await before.printedValue('Sandbox'));

	const n8n = await demo.signIn();
	expect(await namesIn(n8n, 'workflows')).toEqual([...exampleNames, 'My own'].sort());
	expect(await namesIn(n8n, 'credentials')).toEqual(['Parcel Shipping sandbox']);
	// The credential followed the sandbox to its new port.
	expect(demo.printed).toContain('The service accepted the credential');

	const second = NpmStart.run('start', ['--folder', folder]);
	await second.until(/already running/);
	expect(await stillRunning(second.processes())).toEqual([]);

	const pids = demo.processes();
	demo.end('SIGTERM');
	expect(await stillRunning(pids)).toEqual([]);
});

test('npm start -- --reset starts over, and --dialect documented chooses how the sandbox answers', async () => {
	const demo = await start('--reset', '--dialect', 'documented');
	expect(await namesIn(await demo.signIn(), 'workflows')).toEqual([...exampleNames].sort());
	expect(demo.printed).toContain('The service accepted the credential');
	const { headers } = await fetch(`${await demo.printedValue('Sandbox')}/api/Carrier/Find`);
	expect(headers.get('x-correlation-id')).not.toBeNull();

	// Processes end with their parent even if it is killed with a signal that it can't handle.
	const pids = demo.processes();
	process.kill(readState(folder).running?.pid as number, 'SIGKILL');
	expect(await stillRunning(pids)).toEqual([]);
});

test('npm run dev loads each change in the sources into the running n8n', async () => {
	const change = path.resolve(__dirname, '../../icons/change.svg');
	const installed = path.join(folder, '.n8n/nodes/node_modules', PACKAGE, 'dist/icons');
	const demo = (running = NpmStart.run('dev', ['--folder', folder]));
	await demo.until(/Ctrl\+C stops everything/);
	writeFileSync(change, '<svg xmlns="http://www.w3.org/2000/svg"/>');
	try {
		await demo.until(/Reloaded in/);
		expect(readdirSync(installed)).toContain('change.svg');
	} finally {
		rmSync(change);
	}
	await demo.until(/Reloaded in[^]+Reloaded in/);
	expect(readdirSync(installed)).not.toContain('change.svg');
	expect((await fetch(await demo.printedValue('n8n'))).status).toBe(200);
});

test('npm start rejects a secret on the command line, and asks for one only in a terminal', async () => {
	const withSecret = NpmStart.run('start', ['--token', 'abc']);
	await withSecret.until(/Unknown option '--token'/);
	const unattended = NpmStart.run('start', [
		'--folder',
		folder,
		'--url',
		'https://api.example.com/api',
	]);
	await unattended.until(/Run this command in a terminal/);
	const help = NpmStart.run('start', ['--help']);
	await help.until(/--url <address>/);
	const unencrypted = NpmStart.run('start', ['--url', 'http://api.example.com/api']);
	await unencrypted.until(/unencrypted/);
});
