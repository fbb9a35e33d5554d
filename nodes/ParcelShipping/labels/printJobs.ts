import type { IDataObject } from 'n8n-workflow';

import type { ItemResult, NodeRun } from '../actions/operation';
import { describeError, ItemError } from '../transport/errors';
import { explainPrintError, notAcceptedError } from './printErrors';

/** Labels for one printer. Two items with the same hash and printer are two jobs. */
export interface PrintJob {
	item: number;
	hash: string;
	printerName: string;
}

/** The outcome of a job that was sent. A job that was certainly not printed has no entry. */
export type PrintEntry =
	| { state: 'printed'; output: IDataObject }
	| { state: 'unknown'; message: string; description: string; details: IDataObject };

interface SavedPrintJobs {
	executionId: string;
	runIndex: number;
	entries: Record<string, PrintEntry>;
}

/**
 * Remembers print jobs while n8n runs the node again (*Retry On Fail*). `store` is the object that
 * survives such a retry.
 */
export class PrintLedger {
	private readonly entries: Record<string, PrintEntry>;

	constructor(store: IDataObject, execution: { executionId: string; runIndex: number }) {
		const saved = store.printJobs as unknown as SavedPrintJobs | undefined;
		this.entries = entriesFor(execution, saved);
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
	saved: SavedPrintJobs | undefined,
): Record<string, PrintEntry> {
	// In a loop, the next run prints the same hash again on purpose.
	if (saved?.runIndex !== runIndex) return {};
	if (saved.executionId === executionId) return saved.entries;
	// The user retries a failed execution and has checked the printer, so jobs with an unknown
	// outcome are sent again. Printed jobs are not.
	return Object.fromEntries(
		Object.entries(saved.entries).filter(([, { state }]) => state === 'printed'),
	);
}

function keyOf({ item, hash, printerName }: PrintJob): string {
	return JSON.stringify([item, hash, printerName]);
}

/** Sends a job once. If the ledger knows its outcome, or that it is unknown, nothing is sent. */
export async function sendPrintJob(
	{ client }: NodeRun,
	job: PrintJob,
	ledger: PrintLedger,
	timeoutMs: number,
): Promise<ItemResult> {
	const { item, hash, printerName } = job;
	const items = [item];
	const known = ledger.find(job);
	if (known?.state === 'printed') return { items, json: known.output };
	if (known) {
		return {
			items,
			failure: new ItemError(known.message, known.description, known.details, true),
		};
	}

	try {
		const answer = await client.call('sendToPrinter', { body: { hash, printerName } }, timeoutMs);
		if (!answer.result) return { items, failure: notAcceptedError(answer, job) };
		const output = { hash, printerName, printed: true, correlationId: answer.correlationId };
		ledger.write(job, { state: 'printed', output });
		return { items, json: output };
	} catch (thrown) {
		const { failure, mayHavePrinted } = explainPrintError(thrown, job);
		if (mayHavePrinted) ledger.write(job, { state: 'unknown', ...describeError(failure) });
		return { items, failure };
	}
}
