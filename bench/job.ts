/** An implementation of a job that is measured. */
export type Variant = 'node' | 'httpRequest' | 'httpRequestInBatches' | 'n8nRequests' | 'bare';

export const variantNames: Readonly<Record<Variant, string>> = {
	node: 'this package',
	httpRequest: 'HTTP Request node',
	httpRequestInBatches: 'HTTP Request node in batches',
	n8nRequests: "n8n's request function only",
	bare: 'bare client',
};

export type FigureName =
	| 'wallMs'
	| 'cpuMs'
	| 'requests'
	| 'batches'
	| 'files'
	| 'peakMemoryMB'
	| 'stateKB'
	| 'longestBlockMs'
	| 'sizeKB';

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
	title: (size: number) => string;
	size: number;
	quickSize: number;
	/** The columns of the table. */
	figures: FigureName[];
	goals: Goal[];
	/** The number of results that the task must return. */
	expectedResults: (size: number) => number;
	seeding: (size: number) => SeedOptions;
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
	/** Each variant runs in its own process. */
	variants: Partial<Record<Variant, (context: RunContext) => Promise<Task>>>;
	/** Name of the job in the growth charts. Jobs without it are left out. */
	growth?: string;
}

/** Returns how many times the figure of one variant exceeds that of another. */
export function ratio(figure: FigureName, variant: Variant, to: Variant): Goal['value'] {
	return (medians) => (medians[variant]?.[figure] ?? NaN) / (medians[to]?.[figure] ?? NaN);
}

export function figureOf(figure: FigureName, variant: Variant = 'node'): Goal['value'] {
	return (medians) => medians[variant]?.[figure] ?? NaN;
}
