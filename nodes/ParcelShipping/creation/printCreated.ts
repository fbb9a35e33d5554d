import {
	planShipmentJobs,
	PRINT_TIMEOUT_MS,
	printJobs,
	readEarlierPrints,
	readPiecesOf,
	type ShipmentsJob,
} from '../labels/print';
import { jobKeyOf } from '../labels/printJob';
import { groupBy } from '../lists';
import { referenceOf } from '../orders/order';
import { searchStart } from '../records';
import { type ItemResult, nameFailedItems, type NodeRun } from '../run';
import { describeError } from '../transport/errors';
import { type FoundShipment, isLiving } from '../transport/shipmentRecords';
import { wantedOf } from './lookUp';
import {
	addResults,
	CANCELED,
	failuresOf,
	type Label,
	labelsOf,
	noteNotPrinted,
	PRINTED_BEFORE,
	printHintsOf,
	type PrintOptions,
	type PrintResults,
	SECOND,
	UNKNOWN,
} from './printResults';
import type { OrderOutcome } from './types';

/**
 * Prints the labels of all shipments once:
 * 1. Labels that the records read after creating keep from being printed are left out.
 * 2. A batch that this try has created, and of which every label is to be printed, is printed with its hash.
 * 3. Of the other labels, the records are read again, because another process may have printed them meanwhile.
 * 4. The rest is printed with new hashes.
 *
 * What an earlier try has sent to the printer keeps its hash, with which `printJobs` prints nothing twice. What the
 * printer refused is sent again, unless the shipment was canceled since.
 * Returns the output items with what came of their labels, errors for those that should have been
 * printed and were not, and the printer of each printed label.
 */
export async function printCreated(
	run: NodeRun,
	outputs: readonly ItemResult[],
	outcomes: readonly OrderOutcome[],
	options: PrintOptions,
): Promise<{ results: ItemResult[]; hints: string[]; printedOn: string[] }> {
	const { isHashSent, earlierPrintOf } = readEarlierPrints(run);
	const labels = labelsOf(outcomes, options).map((label): Label => {
		const { printerName, id, batch } = label;
		const isSent = isHashSent(printerName, batch?.labelsHash);
		return { ...label, earlierPrint: isSent ? 'sent' : earlierPrintOf(printerName, id) };
	});
	// 1.
	const results: PrintResults = new Map();
	for (const { id, earlierPrint, notToPrint } of labels)
		if (!earlierPrint) noteNotPrinted(results, id, notToPrint);
	const hasNoResult = ({ id }: Label) => !results.has(id);
	// 2.
	const { jobs, single } = planBatchJobs(labels.filter(hasNoResult), isHashSent);
	const advice = new Map<string, string>();
	await sendJobs(run, jobs, results, advice, options);

	// 3.
	const toAsk = single.filter(({ earlierPrint }) => earlierPrint !== 'sent');
	await askBeforePrinting(run, toAsk, results, options);
	// 4.
	const groups = groupBy(single.filter(hasNoResult), ({ printerName, carrierCode }) =>
		JSON.stringify([printerName, carrierCode]),
	);
	const planned = await run.client.mapParallel([...groups.values()], async (group) => {
		return await planShipmentJobs(run, group[0].printerName, group);
	});
	await sendJobs(run, planned.flat(), results, advice, options);

	const failures =
		options.ifPrintingFails === 'fail'
			? failuresOf(run, labels, results, advice, options.ifExists)
			: [];
	return {
		results: [...outputs.map((output) => addResults(output, results)), ...failures],
		hints: printHintsOf(results, failures.length > 0 ? nameFailedItems(run) : 'labelNotPrinted'),
		printedOn: [...results.values()].flatMap(({ printedOn }) =>
			typeof printedOn === 'string' ? [printedOn] : [],
		),
	};
}

