import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { readSeed, type Sandbox, startSandbox } from '../../sandbox';
import { NpmStart, stillRunning } from './support/npmStart';

jest.setTimeout(240_000);

const token = `secret-${randomUUID()}`;
let sandbox: Sandbox;
let folder: string;
let running: NpmStart | undefined;

beforeAll(async () => {
	const seed = readSeed();
	const credentials = { ...seed.credentials, bearer: { token } };
	sandbox = await startSandbox({ seed: { ...seed, credentials }, accept: ['bearer'] });
	folder = mkdtempSync(path.join(tmpdir(), 'parcel-account-'));
});

afterEach(async () => {
	const pids = running?.processes() ?? [];
	if ((await stillRunning(pids, 0)).length > 0) running?.end('SIGTERM');
	await stillRunning(pids);
});

afterAll(async () => {
	await sandbox?.close();
	rmSync(folder, { recursive: true, force: true });
});

/** Returns what other users of this machine can read about a process. */
const publicDataOf = (pid: number) =>
	['cmdline', 'environ'].map((what) => readFileSync(`/proc/${pid}/${what}`, 'utf8')).join('\n');

const filesBelow = (top: string) =>
	readdirSync(top, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.join(entry.parentPath, entry.name));

test('npm start -- --url asks for the secret of a real account, never shows it, and n8n can use it', async () => {
	const demo = (running = NpmStart.inTerminal(['--folder', folder, '--url', sandbox.url]));
	await demo.answer(/Number from 1 to 5: /, await demo.until(/(\d) +Bearer Token/));
	await demo.answer(/Token \(not shown\): /, token);
	await demo.until(/Ctrl\+C stops everything/);
	expect(demo.printed).toContain('The service accepted the credential');
	expect(await demo.printedValue('Account')).toBe(sandbox.url);

	const n8n = await demo.signIn();
	const credentials = await n8n.request<Array<{ id: string; name: string }>>('GET', '/credentials');
	expect(credentials).toMatchObject([{ name: 'Parcel Shipping account' }]);
	const { id = '' } = credentials[0] ?? {};
	expect(await n8n.testCredential(id)).toMatchObject({ status: 'OK' });
	expect(await n8n.testCredential(id, { token: 'guessed' })).toMatchObject({ status: 'Error' });
	const workflows = await n8n.request<Array<{ activeVersionId?: string }>>('GET', '/workflows');
	expect(workflows.filter(({ activeVersionId }) => activeVersionId)).toEqual([]);

	expect(demo.printed).not.toContain(token);
	const pids = demo.processes();
	expect(pids.filter((pid) => publicDataOf(pid).includes(token))).toEqual([]);
	const files = filesBelow(folder);
	expect(files.map((file) => path.basename(file))).toEqual(
		expect.arrayContaining(['n8n.log', 'database.sqlite', 'demo.json']),
	);
	expect(files.filter((file) => readFileSync(file).includes(token))).toEqual([]);

	demo.pressCtrlC();
	expect(await stillRunning(pids)).toEqual([]);
	expect(demo.printed).toMatch(/Stopped\s*$/);
});

test('The next start reuses the account without asking', async () => {
	const demo = (running = NpmStart.run('start', ['--folder', folder, '--url', sandbox.url]));
	await demo.until(/Ctrl\+C stops everything/);
	expect(demo.printed).toContain('The service accepted the credential');
	expect(demo.printed).not.toContain('not shown');
});
