import type { IDataObject } from 'n8n-workflow';

import { groupBy } from '../lists';
import { describeError, ItemError } from '../transport/errors';
import { explainPrintError, notAcceptedError } from './printErrors';
import type { PrintLedger } from './printLedger';
import type { ItemResult, NodeRun } from '../run';

/** How long a printer may take to accept a job. */
export const PRINT_TIMEOUT_MS = 60_000;

/** One hash for one printer, and the items that it prints. */
export interface PrintJob {
	items: [number, ...number[]];
	hash: string;
	printerName: string;
	/** What the output says besides hash and printer. */
	labels: IDataObject;
	/** Distinguishes jobs with the same hash and printer. */
	copy?: number;
	/** One output item for all items. The labels of a carrier cannot be told apart by item. */
	isCombined?: true;
}

export interface HashItem {
	item: number;
	hash: string;
	printerName: string;
	/** Send the hash also if another item has it. */
	repeat: boolean;
}

/** Each pair of hash and printer becomes one job, unless the user wants copies. */
export function planHashJobs(items: readonly HashItem[]): PrintJob[] {
	const pairs = groupBy(items, ({ item, hash, printerName, repeat }) =>
		JSON.stringify([hash, printerName, repeat ? item : undefined]),
	);
	return [...pairs.values()].map(([first, ...others]) => ({
		items: [first.item, ...others.map(({ item }) => item)],
		hash: first.hash,
		printerName: first.printerName,
		labels: {},
		...(first.repeat ? { copy: first.item } : {}),
	}));
}

/** Sends a job once. If the ledger knows its outcome, or that it is unknown, nothing is sent. */
export async function sendPrintJob(
	{ client }: NodeRun,
	job: PrintJob,
	ledger: PrintLedger,
	timeoutMs: number,
): Promise<ItemResult[]> {
	const { hash, printerName, labels } = job;
	const known = ledger.find(job);
	if (known?.state === 'printed') return outputsOf(job, known.output);
	if (known) {
		return failuresOf(job, new ItemError(known.message, known.description, known.details, true));
	}

	try {
		const answer = await client.call('sendToPrinter', { body: { hash, printerName } }, timeoutMs);
		if (!answer.result) return failuresOf(job, notAcceptedError(answer, job));
		const { correlationId } = answer;
		const output = { ...labels, hash, printerName, printed: true, correlationId };
		ledger.write(job, { state: 'printed', output });
		return outputsOf(job, output);
	} catch (thrown) {
		const { failure, mayHavePrinted } = explainPrintError(thrown, job);
		if (mayHavePrinted) ledger.write(job, { state: 'unknown', ...describeError(failure) });
		return failuresOf(job, failure);
	}
}

function outputsOf({ items, isCombined }: PrintJob, output: IDataObject): ItemResult[] {
	if (isCombined) return [{ items, json: output }];
	const [first] = items;
	return items.map((item) => ({
		items: [item],
		json: item === first ? output : { ...output, printedWithItem: first },
	}));
}

function failuresOf({ items, isCombined }: PrintJob, failure: unknown): ItemResult[] {
	if (isCombined) return [{ items, failure }];
	return items.map((item) => ({ items: [item], failure }));
}
