import type { Sandbox, SandboxShipment } from '../sandbox';

/** The implementations of a job that are measured. */
export const VARIANTS = {
	node: { name: 'this package', color: '#2f6fde' },
	httpRequest: { name: 'HTTP Request node', color: '#d9822b' },
	n8nRequests: { name: "n8n's request function only", color: '#4f9d69' },
	bare: { name: 'bare client', color: '#7a8594' },
} as const;
export type Variant = keyof typeof VARIANTS;

export const FIGURES = {
	wallMs: { title: 'Time', unit: 'ms' },
	cpuMs: { title: 'CPU', unit: 'ms' },
	requests: { title: 'Requests', unit: '' },
	batches: { title: 'Batches', unit: '' },
	peakMemoryMB: { title: 'Extra memory', unit: 'MB' },
	stateKB: { title: 'State', unit: 'kB' },
	longestBlockMs: { title: 'Longest block', unit: 'ms' },
} as const;
export type FigureName = keyof typeof FIGURES;
export type Figures = Partial<Record<FigureName, number>>;

/** What a run gets. */
export interface Run {
	size: number;
	/** Of the shipments in the sandbox. */
	ids: number[];
	numbers: string[];
	/** Whether the measured run follows. */
	isWarmUp: boolean;
}

/** The number of results proves that every variant did the same amount of work. */
export type Measured = Figures & { results: number };

/** Runs a job once. */
export type Task = (run: Run) => Promise<Measured>;

/** Each gets the base URL of the sandbox, in a process of its own. */
export type Variants = Partial<Record<Variant, (url: string) => Promise<Task>>>;

export type Medians = Partial<Record<Variant, Figures>>;

export interface Job {
	name: string;
	/** With `{size}` in place of the number. */
	title: string;
	size: number;
	quickSize: number;
	/** The columns of the table. */
	figures: FigureName[];
	/** The number of results that the task must return. Default: the size. */
	expectedResults?: (size: number) => number;
	/** Adds shipments to the empty sandbox before a run. */
	seed?: (sandbox: Sandbox, size: number) => SandboxShipment[];
	/** Size of the label files in the sandbox. */
	labelFileBytes?: (size: number) => number;
	/** Requests the events of each shipment, which proves the work of a poll without results. */
	tracksEach?: true;
	/** The measured run continues from the state after the warm-up. Default: the sandbox is reset. */
	afterWarmUp?: (sandbox: Sandbox, run: Run) => void;
	variants: Variants;
}

export function titleOf({ title }: Job, size: number): string {
	return title.replaceAll('{size}', size.toLocaleString('en'));
}
