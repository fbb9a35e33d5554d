// `npm run bench`: compares this package with n8n's HTTP Request node and a bare client.
import { describeMachine, readVersions } from './environment';
import { writePage } from './report/page';
import { formatForTerminal } from './report/table';
import type { BenchmarkResults } from './results';
import { measureGrowth, mediansOf, runInterleaved, SandboxProcess } from './runner';
import { LATENCY_MS, readSettings, type Settings, usage } from './settings';

async function main(): Promise<void> {
	const settings = readSettings(process.argv.slice(2));
	const startedAt = Date.now();
	const sandbox = await SandboxProcess.start(LATENCY_MS);
	try {
		const results = await measureAll(settings, sandbox);
		console.log(`\n${formatForTerminal(results)}`);
		const written = await writePage(results, settings.out);
		const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
		console.log(`\nMeasured in ${minutes} minutes. Wrote:\n${written.join('\n')}`);
	} finally {
		await sandbox.stop();
	}
}

async function measureAll(settings: Settings, sandbox: SandboxProcess): Promise<BenchmarkResults> {
	const { isQuick, runs } = settings;
	const results: BenchmarkResults = {
		measuredAt: new Date().toISOString(),
		isQuick,
		runs,
		latencyMs: LATENCY_MS,
		machine: describeMachine(),
		versions: readVersions(),
		jobs: [],
		growth: [],
	};
	for (const job of settings.jobs) {
		const size = isQuick ? job.quickSize : job.size;
		const rounds = Math.min(runs, job.maxRuns ?? runs);
		const allRuns = await runInterleaved(job, size, rounds, sandbox, console.log);
		const medians = mediansOf(allRuns);
		const goals = job.goals.map(({ description, value, atMost, atLeast }) => ({
			description,
			value: value(medians),
			...(atMost === undefined ? {} : { atMost }),
			...(atLeast === undefined ? {} : { atLeast }),
		}));
		const { name, figures } = job;
		results.jobs.push({
			name,
			title: job.title(size),
			size,
			figures,
			medians,
			runs: allRuns,
			goals,
		});
	}
	results.growth = await measureGrowth(settings, sandbox);
	return results;
}

main().catch((error: Error) => {
	const isUsage = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
	console.error(isUsage ? `${error.message}\n\n${usage}` : error);
	process.exit(1);
});
