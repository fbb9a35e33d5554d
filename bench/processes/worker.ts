// One way of doing one job, measured. Arguments: the job, the way, the sandbox's address.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Seeded, Way, Work } from '../job';
import { findJob } from '../jobs';
import { answerQuestions } from './conversation';
import { idleMemory, measure } from './measure';

const [jobName = '', way = '', url = ''] = process.argv.slice(2);
const job = findJob(jobName);
const folder = mkdtempSync(path.join(tmpdir(), 'parcel-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let work: Work;
let memoryBefore: number;

async function doWork({ size, seeded }: { size: number; seeded: Seeded }) {
	const { results, ...figures } = await work(size, seeded);
	const expected = job.expected(size);
	if (results === expected) return figures;
	throw new Error(`${jobName}, ${way}: ${results} results instead of ${expected}`);
}

answerQuestions({
	prepare: async () => {
		const prepare = job.ways[way as Way];
		if (!prepare) throw new Error(`Nobody does ${jobName} in the way "${way}"`);
		work = await prepare({ url, folder });
		memoryBefore = idleMemory();
	},
	warmUp: async (what: { size: number; seeded: Seeded }) => {
		await doWork(what);
	},
	measure: async (what: { size: number; seeded: Seeded }) =>
		measure(async () => doWork(what), memoryBefore),
});
