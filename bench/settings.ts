import path from 'node:path';
import { parseArgs } from 'node:util';

import type { Job } from './job';
import { findJob, jobs } from './jobs';

export const usage = `npm run bench -- [options]

  --quick             small sizes and one run, to test the benchmark itself
  --runs <number>     number of runs per variant (default 5)
  --job <name>        run only this job (can be repeated)
  --out <folder>      output folder of benchmark.json, benchmark.md and images/ (default docs)
  --page              measure nothing, write the page and charts from benchmark.json
`;

export interface Settings {
	isQuick: boolean;
	runs: number;
	jobs: readonly Job[];
	growthSizes: number[];
	out: string;
	isPageOnly?: boolean;
}

const root = path.resolve(__dirname, '..');

export function readSettings(args: string[]): Settings {
	const { values } = parseArgs({
		args,
		options: {
			quick: { type: 'boolean', default: false },
			runs: { type: 'string' },
			job: { type: 'string', multiple: true },
			out: { type: 'string' },
			page: { type: 'boolean', default: false },
			help: { type: 'boolean' },
		},
	});
	if (values.help) {
		console.log(usage);
		process.exit(0);
	}
	const { quick: isQuick, runs = isQuick ? '1' : '5', job: names } = values;
	if (!/^[1-9]\d*$/.test(runs)) throw new Error(`--runs must be a whole number, not "${runs}"`);
	// Partial results must not replace the published page.
	const folder = isQuick || names ? '.bench' : 'docs';
	return {
		isQuick,
		runs: Number(runs),
		jobs: names ? names.map(findJob) : jobs,
		growthSizes: isQuick ? [200] : [1_000, 5_000, 10_000, 30_000, 100_000],
		out: path.resolve(values.out ?? path.join(root, folder)),
		isPageOnly: values.page,
	};
}
