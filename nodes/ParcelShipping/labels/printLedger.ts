import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { LabelGroup } from '../transport/contract';
import type { PrintJob } from './printJobs';

/** The outcome of a job that was sent. A job that was certainly not printed has no entry. */
export type PrintEntry =
	| { state: 'printed'; output: IDataObject }
	| { state: 'unknown'; message: string; description: string; details: IDataObject };

interface SavedPrintJobs {
	executionId: string;
	runIndex: number;
	entries: Record<string, PrintEntry>;
	labels: Record<string, LabelGroup[]>;
	/** The jobs that print each shipment, by its ID. */
	shipments: Record<string, PrintJob[]>;
	/** Shipments that were printed before the first try. */
	printedBefore: Record<string, boolean>;
}

interface Execution {
	executionId: string;
	runIndex: number;
}

/**
 * Remembers print jobs while n8n runs the node again (*Retry On Fail*). `store` is the object that
 * survives such a retry.
 */
export class PrintLedger {
	private readonly entries: SavedPrintJobs['entries'];
	private readonly labels: SavedPrintJobs['labels'];
	private readonly shipments: SavedPrintJobs['shipments'];
	/** A try that creates labels may change what the service says, so the first try decides. */
	readonly printedBefore: SavedPrintJobs['printedBefore'];

	constructor(store: IDataObject, execution: Execution) {
		const saved = store.printJobs as unknown as SavedPrintJobs | undefined;
		// In a loop, the next run prints the same hash again on purpose.
		const isRetry = saved?.runIndex === execution.runIndex;
		this.entries = isRetry ? entriesFor(execution, saved) : {};
		this.labels = isRetry ? saved.labels : {};
		this.shipments = (isRetry && saved.shipments) || {};
		this.printedBefore = (isRetry && saved.printedBefore) || {};
		const { entries, labels, shipments, printedBefore } = this;
		store.printJobs = {
			...execution,
			entries,
			labels,
			shipments,
			printedBefore,
		} as unknown as IDataObject;
	}

	find(job: PrintJob): PrintEntry | undefined {
		return this.entries[keyOf(job)];
	}

	write(job: PrintJob, entry: PrintEntry): void {
		this.entries[keyOf(job)] = entry;
	}

	/** The labels of shipments keep their hash in a retry. With a new hash, they would print again. */
	findLabels(printerName: string, shipmentIds: readonly number[]): LabelGroup[] | undefined {
		return this.labels[JSON.stringify([printerName, ...shipmentIds])];
	}

	writeLabels(printerName: string, shipmentIds: readonly number[], groups: LabelGroup[]): void {
		this.labels[JSON.stringify([printerName, ...shipmentIds])] = groups;
	}

	/** A retry may know more shipments than the first try. Those of the first try keep their jobs. */
	jobsOf(shipmentId: number): PrintJob[] | undefined {
		return this.shipments[shipmentId];
	}

	assign(shipmentId: number, jobs: PrintJob[]): void {
		this.shipments[shipmentId] = jobs;
	}
}

/** The ledger of this run of the node. */
export function openPrintLedger(context: IExecuteFunctions): PrintLedger {
	return new PrintLedger(context.getContext('node'), {
		executionId: context.getExecutionId(),
		runIndex: context.getWorkflowDataProxy(0).$runIndex as number,
	});
}

function entriesFor({ executionId }: Execution, saved: SavedPrintJobs): SavedPrintJobs['entries'] {
	if (saved.executionId === executionId) return saved.entries;
	// The user retries a failed execution and has checked the printer, so jobs with an unknown
	// outcome are sent again. Printed jobs are not.
	return Object.fromEntries(
		Object.entries(saved.entries).filter(([, { state }]) => state === 'printed'),
	);
}

function keyOf({ hash, printerName, copy }: PrintJob): string {
	return JSON.stringify([hash, printerName, copy]);
}
