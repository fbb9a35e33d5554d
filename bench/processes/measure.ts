import { monitorEventLoopDelay } from 'node:perf_hooks';

import type { Figures } from '../job';

const SAMPLE_EVERY_MS = 25;
const MEGABYTE = 1024 * 1024;

const pause = async () => await new Promise((resolve) => setTimeout(resolve, 5));

/** What this process takes of memory while it does nothing. */
export function idleMemory(): number {
	globalThis.gc?.();
	return process.memoryUsage.rss();
}

/** What `work` takes of this process: time, CPU, memory on top of `memoryBefore`, the longest block. */
export async function measure(
	work: () => Promise<Figures>,
	memoryBefore: number,
): Promise<Figures> {
	let peak = idleMemory();
	const look = () => (peak = Math.max(peak, process.memoryUsage.rss()));
	const sampling = setInterval(look, SAMPLE_EVERY_MS);
	const blocks = monitorEventLoopDelay({ resolution: 1 });
	blocks.enable();
	// A block is noticed as the time between two turns of the loop, so it has to turn before and after.
	await pause();
	const cpuBefore = process.cpuUsage();
	const startedAt = performance.now();

	const figures = await work();

	const wallMs = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(cpuBefore);
	await pause();
	blocks.disable();
	clearInterval(sampling);
	look();
	return {
		wallMs,
		cpuMs: (user + system) / 1000,
		peakMemoryMB: (peak - memoryBefore) / MEGABYTE,
		longestBlockMs: blocks.max / 1e6,
		...figures,
	};
}
