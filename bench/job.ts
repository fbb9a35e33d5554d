/** Who does the job. */
export type Way = 'node' | 'httpRequest' | 'httpRequestInBatches' | 'n8nRequests' | 'bare';

export const wayNames: Readonly<Record<Way, string>> = {
	node: 'this package',
	httpRequest: 'HTTP Request node',
	httpRequestInBatches: 'HTTP Request node in batches',
	n8nRequests: "n8n's request function alone",
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

/** What the sandbox holds before the work begins. */
export interface Seeding {
	shipments: number;
	/** Taken in turn, one shipment each. */
	services?: string[];
	/** Label files of this size, instead of drawn ones. */
	labelFileBytes?: number;
}

/** What the work is about: shipments that the sandbox holds. */
export interface Seeded {
	ids: number[];
	numbers: string[];
}

export interface Place {
	/** Base address of the sandbox's interface. */
	url: string;
	/** A folder for files, gone afterwards. */
	folder: string;
}

/** Does the job once and says how many results came out, so that nobody wins by doing less. */
export type Work = (size: number, seeded: Seeded) => Promise<{ results: number } & Figures>;

export type Medians = Partial<Record<Way, Figures>>;

export interface Goal {
	says: string;
	/** NaN while a figure that it needs is missing. */
	value: (medians: Medians) => number;
	atMost?: number;
	atLeast?: number;
}

export interface Job {
	name: string;
	title: (size: number) => string;
	size: number;
	quickSize: number;
	/** Shown in this order. */
	figures: FigureName[];
	goals: Goal[];
	/** How many results the work has to give. */
	expected: (size: number) => number;
	seeding: (size: number) => Seeding;
	/** How many of the seeded shipments get an event between the warm-up and the measured work. */
	newsBetween?: (size: number) => number;
	/** By default `size`. After the warm-up the sandbox begins anew, unless there is news. */
	warmUpSize?: number;
	/** Each way is prepared in a process of its own. */
	ways: Partial<Record<Way, (place: Place) => Promise<Work>>>;
	/** Its name in the chart that shows how cost grows; without, it is not in it. */
	growth?: string;
}

/** How many times as much one way takes as another. */
export function ratio(figure: FigureName, way: Way, to: Way): Goal['value'] {
	return (medians) => (medians[way]?.[figure] ?? NaN) / (medians[to]?.[figure] ?? NaN);
}

export function figureOf(figure: FigureName, way: Way = 'node'): Goal['value'] {
	return (medians) => medians[way]?.[figure] ?? NaN;
}
