import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import type { Figures, SeededShipments, Task, Variant } from '../job';
import { findJob } from '../jobs';

const SAMPLE_EVERY_MS = 25;
const MEGABYTE = 1024 * 1024;

const pause = async () => await new Promise((resolve) => setTimeout(resolve, 5));

interface Run {
	size: number;
	seeded: SeededShipments;
}

/** Measures one variant of a job with the sandbox at the URL. */
export function workerActions(jobName: string, variant: string, url: string) {
	const job = findJob(jobName);
	const folder = mkdtempSync(path.join(tmpdir(), 'parcel-bench-'));
	let task: Task;
	let memoryBefore: number;

	async function runTask({ size, seeded }: Run) {
		const { results, ...figures } = await task(size, seeded);
		const expected = job.expectedResults?.(size) ?? size;
		if (results === expected) return figures;
		throw new Error(`${jobName}, ${variant}: expected ${expected} results, got ${results}`);
	}

	return {
		prepare: async () => {
			const prepare = job.variants[variant as Variant];
			if (!prepare) throw new Error(`Job ${jobName} has no variant "${variant}"`);
			task = await prepare({ url, folder });
			memoryBefore = idleMemory();
		},
		warmUp: async (run: Run) => {
			await runTask(run);
		},
		measure: async (run: Run) => measure(async () => runTask(run), memoryBefore),
		close: () => rmSync(folder, { recursive: true, force: true }),
	};
}

/** Returns the memory of the idle process in bytes. */
function idleMemory(): number {
	globalThis.gc?.();
	return process.memoryUsage.rss();
}

/** Measures time, CPU, memory beyond `memoryBefore` and the longest event loop block of a task. */
async function measure(task: () => Promise<Figures>, memoryBefore: number): Promise<Figures> {
	let peak = idleMemory();
	const sample = () => (peak = Math.max(peak, process.memoryUsage.rss()));
	const sampling = setInterval(sample, SAMPLE_EVERY_MS);
	const blocks = monitorEventLoopDelay({ resolution: 1 });
	blocks.enable();
	// The monitor measures the time between two event loop turns, so pause before and after the task.
	await pause();
	const cpuBefore = process.cpuUsage();
	const startedAt = performance.now();

	const figures = await task();

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
		...figures,
	};
}
