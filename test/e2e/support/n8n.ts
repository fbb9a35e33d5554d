// The real n8n of the tests: the package is installed by hand as in docs/install.md, and n8n can be
// stopped or killed and started again in the same folder.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createOwner, type N8n, type Owner, startN8n } from '../../../scripts/demo/n8n';
import { PACKAGE, pack } from '../../../scripts/demo/package';
import { N8nRest, signIn } from '../../../scripts/demo/rest';

const root = path.resolve(__dirname, '../../..');
/** The environment variable with the n8n that all test files of a suite share. */
const SUITE = 'E2E_SUITE';

/** Older versions do not start if a module is disabled that they do not know. */
const OTHER_VERSION = process.env.N8N_VERSION ? { N8N_DISABLED_MODULES: '' } : {};

/** Built once in each process. */
let tarball: Promise<string> | undefined;

export class TestN8n {
	rest!: N8nRest;
	running!: N8n;
	/** Older versions accept only a password with a capital letter. */
	readonly owner = createOwner('tests@example.com', 'Parcel-tests-1');

	private constructor(
		readonly folder: string,
		private readonly port: number,
		private readonly env: Record<string, string>,
	) {}

	/** Installs the package into a new folder. Call `start` to run n8n there. */
	static async install(port: number, env: Record<string, string> = {}): Promise<TestN8n> {
		const folder = mkdtempSync(path.join(tmpdir(), 'parcel-n8n-'));
		installByHand(path.join(folder, '.n8n/nodes'), await (tarball ??= buildTarball()));
		return new TestN8n(folder, port, { ...OTHER_VERSION, ...env });
	}

	async start(): Promise<void> {
		const { folder, owner, port, env } = this;
		this.running = await startN8n({ folder, owner, port, env });
		const { url } = this.running;
		if (!this.rest) await createOwnerIn(url, owner);
		// n8n limits sign-ins per minute, and a session survives a restart.
		this.rest = new N8nRest(url, (this.rest ?? (await signIn(url, owner))).headers);
	}

	/** Stops n8n and removes its folder. E2E_KEEP keeps n8n's log and database. */
	async remove(): Promise<void> {
		await this.running?.stop();
		if (process.env.E2E_KEEP) console.log(`Kept ${this.folder}`);
		else rmSync(this.folder, { recursive: true, force: true });
	}
}

async function buildTarball(): Promise<string> {
	execFileSync('gulp', ['build', '--silent'], { cwd: root, stdio: 'pipe' });
	const folder = path.join(root, '.cache/tarball');
	mkdirSync(folder, { recursive: true });
	return await pack(folder);
}

/** Runs the install command of docs/install.md, with the tarball in place of the published package. */
function installByHand(folder: string, file: string): void {
	const page = readFileSync(path.join(root, 'docs/install.md'), 'utf8');
	const [command = ''] = new RegExp(`^npm install .*${PACKAGE}$`, 'm').exec(page) ?? [];
	mkdirSync(folder, { recursive: true });
	execFileSync('sh', ['-c', command.replace(PACKAGE, file)], { cwd: folder, stdio: 'pipe' });
}

/** Older versions do not read the owner from the environment. */
async function createOwnerIn(url: string, { email, password }: Owner): Promise<void> {
	type Settings = { userManagement: { showSetupOnFirstLoad: boolean } };
	const rest = new N8nRest(url, {});
	const { userManagement } = await rest.request<Settings>('GET', '/settings');
	if (!userManagement.showSetupOnFirstLoad) return;
	const owner = { email, password, firstName: 'Test', lastName: 'Owner' };
	await rest.request('POST', '/owner/setup', owner);
}

/** What all test files of a suite know about the n8n that they share. */
export interface Suite {
	url: string;
	/** n8n's user folder. */
	folder: string;
	/** Where workflows may read and write files. */
	files: string;
	/** The session of the owner. */
	headers: Readonly<Record<string, string>>;
}

export function shareSuite({ rest, running, folder }: TestN8n): void {
	const { url, headers } = rest;
	const { files } = running;
	process.env[SUITE] = JSON.stringify({ url, folder, files, headers } satisfies Suite);
}

export function readSuite(): Suite {
	const shared = process.env[SUITE];
	if (!shared) throw new Error('These tests need a running n8n. Run them with: npm run test:e2e');
	return JSON.parse(shared) as Suite;
}
