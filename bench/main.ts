// `npm run bench`: compares this package with n8n's HTTP Request node and a bare client.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import type { Job } from './job';
import { findJob, jobs } from './jobs';
import { LATENCY_MS, measureVariants, startBenchmarkSandbox } from './measure';
import { type BenchmarkResults, writePage } from './page';

const usage = `npm run bench -- [options]

  --quick             small sizes and one run, to test the benchmark itself
  --job <name>        run only this job (can be repeated)
  --out <folder>      output folder of benchmark.json, benchmark.md and images/ (default docs)
  --page              measure nothing, write the page and charts from benchmark.json
`;

/** Runs of each variant. */
const RUNS = 3;

const root = path.resolve(__dirname, '..');
const readJson = <Content>(...file: string[]) =>
	JSON.parse(readFileSync(path.resolve(root, ...file), 'utf8')) as Content;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			job: { type: 'string', multiple: true },
			out: { type: 'string' },
			page: { type: 'boolean' },
		},
	});
	const { quick: isQuick, job: names, page: isPageOnly } = values;
	// Partial results must not replace the published page.
	const folder = path.resolve(root, values.out ?? (isQuick || names ? '.bench' : 'docs'));
	const results = isPageOnly
		? readJson<BenchmarkResults>(folder, 'benchmark.json')
		: await measureAll(names ? names.map(findJob) : jobs, isQuick);
	await writePage(results, folder);
	process.exit();
}

async function measureAll(chosen: readonly Job[], isQuick: boolean): Promise<BenchmarkResults> {
	const runs = isQuick ? 1 : RUNS;
	const results: BenchmarkResults = {
		measuredAt: new Date().toISOString(),
		isQuick,
		runs,
		latencyMs: LATENCY_MS,
		machine: describeMachine(),
		versions: {
			'Node.js': process.versions.node,
			'this package': versionIn('.'),
			'n8n-core': versionIn('node_modules/n8n-core'),
			'n8n-nodes-base': versionIn('host/node_modules/n8n-nodes-base'),
			axios: versionIn('node_modules/axios'),
		},
		jobs: [],
	};
	const sandbox = await startBenchmarkSandbox();
	for (const job of chosen) {
		const size = isQuick ? job.quickSize : job.size;
		const medians = await measureVariants(sandbox, job, size, runs);
		results.jobs.push({ name: job.name, size, medians });
	}
	await sandbox.close();
	return results;
}

function describeMachine(): string {
	const cpus = os.cpus();
	const memory = Math.round(os.totalmem() / 1024 ** 3);
	const model = cpus[0]?.model.trim() || 'unknown CPU';
	return `${cpus.length} × ${model}, ${memory} GB, ${os.type()} ${os.release()}`;
}

const versionIn = (folder: string) => readJson<{ version: string }>(folder, 'package.json').version;

main().catch((error: Error) => {
	const isUsage = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
	console.error(isUsage ? `${error.message}\n\n${usage}` : error);
	process.exit(1);
});
