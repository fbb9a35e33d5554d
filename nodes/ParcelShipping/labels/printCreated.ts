import type { OrderResult } from '../creation/types';
import { groupBy } from '../lists';
import { describeError } from '../transport/errors';
import { type LabelRequest, MAX_SHIPMENTS_PER_REQUEST, planLabelRequests } from './labelRequests';
import { readPrinted } from './printedBefore';
import { PRINT_TIMEOUT_MS, type PrintJob, sendPrintJob } from './printJobs';
import type { PrintLedger } from './printLedger';
import type { PrintResults } from './printResults';
import { createJobs } from './printShipments';
import type { ItemResult, NodeRun } from '../run';

/** A shipment, or a piece of one, whose label is to be printed. */
interface Label {
	id: number;
	items: PrintJob['items'];
	carrierCode: string;
	printerName: string;
	/** Prints all labels of the batch in which the shipment was created. */
	batchHash: string | null;
	alreadyExisted: boolean;
	/** Whether the label may have been printed before this run. */
	isUncertain: boolean;
	printed: boolean | undefined;
}

type Jobs = Array<PrintJob | { failure: unknown }>;

export type PrinterOf = (itemIndex: number) => string;

/**
 * Prints the labels of all shipments once: new ones with the hash of their batch, existing ones only
 * if their records say that they were not printed. Never throws, because the shipments exist anyway.
 */
export async function printCreated(
	run: NodeRun,
	results: readonly OrderResult[],
	printerOf: PrinterOf,
	ledger: PrintLedger,
	timeoutMs: number,
): Promise<PrintResults> {
	const labels = labelsOf(results, printerOf);
	const outcomes: PrintResults = new Map();
	const jobs = new Map<number, Jobs>();
	for (const { id } of labels) {
		const earlier = ledger.jobsOf(id);
		if (earlier) jobs.set(id, earlier);
	}
	const unplanned = labels.filter(({ id }) => !jobs.has(id));
	const { inBatches, single } = splitByBatch(unplanned);
	for (const batch of inBatches) {
		const job = batchJob(batch);
		for (const { id } of batch) jobs.set(id, [job]);
	}
	const { toPrint, skipped } = await selectUnprinted(run, single);
	for (const [id, reason] of skipped) outcomes.set(id, { labelNotPrinted: reason });
	await planRequests(run, toPrint, ledger, jobs);
	for (const { id } of unplanned) {
		const planned = (jobs.get(id) ?? []).filter((job) => 'hash' in job);
		if (planned.length > 0) ledger.assign(id, planned);
	}
	await send(run, jobs, ledger, Math.min(timeoutMs, PRINT_TIMEOUT_MS), outcomes);
	return outcomes;
}

/** *Dry Run*: what would be printed, by item. */
export async function previewPrinting(
	run: NodeRun,
	results: readonly OrderResult[],
	printerOf: PrinterOf,
): Promise<PrintResults> {
	const labels = labelsOf(results, printerOf);
	const { toPrint, skipped } = await selectUnprinted(run, labels);
	const isPrinted = new Set(toPrint.map(({ id }) => id));
	return new Map(
		labels.map(({ id, items: [item], printerName }) => [
			item,
			isPrinted.has(id)
				? { wouldPrintOn: printerName }
				: { wouldPrintOn: null, labelNotPrinted: skipped.get(id) },
		]),
	);
}

function labelsOf(results: readonly OrderResult[], printerOf: PrinterOf): Label[] {
	return results.flatMap(({ orders, pieces }) => {
		const items = orders.map(({ itemIndex }) => itemIndex).sort((a, b) => a - b);
		const [first] = orders;
		if (!first) return [];
		return pieces.map(({ row, batch, alreadyExisted, recovered, printed }) => ({
			id: Number(row.id),
			items: items as PrintJob['items'],
			carrierCode: row.carrierCode ?? first.carrierCode,
			printerName: printerOf(first.itemIndex),
			batchHash: (!alreadyExisted && batch?.labelsHash) || null,
			alreadyExisted,
			isUncertain: alreadyExisted || recovered,
			printed,
		}));
	});
}

