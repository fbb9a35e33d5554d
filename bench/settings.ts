import path from 'node:path';
import { parseArgs } from 'node:util';

import type { Job } from './job';
import { findJob, jobs } from './jobs';

export const usage = `npm run bench -- [options]

  --quick             small sizes, one run: shows that everything works, measures nothing
  --runs <number>     runs of each way (default 5)
  --job <name>        only this job; may be given several times
  --out <folder>      where benchmark.json, benchmark.md and images/ go (default docs)
`;

export interface Settings {
	isQuick: boolean;
	runs: number;
	jobs: readonly Job[];
	growthSizes: number[];
	out: string;
}

/** Milliseconds before every answer of the sandbox. */
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
	if (!/^[1-9]\d*$/.test(runs)) throw new Error(`--runs takes a whole number, not "${runs}"`);
	const isPartial = isQuick || names !== undefined;
	if (isPartial && !values.out) {
		// The page in docs/ is what users read; a part of the figures would replace all of them.
		values.out = path.resolve(__dirname, '../.bench');
	}
	return {
		isQuick,
		runs: Number(runs),
		jobs: names ? names.map(findJob) : jobs,
		growthSizes: isQuick ? [200] : [1_000, 5_000, 10_000, 25_000, 50_000],
		out: values.out ? path.resolve(values.out) : docs,
	};
}