/** One job for each batch whose labels are all to be printed on one printer, and the other labels. */
export function planBatchJobs(
	labels: readonly Label[],
	isHashSent: (printerName: string, hash: string) => boolean,
): { jobs: ShipmentsJob[]; single: Label[] } {
	const jobs: ShipmentsJob[] = [];
	const single: Label[] = [];
	for (const [hash, group] of groupBy(labels, ({ batch }) => batch?.labelsHash ?? null)) {
		const [{ printerName, carrierCode, batch }] = group;
		const isWhole =
			group.length === batch?.packagesCount &&
			group.every((label) => label.printerName === printerName && !label.mustReadRecord);
		if (hash !== null && (isWhole || isHashSent(printerName, hash))) {
			const ids = group.map(({ id }) => id);
			const shipments = { carrierCode, ids };
			jobs.push({ shipmentIds: ids, hash, printerName, shipments });
		} else single.push(...group);
	}
	return { jobs, single };
}

async function sendJobs(
	run: NodeRun,
	jobs: readonly ShipmentsJob[],
	results: PrintResults,
	advice: Map<string, string>,
	{ timeout }: PrintOptions,
): Promise<void> {
	const timeoutMs = Math.min(timeout, PRINT_TIMEOUT_MS);
	const sendable = jobs.filter((job) => 'hash' in job);
	const printed = await printJobs(run, sendable, { timeoutMs, stopsOnFailure: false });
	for (const job of jobs) {
		const outcome = 'hash' in job ? printed.get(jobKeyOf(job))?.outcome : undefined;
		const done = outcome?.state === 'done' ? outcome.value : undefined;
		const error = outcome && 'errors' in outcome ? outcome.errors[0] : undefined;
		const failure = done ? undefined : describeError('failure' in job ? job.failure : error);
		if (failure) advice.set(failure.message, failure.description);
		const result = {
			...('hash' in job ? { labelsHash: job.hash } : {}),
			...(done ? { printedOn: done.printer } : {}),
			...(failure ? { labelNotPrinted: failure.message } : {}),
			...(done?.labelsMissing === undefined ? {} : { labelsMissing: done.labelsMissing }),
		};
		for (const id of job.shipmentIds) {
			if (!results.get(id)?.labelNotPrinted) results.set(id, result);
		}
	}
}

/**
 * Reads the records again, because another process may have printed these labels meanwhile. If the
 * service does not say whether a label was printed, only who created the shipment prints it. Labels that an earlier
 * try has created for the printer may count as printed since then, so these are printed unless they were canceled.
 * If the records cannot be read, nothing is printed.
 */
export async function askBeforePrinting(
	run: NodeRun,
	labels: readonly Label[],
	results: PrintResults,
	{ records, lookbackDays }: Pick<PrintOptions, 'records' | 'lookbackDays'>,
): Promise<void> {
	if (labels.length === 0) return;
	const wanted = wantedOf(labels.map(({ order }) => order));
	try {
		const found = await records.find(undefined, wanted, searchStart(Date.now(), lookbackDays));
		const pieces = found.flatMap((each) => each.pieces);
		const states = new Map(pieces.map(({ id, printed }) => [id, printed]));
		const canceled = new Set(pieces.filter((each) => each.isCanceled).map(({ id }) => id));
		const living = groupBy(found.filter(isLiving), ({ reference }) => reference);
		const unclear = labels.filter(
			({ id, earlierPrint }) => !earlierPrint && states.get(id) === undefined,
		);
		for (const [carrierCode, group] of groupBy(unclear, (label) => label.carrierCode)) {
			const ids = new Set(group.map(({ mainId }) => mainId));
			const details = await readPiecesOf(run.client, carrierCode, [...ids]);
			for (const [id, { printed, isCanceled }] of details) {
				states.set(id, printed);
				if (isCanceled) canceled.add(id);
			}
		}
		for (const { id, mainId, via, order, wantsOne, earlierPrint } of labels) {
			const printed = states.get(id);
			const others = wantsOne ? (living.get(referenceOf(order)) ?? []) : [];
			const isFirst = (other: FoundShipment) =>
				other.id < mainId && other.pieces.every((piece) => piece.id !== id);
			if (canceled.has(id)) noteNotPrinted(results, id, CANCELED);
			else if (earlierPrint === 'created') continue;
			else if (others.some(isFirst)) noteNotPrinted(results, id, SECOND);
			else if (printed) noteNotPrinted(results, id, PRINTED_BEFORE);
			else if (printed === undefined && via !== 'response') noteNotPrinted(results, id, UNKNOWN);
		}
	} catch (thrown) {
		for (const { id } of labels) noteNotPrinted(results, id, describeError(thrown).message);
	}
}
