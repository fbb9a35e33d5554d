// Runs the jobs. The sandbox is in this process and each run of a variant in another one, so that the CPU
// time and memory of the sandbox are not measured.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { sortBy } from 'lodash';

import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox';
import {
	type FigureName,
	type Figures,
	type Job,
	type Measured,
	type Medians,
	type Run,
	titleOf,
	type Variant,
} from './job';

/** Delay of the sandbox before every response. */
export const LATENCY_MS = 20;

const options: SandboxOptions = {
	latencyMs: LATENCY_MS,
	// Long enough that no tracking event occurs during a run.
	trackingStepHours: 10_000,
};

export const startBenchmarkSandbox = async () => await startSandbox(options);

/**
 * Runs the variants in turn and returns the medians of their figures. Every round starts with another
 * variant, so that none always runs first.
 */
export async function measureVariants(
	sandbox: Sandbox,
	job: Job,
	size: number,
	rounds: number,
): Promise<Medians> {
	const variants = Object.keys(job.variants) as Variant[];
	const runs: Partial<Record<Variant, Figures[]>> = {};
	for (let round = 0; round < rounds; round++) {
		for (let turn = 0; turn < variants.length; turn++) {
			const variant = variants[(round + turn) % variants.length] as Variant;
			const figures = await runOnce(sandbox, job, variant, size);
			(runs[variant] ??= []).push(figures);
			const { wallMs = 0, cpuMs = 0, requests } = figures;
			const summary = `${wallMs.toFixed()} ms, CPU ${cpuMs.toFixed()} ms, ${requests} requests`;
			console.log(`${titleOf(job, size)}, round ${round + 1} of ${rounds}, ${variant}: ${summary}`);
		}
	}
	const medians = variants.map((variant) => [variant, mediansOf(job, runs[variant] ?? [])]);
	return Object.fromEntries(medians) as Medians;
}

function mediansOf(job: Job, runs: Figures[]): Figures {
	const measured = job.figures.filter((figure) => runs[0]?.[figure] !== undefined);
	const valuesOf = (figure: FigureName) => runs.map((figures) => figures[figure] ?? NaN);
	return Object.fromEntries(measured.map((figure) => [figure, median(valuesOf(figure))]));
}

/** Of an odd number of values. */
function median(values: number[]): number {
	return Number(sortBy(values)[Math.floor(values.length / 2)]?.toFixed(3));
}

async function runOnce(
	sandbox: Sandbox,
	job: Job,
	variant: Variant,
	size: number,
): Promise<Figures> {
	const worker = startWorker([job.name, variant, sandbox.url]);
	try {
		const continues = job.afterWarmUp !== undefined;
		const warmUp = { ...seed(sandbox, job, size), isWarmUp: true };
		await worker.request(warmUp);
		job.afterWarmUp?.(sandbox, warmUp);
		const run = { ...(continues ? warmUp : seed(sandbox, job, size)), isWarmUp: false };
		sandbox.requests.length = 0;
		const measured = { ...(await worker.request(run)), ...countRequests(sandbox) };
		const problem = findProblem(sandbox, job, variant, size, measured);
		if (problem) throw new Error(`${job.name}, ${variant}: ${problem}`);
		return measured;
	} finally {
		await worker.stop();
	}
}

function startWorker(args: string[]) {
	const execArgv = [...process.execArgv, '--expose-gc'];
	const worker = fork(path.join(__dirname, 'worker.ts'), args, { execArgv });
	const failed = once(worker, 'exit').then(([code]) => {
		throw new Error(`The process of ${args.join(' ')} exited with code ${code}`);
	});
	return {
		request: async (run: Run) => {
			worker.send(run);
			const [response] = await Promise.race([once(worker, 'message'), failed]);
			return response as Measured;
		},
		stop: async () => {
			if (worker.connected) worker.disconnect();
			await failed.catch(() => {});
		},
	};
}

/** Replaces the data in the sandbox. */
function seed(sandbox: Sandbox, job: Job, size: number): Omit<Run, 'isWarmUp'> {
	sandbox.reset();
	options.labelFileBytes = job.labelFileBytes?.(size) ?? 0;
	const shipments = job.seed?.(sandbox, size) ?? [];
	const ids = shipments.map(({ id }) => id);
	return { size, ids, numbers: shipments.map((shipment) => shipment.packageNumberCarrier) };
}

function countRequests({ requests }: Sandbox): Figures {
	const creations = requests.filter(({ operationId }) => operationId === 'createShipments');
	return { requests: requests.length, batches: creations.length };
}

/** Says how a run did not do the work of its job. Its figures would only look fast. */
function findProblem(
	sandbox: Sandbox,
	job: Job,
	variant: Variant,
	size: number,
	{ results, ...figures }: Measured,
): string | undefined {
	const expected = job.expectedResults?.(size) ?? size;
	if (results !== expected) return `${results} results instead of ${expected}`;
	// Only this package has all figures of the table. Small runs may need no additional memory.
	const missing = job.figures
		.filter((figure) => variant === 'node' || figure === 'requests')
		.filter((figure) => figure !== 'peakMemoryMB' && !figures[figure]);
	if (missing.length > 0) return `no ${missing.join(' and no ')}`;
	if (!job.tracksEach) return undefined;
	const tracked = sandbox.requests
		.filter(({ operationId }) => operationId === 'trackShipments')
		.flatMap(({ body }) => (body as { packages: string[] }).packages);
	const count = new Set(tracked).size;
	return count === size ? undefined : `requested the events of ${count} shipments of ${size}`;
}
