import { checkRun } from './checkRun';
import type { Figures, Job, Medians, SeededShipments, Variant } from './job';
import { ChildProcess } from './processes/ipc';
import type { Received } from './processes/sandboxActions';
import type { GrowthLine } from './results';
import type { Settings } from './settings';

/** The figures of each run. */
export type Runs = Partial<Record<Variant, Figures[]>>;

const GROWTH_RUNS = 3;

export class SandboxProcess {
	private constructor(
		private readonly child: ChildProcess,
		readonly url: string,
	) {}

	static async start(latencyMs: number): Promise<SandboxProcess> {
		const child = new ChildProcess('sandboxProcess.ts');
		return new SandboxProcess(child, await child.request<string>('start', latencyMs));
	}

	async seed(job: Job, size: number): Promise<SeededShipments> {
		return await this.child.request<SeededShipments>('seed', job.seeding(size));
	}

	async addEvents(numbers: string[]): Promise<void> {
		await this.child.request('addEvents', numbers);
	}

	async clearRequests(): Promise<void> {
		await this.child.request('clearRequests');
	}

	async countReceived(): Promise<Received> {
		return await this.child.request<Received>('countReceived');
	}

	async stop(): Promise<void> {
		await this.child.stop();
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
			log(`${job.title(size)}, round ${round + 1} of ${rounds}, ${variant}: ${summarize(figures)}`);
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
		if (job.newEvents) await sandbox.addEvents(sampleEvenly(seeded.numbers, job.newEvents(size)));
		else seeded = await sandbox.seed(job, size);

		await sandbox.clearRequests();
		const measured = await worker.request<Figures>('measure', { size, seeded });
		const { requests: counts, trackedShipments } = await sandbox.countReceived();
		const requests = Object.values(counts).reduce((sum, count) => sum + count, 0);
		const batches = (counts.createShipments ?? 0) + (counts.createShipmentsOfCarrier ?? 0);
		const figures = { ...measured, requests, batches };
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

function summarize({ wallMs = 0, cpuMs = 0, requests = 0 }: Figures): string {
	return `${Math.round(wallMs)} ms, CPU ${Math.round(cpuMs)} ms, ${requests} requests`;
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

export function mediansOf(runs: Runs): Medians {
	const medians: Medians = {};
	for (const [variant, list] of Object.entries(runs) as Array<[Variant, Figures[]]>) {
		const names = Object.keys(list[0] ?? {}) as Array<keyof Figures>;
		medians[variant] = Object.fromEntries(
			names.map((name) => [name, median(list.map((figures) => figures[name] ?? NaN))]),
		);
	}
	return medians;
}

function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	if (sorted.length % 2 === 1) return sorted[middle] as number;
	return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
