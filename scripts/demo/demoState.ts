// What `npm start` saves for its next start, next to n8n's own database.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Owner } from './n8n';

export interface DemoState {
	owner?: Owner;
	n8nPort?: number;
	sandboxPort?: number;
	/** The credential of the workflows, and the Base URL that it was last saved with. */
	credential?: { id: string; baseUrl: string };
	/** The ids of the imported workflows. The user may have changed or deleted them since. */
	imported: string[];
	/** The process that runs n8n in this folder. It has no address while it is starting. */
	running?: { pid: number; url?: string };
}

export function readState(folder: string): DemoState {
	try {
		return JSON.parse(readFileSync(stateFile(folder), 'utf8')) as DemoState;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { imported: [] };
		throw new Error(
			`Could not read ${stateFile(folder)} (${String(error)}). Delete ${folder} to start over`,
		);
	}
}

export function saveState(folder: string, state: DemoState): void {
	mkdirSync(folder, { recursive: true });
	// It contains the password of an n8n that may store the secret of a real account.
	writeFileSync(stateFile(folder), JSON.stringify(state, null, 2), { mode: 0o600 });
}

/** Deletes what the demo and its n8n wrote. Other files in the folder stay. */
export function deleteDemoData(folder: string): void {
	for (const name of ['.n8n', '.cache', 'files', 'n8n.log', 'demo.json']) {
		rmSync(path.join(folder, name), { recursive: true, force: true });
	}
}

/** Two n8n processes would corrupt their shared database. */
export function assertNotRunning(folder: string): void {
	const { running } = readState(folder);
	if (!running || !isAlive(running.pid)) return;
	const where = running.url ? ` at ${running.url}` : '';
	throw new Error(
		`n8n is already running${where} (process ${running.pid}). Stop it first with Ctrl+C in its terminal`,
	);
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

function stateFile(folder: string): string {
	return path.join(folder, 'demo.json');
}
