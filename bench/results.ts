import type { FigureName, Figures, Medians, Variant } from './job';

/** The content of `benchmark.json`. */
export interface BenchmarkResults {
	measuredAt: string;
	isQuick: boolean;
	runs: number;
	latencyMs: number;
	machine: string;
	versions: Record<string, string>;
	jobs: JobResults[];
	growth: GrowthLine[];
}

export interface JobResults {
	name: string;
	title: string;
	size: number;
	figures: FigureName[];
	medians: Medians;
	runs: Partial<Record<Variant, Figures[]>>;
	goals: GoalResult[];
}

export interface GoalResult {
	description: string;
	value: number;
	atMost?: number;
	atLeast?: number;
}

/** The cost of a job by number of shipments. */
export interface GrowthLine {
	name: string;
	points: Array<{ size: number; wallMs: number; cpuMs: number }>;
}

export function isMet({ value, atMost = Infinity, atLeast = -Infinity }: GoalResult): boolean {
	return value <= atMost && value >= atLeast;
}
