import type { FigureName, Figures, Job, Medians, Variant } from './job';

/** The content of `benchmark.json`. */
export interface BenchmarkResults {
	measuredAt: string;
	isQuick: boolean;
	latencyMs: number;
	machine: string;
	versions: Record<string, string>;
	jobs: JobResults[];
	growth: GrowthLine[];
}

/** Only the figures that the page shows. The rest of the page is in the definition of the job. */
export interface JobResults {
	name: string;
	size: number;
	runs: number;
	medians: Medians;
}

/** The cost of a job by number of shipments. */
export interface GrowthLine {
	name: string;
	points: Array<{ size: number; wallMs: number; cpuMs: number }>;
}

/** The figures of each run. */
export type Runs = Partial<Record<Variant, Figures[]>>;

export function resultsOf({ name, figures }: Job, size: number, runs: Runs): JobResults {
	const counts = Object.values(runs).map((list) => list.length);
	return { name, size, runs: Math.max(...counts), medians: mediansOf(runs, figures) };
}

/** Without a list of figures, returns the medians of all. */
export function mediansOf(runs: Runs, figures?: FigureName[]): Medians {
	const medians = Object.entries(runs).map(([variant, list]) => {
		const measured = Object.keys(list[0] ?? {}) as FigureName[];
		const names = measured.filter((name) => !figures || figures.includes(name));
		const valuesOf = (name: FigureName) => list.map((each) => each[name] ?? NaN);
		return [variant, Object.fromEntries(names.map((name) => [name, median(valuesOf(name))]))];
	});
	return Object.fromEntries(medians) as Medians;
}

function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const [low = NaN, high = low] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
	return (low + high) / 2;
}
