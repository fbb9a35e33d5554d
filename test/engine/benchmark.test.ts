import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { checkRun } from '../../bench/checkRun';
import type { Figures, Job, Medians, Variant } from '../../bench/job';
import { findJob, jobs } from '../../bench/jobs';
import type * as SandboxActions from '../../bench/processes/sandboxActions';
import type * as WorkerActions from '../../bench/processes/workerActions';
import type { BenchmarkResults } from '../../bench/results';
import { measureGrowth, mediansOf, runInterleaved, SandboxProcess } from '../../bench/runner';

// Starting a process for each run would take a minute, so the runs share this one.
jest.mock('../../bench/processes/ipc', () => {
	const load = <Module extends object>(name: string) =>
		jest.requireActual<Module>(`../../bench/processes/${name}`);
	class ChildProcess {
		private readonly actions: Record<string, (data: never) => unknown>;

		constructor(file: string, [job = '', variant = '', url = '']: string[] = []) {
			this.actions =
				file === 'worker.ts'
					? load<typeof WorkerActions>('workerActions').workerActions(job, variant, url)
					: load<typeof SandboxActions>('sandboxActions').sandboxActions();
		}

		async request(action: string, data: unknown): Promise<unknown> {
			return await this.actions[action]?.(data as never);
		}

		async stop(): Promise<void> {
			await this.actions.close?.(null as never);
		}
	}
	return { ChildProcess };
});
// Its imports have the endings that only Node.js resolves.
jest.mock('../../bench/variants/lazy', () => ({
	...jest.requireActual<object>('../../bench/variants/workflow'),
	...jest.requireActual<object>('../../bench/variants/pollContext'),
}));

/** One of 100 items is invalid in the job that validates. */
const SIZE = 100;
const sizes: Record<string, number> = { download: 1, 'create-one': 3 };
const sizeOf = ({ name }: Job) => sizes[name] ?? SIZE;

/** The variants with the HTTP Request node need n8n itself: npm run test:bench. */
const variantsOf = ({ variants }: Job) =>
	(Object.keys(variants) as Variant[]).filter((variant) => !variant.startsWith('httpRequest'));
const inThisProcess = jobs.filter(({ isCold }) => !isCold);
const runs = inThisProcess.flatMap((job) =>
	variantsOf(job).map((variant) => [job.name, variant, job] as const),
);

const medians: Record<string, Medians> = {};
const ignore = () => {};
let sandbox: SandboxProcess;
beforeAll(async () => {
	sandbox = await SandboxProcess.start(0);
});
afterAll(async () => sandbox.stop());

test.each(runs)(
	'The benchmark measures the job %s with the variant %s',
	async (_, variant, job) => {
		const measured = await runInterleaved(job, sizeOf(job), 1, sandbox, ignore, [variant]);
		const { [variant]: figures = {} } = mediansOf(measured);
		medians[job.name] = { ...medians[job.name], [variant]: figures };
		expect(Object.values(figures).filter((figure) => !Number.isFinite(figure))).toEqual([]);
		expect(figures.wallMs).toBeGreaterThan(0);
		expect(figures.cpuMs).toBeGreaterThan(0);
		expect((figures.requests ?? 0) > 0).toBe(!job.isOffline);
	},
);

test('Every job is measured in this file, and every goal that needs no HTTP Request node has a figure', () => {
	expect([...Object.keys(medians), 'load']).toEqual(jobs.map(({ name }) => name));
	const without = inThisProcess.flatMap(({ name, goals }) =>
		goals
			.filter(({ value }) => !Number.isFinite(value(medians[name] ?? {})))
			.map(({ description }) => description),
	);
	expect(without).toEqual([
		'Create shipments without look-up: requests compared to the HTTP Request node',
		'List shipments: speed compared to the HTTP Request node',
	]);
});

test('The growth of a job has a time for each size', async () => {
	jest.spyOn(console, 'log').mockImplementation(ignore);
	const settings = { jobs: [findJob('list')], growthSizes: [10, 20], isQuick: true };
	const [line] = await measureGrowth({ ...settings, runs: 1, out: '' }, sandbox);
	expect(line?.points.map(({ size }) => size)).toEqual([10, 20]);
	expect(line?.points.filter(({ wallMs, cpuMs }) => !(wallMs > 0 && cpuMs > 0))).toEqual([]);
});

describe('The benchmark refuses a run', () => {
	const good: Figures = {
		wallMs: 5,
		cpuMs: 3,
		requests: 3,
		batches: 0,
		stateKB: 2,
		longestBlockMs: 1,
		peakMemoryMB: 0,
	};
	const received = { size: SIZE, trackedShipments: SIZE };
	const poll = findJob('poll-first');

	test.each<[string, Figures, Partial<typeof received>, string]>([
		['without requests', { requests: 0 }, {}, 'requests is 0'],
		['without a time', { wallMs: NaN }, {}, 'wallMs is NaN'],
		['that took no time', { wallMs: 0 }, {}, 'wallMs is 0'],
		['without a figure of the table', { stateKB: 0 }, {}, 'stateKB is 0'],
		['that tracked nothing', {}, { trackedShipments: 0 }, 'the events of 0 shipments instead of'],
	])('%s', (_, figures, other, problem) => {
		const check = (changed: Figures, given: Partial<typeof received>) => () =>
			checkRun(poll, 'node', { ...good, ...changed }, { ...received, ...given });
		expect(check(figures, other)).toThrow(problem);
		expect(check({}, {})).not.toThrow();
	});

	test('with other results than expected', async () => {
		const empty: Job = { ...findJob('list'), seeding: () => ({ shipments: 0 }) };
		await expect(runInterleaved(empty, SIZE, 1, sandbox, ignore, ['bare'])).rejects.toThrow(
			'list, bare: expected 100 results, got 0',
		);
	});
});

test('The command measures how n8n loads the package, and writes the page', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
	const command = ['bench/main.ts', '--quick', '--job', 'load', '--out', folder];
	const root = path.resolve(__dirname, '../..');
	const { status, stderr } = spawnSync('tsx', command, { cwd: root, encoding: 'utf8' });
	expect([status, stderr]).toEqual([0, '']);
	const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
	const [job] = (JSON.parse(read('benchmark.json')) as BenchmarkResults).jobs;
	expect(job?.medians.node?.wallMs).toBeGreaterThan(0);
	expect(job?.medians.node?.sizeKB).toBeGreaterThan(10);
	expect(read('benchmark.md')).toContain('Load the package in n8n');
	rmSync(folder, { recursive: true });
});
