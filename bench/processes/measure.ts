import { monitorEventLoopDelay } from 'node:perf_hooks';

import type { Figures } from '../job';

const SAMPLE_EVERY_MS = 25;
const MEGABYTE = 1024 * 1024;

const pause = async () => await new Promise((resolve) => setTimeout(resolve, 5));

/** Returns the memory of the idle process in bytes. */
export function idleMemory(): number {
	globalThis.gc?.();
	return process.memoryUsage.rss();
}

/** Measures time, CPU, memory beyond `memoryBefore` and the longest event loop block of a task. */
export async function measure(
	task: () => Promise<Figures>,
	memoryBefore: number,
): Promise<Figures> {
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
