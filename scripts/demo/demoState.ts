// What `npm start` saves for its next start, next to n8n's own database.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
	/** The process that runs n8n in this folder. */
	runningPid?: number;
}

/** Where `npm start` keeps its n8n. Tests use another folder. */
export const folder = process.env.DEMO_FOLDER ?? path.resolve(__dirname, '../../.host/sandbox');
const stateFile = path.join(folder, 'demo.json');

export function readState(): DemoState {
	try {
		return JSON.parse(readFileSync(stateFile, 'utf8')) as DemoState;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { imported: [] };
		throw new Error(
			`Could not read ${stateFile} (${String(error)}). Delete ${folder} to start over`,
		);
	}
}

export function saveState(state: DemoState): void {
	mkdirSync(folder, { recursive: true });
	// It contains the password of an n8n that may store the secret of a real account.
	writeFileSync(stateFile, JSON.stringify(state, null, 2), { mode: 0o600 });
}

/** Two n8n processes would corrupt their shared database. */
export function assertNotRunning(): void {
	const { runningPid } = readState();
	if (!runningPid) return;
	try {
		process.kill(runningPid, 0);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
	}
	throw new Error(
		`n8n is already running (process ${runningPid}). Stop it first with Ctrl+C in its terminal`,
	);
}
