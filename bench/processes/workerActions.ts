import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { SeededShipments, Task, Variant } from '../job';
import { findJob } from '../jobs';
import { idleMemory, measure } from './measure';

interface Run {
	size: number;
	seeded: SeededShipments;
}

/** Measures one variant of a job with the sandbox at the URL. */
export function workerActions(jobName: string, variant: string, url: string) {
	const job = findJob(jobName);
	const folder = mkdtempSync(path.join(tmpdir(), 'parcel-bench-'));
	let task: Task;
	let memoryBefore: number;

	async function runTask({ size, seeded }: Run) {
		const { results, ...figures } = await task(size, seeded);
		const expected = job.expectedResults(size);
		if (results === expected) return figures;
		throw new Error(`${jobName}, ${variant}: expected ${expected} results, got ${results}`);
	}

	return {
		prepare: async () => {
			const prepare = job.variants[variant as Variant];
			if (!prepare) throw new Error(`Job ${jobName} has no variant "${variant}"`);
			task = await prepare({ url, folder });
			memoryBefore = idleMemory();
		},
		warmUp: async (run: Run) => {
			await runTask(run);
		},
		measure: async (run: Run) => measure(async () => runTask(run), memoryBefore),
		close: () => rmSync(folder, { recursive: true, force: true }),
	};
}
