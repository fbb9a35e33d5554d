// What `npm start` remembers between two starts, beside n8n's own database.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Owner } from './n8n';

export interface Memory {
	owner?: Owner;
	n8nPort?: number;
	sandboxPort?: number;
	/** The credential of the workflows, and the address that it was last made for. */
	credential?: { id: string; baseUrl: string };
	/** Workflows that were imported once; what became of them since is the user's business. */
	imported: string[];
	/** The process that runs n8n in this folder now. */
	running?: { pid: number; url: string };
}

export function recall(folder: string): Memory {
	try {
		return JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Memory;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { imported: [] };
		throw new Error(
			`${fileIn(folder)} can't be read (${String(error)}). Delete ${folder} to begin anew`,
		);
	}
}

export function remember(folder: string, memory: Memory): void {
	mkdirSync(folder, { recursive: true });
	// It holds the password of the n8n that may hold a real account's secret.
	writeFileSync(fileIn(folder), JSON.stringify(memory, null, 2), { mode: 0o600 });
}

/** Removes what the demo and its n8n wrote, and nothing else that may lie in the folder. */
export function forget(folder: string): void {
	for (const name of ['.n8n', '.cache', 'files', 'n8n.log', 'package.sha256', 'demo.json']) {
		rmSync(path.join(folder, name), { recursive: true, force: true });
	}
}

/** Two n8n on one database would spoil it. */
export function refuseSecondStart(folder: string): void {
	const { running } = recall(folder);
	if (!running || !isAlive(running.pid)) return;
	throw new Error(
		`It is already running, at ${running.url} (process ${running.pid}). Stop that one first, with Ctrl+C in its window`,
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

function fileIn(folder: string): string {
	return path.join(folder, 'demo.json');
}
