// `npm run bench`: measures this package side by side with n8n's HTTP Request node and a bare client.
import type { Measured } from './measured';
import { measureGrowth } from './growth';
import { writePage } from './report/page';
import { showTable } from './report/table';
import { mediansOf, runInterleaved, SandboxProcess } from './rounds';
import { LATENCY_MS, readSettings, type Settings, usage } from './settings';
import { describeMachine, readVersions } from './surroundings';

async function main(): Promise<void> {
	const settings = readSettings(process.argv.slice(2));
	const startedAt = Date.now();
	const sandbox = await SandboxProcess.start(LATENCY_MS);
	try {
		const measured = await measureAll(settings, sandbox);
		console.log(`\n${showTable(measured)}`);
		const written = await writePage(measured, settings.out);
		const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
		console.log(`\nMeasured in ${minutes} minutes. Written:\n${written.join('\n')}`);
	} finally {
		await sandbox.end();
	}
}

async function measureAll(settings: Settings, sandbox: SandboxProcess): Promise<Measured> {
	const { isQuick, runs } = settings;
	const measured: Measured = {
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
		const all = await runInterleaved(job, size, runs, sandbox, console.log);
		const medians = mediansOf(all);
		const goals = job.goals.map(({ says, value, atMost, atLeast }) => ({
			says,
			value: value(medians),
			...(atMost === undefined ? {} : { atMost }),
			...(atLeast === undefined ? {} : { atLeast }),
		}));
		const { name, figures } = job;
		measured.jobs.push({ name, title: job.title(size), size, figures, medians, runs: all, goals });
	}
	measured.growth = await measureGrowth(settings, sandbox);
	return measured;
}

main().catch((error: Error) => {
	const isUsage = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
	console.error(isUsage ? `${error.message}\n\n${usage}` : error);
	process.exit(1);
});
