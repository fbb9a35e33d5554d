// Measures one variant of a job. Arguments: job, variant, URL of the sandbox.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { SeededShipments, Task, Variant } from '../job';
import { findJob } from '../jobs';
import { handleRequests } from './ipc';
import { idleMemory, measure } from './measure';

const [jobName = '', variant = '', url = ''] = process.argv.slice(2);
const job = findJob(jobName);
const folder = mkdtempSync(path.join(tmpdir(), 'parcel-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let task: Task;
let memoryBefore: number;

async function runTask({ size, seeded }: { size: number; seeded: SeededShipments }) {
	const { results, ...figures } = await task(size, seeded);
	const expected = job.expectedResults(size);
	if (results === expected) return figures;
	throw new Error(`${jobName}, ${variant}: expected ${expected} results, got ${results}`);
}

handleRequests({
	prepare: async () => {
		const prepare = job.variants[variant as Variant];
		if (!prepare) throw new Error(`Job ${jobName} has no variant "${variant}"`);
		task = await prepare({ url, folder });
		memoryBefore = idleMemory();
	},
	warmUp: async (input: { size: number; seeded: SeededShipments }) => {
		await runTask(input);
	},
	measure: async (input: { size: number; seeded: SeededShipments }) =>
		measure(async () => runTask(input), memoryBefore),
});
