import type { Figures, Job, Seeded, Way } from './job';
import { Companion } from './processes/conversation';

/** Figures of each run, by way. */
export type Runs = Partial<Record<Way, Figures[]>>;

export class SandboxProcess {
	private constructor(
		private readonly companion: Companion,
		readonly url: string,
	) {}

	static async start(latencyMs: number): Promise<SandboxProcess> {
		const companion = new Companion('sandbox.ts');
		return new SandboxProcess(companion, await companion.ask<string>('start', latencyMs));
	}

	async seed(job: Job, size: number): Promise<Seeded> {
		return await this.companion.ask<Seeded>('seed', job.seeding(size));
	}

	async addNews(numbers: string[]): Promise<void> {
		await this.companion.ask('addNews', numbers);
	}

	async forgetRequests(): Promise<void> {
		await this.companion.ask('forgetRequests');
	}

	async countRequests(): Promise<Record<string, number>> {
		return await this.companion.ask<Record<string, number>>('countRequests');
	}

	async end(): Promise<void> {
		await this.companion.end();
	}
}

/** Every way in turn, each run in a process of its own, each round beginning with another way. */
export async function runInterleaved(
	job: Job,
	size: number,
	rounds: number,
	sandbox: SandboxProcess,
	tell: (progress: string) => void,
	only?: Way[],
): Promise<Runs> {
	const ways = (Object.keys(job.ways) as Way[]).filter((way) => !only || only.includes(way));
	const runs: Runs = {};
	for (let round = 0; round < rounds; round++) {
		for (let turn = 0; turn < ways.length; turn++) {
			const way = ways[(round + turn) % ways.length] as Way;
			const figures = await runOnce(job, way, size, sandbox);
			(runs[way] ??= []).push(figures);
			tell(`${job.title(size)}, round ${round + 1} of ${rounds}, ${way}: ${shown(figures)}`);
		}
	}
	return runs;
}

async function runOnce(
	job: Job,
	way: Way,
	size: number,
	sandbox: SandboxProcess,
): Promise<Figures> {
	const worker = new Companion('worker.ts', [job.name, way, sandbox.url]);
	try {
		await worker.ask('prepare');
		// With news in between, the measured work goes on where the warm-up has stopped.
		const warmUpSize = job.newsBetween ? size : Math.min(size, job.warmUpSize ?? job.size);
		let seeded = await sandbox.seed(job, warmUpSize);
		await worker.ask('warmUp', { size: warmUpSize, seeded });
		if (job.newsBetween) await sandbox.addNews(everyOf(seeded.numbers, job.newsBetween(size)));
		else seeded = await sandbox.seed(job, size);

		await sandbox.forgetRequests();
		const figures = await worker.ask<Figures>('measure', { size, seeded });
		const counts = await sandbox.countRequests();
		const requests = Object.values(counts).reduce((sum, count) => sum + count, 0);
		const batches = (counts.createShipments ?? 0) + (counts.createShipmentsOfCarrier ?? 0);
		return { ...figures, requests, batches };
	} finally {
		await worker.end();
	}
}

/** So many of them, spread evenly. */
function everyOf(values: string[], count: number): string[] {
	const step = values.length / count;
	return Array.from({ length: count }, (_, index) => values[Math.floor(index * step)] as string);
}

function shown({ wallMs = 0, cpuMs = 0, requests = 0 }: Figures): string {
	return `${Math.round(wallMs)} ms, CPU ${Math.round(cpuMs)} ms, ${requests} requests`;
}

export function mediansOf(runs: Runs): Partial<Record<Way, Figures>> {
	const medians: Partial<Record<Way, Figures>> = {};
	for (const [way, list] of Object.entries(runs) as Array<[Way, Figures[]]>) {
		const names = Object.keys(list[0] ?? {}) as Array<keyof Figures>;
		medians[way] = Object.fromEntries(
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
