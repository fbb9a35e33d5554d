import { checkRun } from './checkRun';
import { type Figures, type Job, type SeededShipments, titleOf, type Variant } from './job';
import { ChildProcess } from './processes/ipc';
import type { Received } from './processes/sandboxActions';
import { type GrowthLine, mediansOf, type Runs } from './results';
import type { Settings } from './settings';

export { mediansOf } from './results';

const GROWTH_RUNS = 3;

export class SandboxProcess extends ChildProcess {
	url = '';

	static async start(latencyMs: number): Promise<SandboxProcess> {
		const sandbox = new SandboxProcess('sandboxProcess.ts');
		sandbox.url = await sandbox.request('start', latencyMs);
		return sandbox;
	}

	async seed({ seeding }: Job, size: number): Promise<SeededShipments> {
		return await this.request('seed', seeding?.(size) ?? { shipments: 0 });
	}
}

/**
 * Runs all variants in turn, each run in its own process. Every round starts with another variant,
 * so that none always runs first.
 */
export async function runInterleaved(
	job: Job,
	size: number,
	rounds: number,
	sandbox: SandboxProcess,
	log: (progress: string) => void,
	only?: Variant[],
): Promise<Runs> {
	const all = Object.keys(job.variants) as Variant[];
	const variants = all.filter((variant) => !only || only.includes(variant));
	const runs: Runs = {};
	for (let round = 0; round < rounds; round++) {
		for (let turn = 0; turn < variants.length; turn++) {
			const variant = variants[(round + turn) % variants.length] as Variant;
			const figures = await runOnce(job, variant, size, sandbox);
			(runs[variant] ??= []).push(figures);
			const { wallMs = 0, cpuMs = 0, requests } = figures;
			const summary = `${wallMs.toFixed()} ms, CPU ${cpuMs.toFixed()} ms, ${requests} requests`;
			log(`${titleOf(job, size)}, round ${round + 1} of ${rounds}, ${variant}: ${summary}`);
		}
	}
	return runs;
}

async function runOnce(
	job: Job,
	variant: Variant,
	size: number,
	sandbox: SandboxProcess,
): Promise<Figures> {
	const worker = new ChildProcess('worker.ts', [job.name, variant, sandbox.url]);
	try {
		await worker.request('prepare');
		// With new events, the measured run continues from the state after the warm-up.
		const warmUpSize = job.newEvents ? size : Math.min(size, job.warmUpSize ?? job.size);
		let seeded = await sandbox.seed(job, warmUpSize);
		if (!job.isCold) await worker.request('warmUp', { size: warmUpSize, seeded });
		if (job.newEvents) {
			const numbers = sampleEvenly(seeded.numbers, job.newEvents(size));
			await sandbox.request('addEvents', numbers);
		} else seeded = await sandbox.seed(job, size);

		await sandbox.request('clearRequests');
		const measured = await worker.request<Figures>('measure', { size, seeded });
		const { trackedShipments, ...counts } = await sandbox.request<Received>('countReceived');
		const figures = { ...measured, ...counts };
		checkRun(job, variant, figures, { size, trackedShipments });
		return figures;
	} finally {
		await worker.stop();
	}
}

function sampleEvenly(values: string[], count: number): string[] {
	const step = values.length / count;
	return Array.from({ length: count }, (_, index) => values[Math.floor(index * step)] as string);
}

/** Measures jobs of this package with a growing number of shipments. */
export async function measureGrowth(
	{ jobs, growthSizes, isQuick }: Settings,
	sandbox: SandboxProcess,
): Promise<GrowthLine[]> {
	const lines: GrowthLine[] = [];
	const runs = isQuick ? 1 : GROWTH_RUNS;
	for (const job of jobs.filter(({ growth }) => growth)) {
		const line: GrowthLine = { name: job.growth as string, points: [] };
		for (const size of growthSizes) {
			const figures = await runInterleaved(job, size, runs, sandbox, console.log, ['node']);
			const { wallMs = NaN, cpuMs = NaN } = mediansOf(figures).node ?? {};
			line.points.push({ size, wallMs, cpuMs });
		}
		lines.push(line);
	}
	return lines;
}
