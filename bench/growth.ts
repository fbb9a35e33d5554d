import type { GrowthLine } from './measured';
import { mediansOf, runInterleaved, type SandboxProcess } from './rounds';
import type { Settings } from './settings';

const RUNS = 3;

/** Jobs of this package alone, over more and more shipments. */
export async function measureGrowth(
	{ jobs, growthSizes, isQuick }: Settings,
	sandbox: SandboxProcess,
): Promise<GrowthLine[]> {
	const lines: GrowthLine[] = [];
	for (const job of jobs.filter(({ growth }) => growth)) {
		const line: GrowthLine = { name: job.growth as string, points: [] };
		for (const size of growthSizes) {
			const runs = await runInterleaved(job, size, isQuick ? 1 : RUNS, sandbox, console.log, [
				'node',
			]);
			const { wallMs = NaN, cpuMs = NaN } = mediansOf(runs).node ?? {};
			line.points.push({ size, wallMs, cpuMs });
		}
		lines.push(line);
	}
	return lines;
}