/** A hash prints its whole batch. If items have different printers, labels are requested by ID. */
function splitByBatch(labels: readonly Label[]): { inBatches: Label[][]; single: Label[] } {
	const batches = [...groupBy(labels, ({ batchHash }) => batchHash)].map(([hash, batch]) => ({
		batch,
		isOneJob:
			hash !== null && batch.every(({ printerName }) => printerName === batch[0].printerName),
	}));
	return {
		inBatches: batches.filter(({ isOneJob }) => isOneJob).map(({ batch }) => batch),
		single: batches.filter(({ isOneJob }) => !isOneJob).flatMap(({ batch }) => batch),
	};
}

function batchJob(batch: readonly Label[]): PrintJob {
	const { batchHash, printerName } = batch[0] as Label;
	const items = [...new Set(batch.flatMap((label) => label.items))] as PrintJob['items'];
	return { items, hash: batchHash as string, printerName, labels: {}, isCombined: true };
}

/** Leaves out labels that were printed before. Without certainty, an existing one is not printed. */
async function selectUnprinted(
	{ client }: NodeRun,
	labels: readonly Label[],
): Promise<{ toPrint: Label[]; skipped: Map<number, string> }> {
	const skipped = new Map<number, string>();
	const unclear = labels.filter(({ isUncertain, printed }) => isUncertain && printed === undefined);
	const read = await readPrinted(client, unclear).catch((thrown: unknown) => {
		for (const { id } of unclear) skipped.set(id, describeError(thrown).message);
		return new Map<number, boolean>();
	});
	for (const { id, isUncertain, alreadyExisted, printed = read.get(id) } of labels) {
		if (!isUncertain || skipped.has(id)) continue;
		if (printed) skipped.set(id, PRINTED_BEFORE);
		else if (printed === undefined && alreadyExisted) skipped.set(id, UNKNOWN);
	}
	return { toPrint: labels.filter(({ id }) => !skipped.has(id)), skipped };
}

const PRINTED_BEFORE =
	'The service says that this label was printed before. To print it again, use Label, Send to Printer';
const UNKNOWN =
	'The service does not say whether the label of this existing shipment was printed. To print it, use Label, Send to Printer';

/** One request and one job per printer and carrier. */
async function planRequests(
	run: NodeRun,
	labels: readonly Label[],
	ledger: PrintLedger,
	jobs: Map<number, Jobs>,
): Promise<void> {
	const groups = groupBy(labels, ({ printerName, carrierCode }) =>
		JSON.stringify([printerName, carrierCode]),
	);
	const requests = [...groups.values()].flatMap((group) => {
		const { printerName } = group[0];
		const itemLabels = group.map(({ id, items: [item] }) => ({
			item,
			shipmentIds: [id],
			settings: { format: 'pdf' as const },
		}));
		return planLabelRequests(itemLabels, MAX_SHIPMENTS_PER_REQUEST).map(
			(request): [string, LabelRequest] => [printerName, request],
		);
	});
	await run.client.mapParallel(requests, async ([printerName, request]) => {
		const planned = await createJobs(run, printerName, request, ledger);
		for (const id of request.shipmentIds) jobs.set(id, planned);
	});
}

/** The jobs of one printer are sent one after another. */
async function send(
	run: NodeRun,
	jobs: ReadonlyMap<number, Jobs>,
	ledger: PrintLedger,
	timeoutMs: number,
	outcomes: PrintResults,
): Promise<void> {
	const toSend = new Map(
		[...jobs.values()]
			.flat()
			.filter((job) => 'hash' in job)
			.map((job) => [JSON.stringify([job.printerName, job.hash]), job]),
	);
	const results = new Map<string, ItemResult | undefined>();
	const queues = [...groupBy([...toSend], ([, { printerName }]) => printerName).values()];
	await run.client.mapParallel(queues, async (queue) => {
		for (const [key, job] of queue) {
			const [result] = await sendPrintJob(run, job, ledger, timeoutMs);
			results.set(key, result);
		}
	});
	for (const [id, ofShipment] of jobs) {
		const failures = ofShipment.flatMap((job) => {
			if ('failure' in job) return [job.failure];
			const result = results.get(JSON.stringify([job.printerName, job.hash]));
			return result && 'failure' in result ? [result.failure] : [];
		});
		const [first] = ofShipment.filter((job) => 'hash' in job);
		outcomes.set(id, {
			...(failures.length > 0
				? { labelNotPrinted: describeError(failures[0]).message }
				: { printedOn: first?.printerName ?? null }),
			...(first ? { labelsHash: first.hash } : {}),
		});
	}
}
