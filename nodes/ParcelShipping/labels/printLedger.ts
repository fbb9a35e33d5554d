import type { IDataObject } from 'n8n-workflow';

/** One sheet of labels for one printer. Two items with the same words are two jobs. */
export interface PrintJob {
	item: number;
	hash: string;
	printerName: string;
}

/** What became of a job that was sent. A job that surely was not printed has no entry. */
export type PrintEntry =
	| { state: 'printed'; output: IDataObject }
	| { state: 'open'; message: string; description: string; details: IDataObject };

interface Ledger {
	executionId: string;
	runIndex: number;
	entries: Record<string, PrintEntry>;
}

/**
 * Remembers print jobs while n8n runs the node again after a failed try. `store` is the one object
 * that survives such a try.
 */
export class PrintLedger {
	private readonly entries: Record<string, PrintEntry>;

	constructor(store: IDataObject, execution: { executionId: string; runIndex: number }) {
		const kept = store.printJobs as unknown as Ledger | undefined;
		this.entries = entriesFor(execution, kept);
		store.printJobs = { ...execution, entries: this.entries } as unknown as IDataObject;
	}

	find(job: PrintJob): PrintEntry | undefined {
		return this.entries[keyOf(job)];
	}

	write(job: PrintJob, entry: PrintEntry): void {
		this.entries[keyOf(job)] = entry;
	}
}

function entriesFor(
	{ executionId, runIndex }: { executionId: string; runIndex: number },
	kept: Ledger | undefined,
): Record<string, PrintEntry> {
	// In a loop, the next round prints the same hash again on purpose.
	if (kept?.runIndex !== runIndex) return {};
	if (kept.executionId === executionId) return kept.entries;
	// A user retries a failed execution: what was printed stays so, what was open they have looked at.
	return Object.fromEntries(
		Object.entries(kept.entries).filter(([, { state }]) => state === 'printed'),
	);
}

function keyOf({ item, hash, printerName }: PrintJob): string {
	return JSON.stringify([item, hash, printerName]);
}
