import path from 'node:path';
import { parseArgs } from 'node:util';

import type { Job } from './job';
import { findJob, jobs } from './jobs';

export const usage = `npm run bench -- [options]

  --quick             small sizes and one run, to test the benchmark itself
  --runs <number>     number of runs per variant (default 5)
  --job <name>        run only this job (can be repeated)
  --out <folder>      output folder of benchmark.json, benchmark.md and images/ (default docs)
`;

export interface Settings {
	isQuick: boolean;
	runs: number;
	jobs: readonly Job[];
	growthSizes: number[];
	out: string;
}

/** Delay of the sandbox before every response. */
export const LATENCY_MS = 20;

const docs = path.resolve(__dirname, '../docs');

export function readSettings(args: string[]): Settings {
	const { values } = parseArgs({
		args,
		options: {
			quick: { type: 'boolean', default: false },
			runs: { type: 'string' },
			job: { type: 'string', multiple: true },
			out: { type: 'string' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) {
		console.log(usage);
		process.exit(0);
	}
	const { quick: isQuick, runs = isQuick ? '1' : '5', job: names } = values;
	if (!/^[1-9]\d*$/.test(runs)) throw new Error(`--runs must be a whole number, not "${runs}"`);
	const isPartial = isQuick || names !== undefined;
	if (isPartial && !values.out) {
		// Don't replace the published page in docs/ with partial results.
		values.out = path.resolve(__dirname, '../.bench');
	}
	return {
		isQuick,
		runs: Number(runs),
		jobs: names ? names.map(findJob) : jobs,
		growthSizes: isQuick ? [200] : [1_000, 5_000, 10_000, 30_000, 100_000],
		out: values.out ? path.resolve(values.out) : docs,
	};
}
