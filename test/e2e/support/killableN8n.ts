// An n8n that a test can kill. Its folder and database remain, and the next start uses them.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createOwner, type N8n, startN8n } from '../../../scripts/demo/n8n';
import { installPackage } from '../../../scripts/demo/package';
import { N8nRest, signIn } from '../../../scripts/demo/rest';

/** The modes in which n8n runs polls, and the environment variables that enable them. */
export const POLL_MODES = {
	default: {},
	durable: {
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	},
};

export type PollMode = keyof typeof POLL_MODES;

/**
 * If n8n is killed while it activates a workflow, it activates the workflow again only when a lease
 * expires, by default after two minutes. That loses no event, but the test would take hours.
 */
export const SHORT_LEASE = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
};

const PORT = 5730;
const NODES = '.n8n/nodes';

let installed: Promise<string> | undefined;

export class KillableN8n {
	rest!: N8nRest;
	private running: N8n | undefined;
	private readonly owner = createOwner('kills@example.com', 'parcel-kills-1');

	private constructor(
		private readonly mode: PollMode,
		private readonly folder: string,
	) {}

	static async open(mode: PollMode): Promise<KillableN8n> {
		installed ??= installOnce();
		const folder = mkdtempSync(path.join(await installed, `${mode}-`));
		cpSync(path.join(await installed, NODES), path.join(folder, NODES), { recursive: true });
		return new KillableN8n(mode, folder);
	}

	get databaseFile(): string {
		return path.join(this.folder, '.n8n/database.sqlite');
	}

	async start(): Promise<void> {
		const { folder, owner, mode } = this;
		const env = { ...POLL_MODES[mode], ...SHORT_LEASE };
		this.running = await startN8n({ folder, owner, port: PORT, env });
		const { url } = this.running;
		// n8n limits sign-ins per minute, and a session survives a restart.
		this.rest = new N8nRest(url, (this.rest ?? (await signIn(url, owner))).headers);
	}

	/** `kill -9` */
	async kill(): Promise<void> {
		await this.running?.kill();
	}

	/** Stops n8n in the normal way, as an update does. */
	async stop(): Promise<void> {
		await this.running?.stop();
	}
}

/** Call this when every n8n has stopped. E2E_KEEP keeps the folders, which contain n8n's logs. */
export async function removeFolders(): Promise<void> {
	if (!installed) return;
	if (process.env.E2E_KEEP) console.log(`Kept ${await installed}`);
	else rmSync(await installed, { recursive: true, force: true });
}

async function installOnce(): Promise<string> {
	const folder = mkdtempSync(path.join(tmpdir(), 'parcel-kills-'));
	await installPackage(folder);
	return folder;
}
