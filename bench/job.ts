/** The implementations of a job that are measured. */
export const VARIANTS = {
	node: { name: 'this package', color: '#2f6fde' },
	httpRequest: { name: 'HTTP Request node', color: '#d9822b' },
	httpRequestInBatches: { name: 'HTTP Request node in batches', color: '#e0b54c' },
	n8nRequests: { name: "n8n's request function only", color: '#4f9d69' },
	bare: { name: 'bare client', color: '#7a8594' },
} as const;
export type Variant = keyof typeof VARIANTS;

export const FIGURES = {
	wallMs: { title: 'Time', unit: 'ms' },
	cpuMs: { title: 'CPU', unit: 'ms' },
	requests: { title: 'Requests', unit: '' },
	batches: { title: 'Batches', unit: '' },
	files: { title: 'Files', unit: '' },
	peakMemoryMB: { title: 'Extra memory', unit: 'MB' },
	stateKB: { title: 'State', unit: 'kB' },
	longestBlockMs: { title: 'Longest block', unit: 'ms' },
	sizeKB: { title: 'Tarball', unit: 'kB' },
} as const;
export type FigureName = keyof typeof FIGURES;
export type Figures = Partial<Record<FigureName, number>>;

/** Shipments of about the same age, whose last event may be younger than they are. */
export interface SeedGroup {
	/** The part of all shipments, from 0 to 1. */
	share: number;
	/** The age of the first and the last one. */
	hoursAgo: [from: number, to: number];
	lastEvent?: { category: string; hoursAgo: number };
}

/** The data in the sandbox before a run. */
export interface SeedOptions {
	shipments: number;
	/** Assigned to the shipments in turn. */
	services?: string[];
	/** Default: all were created in the last 30 hours. */
	groups?: SeedGroup[];
	/** Size of the label files. By default, real labels are rendered. */
	labelFileBytes?: number;
	/** Delay of each creation, in addition to the latency of every response. */
	creationMs?: number;
}

/** The shipments that the sandbox contains before a run. */
export interface SeededShipments {
	ids: number[];
	numbers: string[];
}

export interface RunContext {
	/** Base URL of the sandbox. */
	url: string;
	/** A temporary folder for files. */
	folder: string;
}

/** Runs a job once. The number of results proves that every variant did the same amount of work. */
export type Task = (
	size: number,
	seeded: SeededShipments,
) => Promise<{ results: number } & Figures>;

/** Each variant runs in its own process. */
export type Variants = Partial<Record<Variant, (context: RunContext) => Promise<Task>>>;

export type Medians = Partial<Record<Variant, Figures>>;

export interface Goal {
	description: string;
	/** NaN if a figure is missing. */
	value: (medians: Medians) => number;
	atMost?: number;
	atLeast?: number;
}

export interface Job {
	name: string;
	/** With `{size}` in place of the number. */
	title: string;
	size: number;
	quickSize: number;
	/** The columns of the table. */
	figures: FigureName[];
	goals: Goal[];
	/** The number of results that the task must return. Default: the size. */
	expectedResults?: (size: number) => number;
	/** Default: no shipments. */
	seeding?: (size: number) => SeedOptions;
	/** The measured run sends no requests. */
	isOffline?: true;
	/** Is measured in a new process, without a warm-up. */
	isCold?: true;
	/** Requests the events of each shipment, which proves the work of a poll without results. */
	tracksEach?: true;
	/** Number of seeded shipments that get an event between the warm-up and the measured run. */
	newEvents?: (size: number) => number;
	/** Default: `size`. The sandbox is reset after the warm-up, unless `newEvents` is set. */
	warmUpSize?: number;
	/** Limits the number of runs of a job that takes minutes. */
	maxRuns?: number;
	variants: Variants;
	/** Name of the job in the growth charts. Jobs without it are left out. */
	growth?: string;
}

export function titleOf({ title }: Job, size: number): string {
	return title.replaceAll('{size}', size.toLocaleString('en'));
}

/** Returns how many times the figure of one variant exceeds that of another. */
export function ratio(figure: FigureName, variant: Variant, to: Variant): Goal['value'] {
	return (medians) => (medians[variant]?.[figure] ?? NaN) / (medians[to]?.[figure] ?? NaN);
}

/** Limits the time of this package compared to what n8n's request function takes alone. */
export function timeGoal(what: string, atMost: number, condition = ''): Goal {
	return {
		description: `${what}: time compared to n8n's request function${condition}`,
		value: ratio('wallMs', 'node', 'n8nRequests'),
		atMost,
	};
}

/** Limits a figure of this package. */
export function figureGoal(description: string, figure: FigureName, atMost: number): Goal {
	return { description, value: (medians) => medians.node?.[figure] ?? NaN, atMost };
}
