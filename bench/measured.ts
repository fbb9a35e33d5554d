import type { FigureName, Figures, Medians, Way } from './job';

/** Everything that a run of the benchmark has found out; `benchmark.json` is this. */
export interface Measured {
	measuredAt: string;
	isQuick: boolean;
	runs: number;
	latencyMs: number;
	machine: string;
	versions: Record<string, string>;
	jobs: MeasuredJob[];
	growth: GrowthLine[];
}

export interface MeasuredJob {
	name: string;
	title: string;
	size: number;
	figures: FigureName[];
	medians: Medians;
	runs: Partial<Record<Way, Figures[]>>;
	goals: MeasuredGoal[];
}

export interface MeasuredGoal {
	says: string;
	value: number;
	atMost?: number;
	atLeast?: number;
}

/** How the cost of a job grows with the number of shipments. */
export interface GrowthLine {
	name: string;
	points: Array<{ size: number; wallMs: number; cpuMs: number }>;
}

export function isMet({ value, atMost = Infinity, atLeast = -Infinity }: MeasuredGoal): boolean {
	return value <= atMost && value >= atLeast;
}
