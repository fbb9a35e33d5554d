// Measures one variant of a job in a process of its own. Arguments: job, variant, URL of the sandbox. Each
// message is a run, and each response its results and figures.
import { monitorEventLoopDelay } from 'node:perf_hooks';

import type { Measured, Run, Task, Variant } from './job';
import { findJob } from './jobs';

const SAMPLE_EVERY_MS = 25;
const MEGABYTE = 1024 * 1024;

const pause = async () => await new Promise((resolve) => setTimeout(resolve, 5));

async function main(): Promise<void> {
	const [job = '', variant, url = ''] = process.argv.slice(2);
	const prepare = findJob(job).variants[variant as Variant];
	if (!prepare) throw new Error(`Job ${job} has no variant "${variant}"`);
	const task = await prepare(url);
	const memoryBefore = idleMemory();
	process.on('message', (run: Run) => {
		void measure(task, run, memoryBefore).then((measured) => process.send?.(measured));
	});
	process.on('disconnect', () => process.exit());
}

/** Returns the memory of the idle process in bytes. */
function idleMemory(): number {
	globalThis.gc?.();
	return process.memoryUsage.rss();
}

/** Measures time, CPU, memory beyond `memoryBefore` and the longest event loop block of a run. */
async function measure(task: Task, run: Run, memoryBefore: number): Promise<Measured> {
	let peak = idleMemory();
	const sample = () => (peak = Math.max(peak, process.memoryUsage.rss()));
	const sampling = setInterval(sample, SAMPLE_EVERY_MS);
	const blocks = monitorEventLoopDelay({ resolution: 1 });
	blocks.enable();
	// The monitor measures the time between two event loop turns, so pause before and after the task.
	await pause();
	const cpuBefore = process.cpuUsage();
	const startedAt = performance.now();

	const results = await task(run);

	const wallMs = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(cpuBefore);
	await pause();
	blocks.disable();
	clearInterval(sampling);
	sample();
	return {
		wallMs,
		cpuMs: (user + system) / 1000,
		peakMemoryMB: (peak - memoryBefore) / MEGABYTE,
		longestBlockMs: blocks.max / 1e6,
		...results,
	};
}

void main();
