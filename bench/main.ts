// `npm run bench`: compares this package with n8n's HTTP Request node and a bare client.
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { writePage } from './report/page';
import { type BenchmarkResults, resultsOf } from './results';
import { measureGrowth, runInterleaved, SandboxProcess } from './runner';
import { readSettings, type Settings, usage } from './settings';

/** Delay of the sandbox before every response. */
const LATENCY_MS = 20;

const root = path.resolve(__dirname, '..');
const readJson = <Content>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as Content;

async function main(): Promise<void> {
	const settings = readSettings(process.argv.slice(2));
	const startedAt = Date.now();
	const results = settings.isPageOnly
		? readJson<BenchmarkResults>(path.join(settings.out, 'benchmark.json'))
		: await measureAll(settings);
	const written = await writePage(results, settings.out);
	const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
	console.log(`\nWrote after ${minutes} minutes:\n${written.join('\n')}`);
}

async function measureAll(settings: Settings): Promise<BenchmarkResults> {
	const { isQuick, runs } = settings;
	const results: BenchmarkResults = {
		measuredAt: new Date().toISOString(),
		isQuick,
		latencyMs: LATENCY_MS,
		machine: describeMachine(),
		versions: {
			'Node.js': process.versions.node,
			'this package': versionIn('package.json'),
			'n8n-core': versionIn('node_modules/n8n-core/package.json'),
			'n8n-nodes-base': versionIn('host/node_modules/n8n-nodes-base/package.json'),
			axios: versionIn('node_modules/axios/package.json'),
		},
		jobs: [],
		growth: [],
	};
	const sandbox = await SandboxProcess.start(LATENCY_MS);
	try {
		for (const job of settings.jobs) {
			const size = isQuick ? job.quickSize : job.size;
			const rounds = Math.min(runs, job.maxRuns ?? runs);
			const measured = await runInterleaved(job, size, rounds, sandbox, console.log);
			results.jobs.push(resultsOf(job, size, measured));
		}
		results.growth = await measureGrowth(settings, sandbox);
	} finally {
		await sandbox.stop();
	}
	return results;
}

function describeMachine(): string {
	const cpus = os.cpus();
	const memory = Math.round(os.totalmem() / 1024 ** 3);
	const model = cpus[0]?.model.trim() || 'unknown CPU';
	return `${cpus.length} × ${model}, ${memory} GB, ${os.type()} ${os.release()}`;
}

function versionIn(file: string): string {
	const packageFile = path.join(root, file);
	if (!existsSync(packageFile)) return 'not installed';
	return readJson<{ version: string }>(packageFile).version;
}

main().catch((error: Error) => {
	const isUsage = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
	console.error(isUsage ? `${error.message}\n\n${usage}` : error);
	process.exit(1);
});
