import { progressOfLabels } from '../labels/createLabels';
import { openPrinting } from '../labels/print';
import { type PrintJob, type PrintOutcome, shipmentIdsOf } from '../labels/printJob';
import { groupBy } from '../lists';
import { referenceOf } from '../orders/order';
import { type ItemResult, nameFailedItems, type NodeRun } from '../run';
import { concernsAllRequests, describeError, isServiceError } from '../transport/errors';
import { type FoundShipment, isLiving, readPiecesOf } from '../transport/pieces';
import { findByReference, LOOKBACK_DAYS } from './existing';
import {
	type Label,
	labelsOf,
	type PrintOptions,
	reasonNotToPrint,
	UNMATCHED,
} from './labelsToPrint';
import {
	addResults,
	failuresOf,
	printersOf,
	printHintsOf,
	type PrintResult,
	type PrintResults,
} from './printResults';
import type { OrderOutcome } from './types';

/**
 * Prints the labels of all shipments once:
 * 1. What an earlier try has sent to a printer is not sent again, also if the printer is another one now, unless a person
 *    retries and the records say that it was not printed. What belongs to no order for certain is not printed.
 * 2. A batch that this try has created, and of which every label is to be printed on one printer, is printed with its
 *    hash. Its records were read by the check for duplicates, if there was one.
 * 3. The records of the others are read again, right before printing: another process may have printed them.
 * 4. They are printed with new labels, also in a retry: others of the batch may have been printed or canceled since.
 *
 * Returns the output items with what came of their labels, errors for those that should have been
 * printed and were not, and the printer of each label that this execution has printed.
 */
export async function printCreated(
	run: NodeRun,
	outputs: readonly ItemResult[],
	outcomes: readonly OrderOutcome[],
	options: PrintOptions,
): Promise<{
	results: ItemResult[];
	hints: string[];
	printedOn: string[];
}> {
	const printing = await openPrinting(run);
	const labels = labelsOf(outcomes, options);
	const ids = new Set(labels.map(({ id }) => id));
	const results: PrintResults = new Map();
	const addOutcomes = (printed: readonly PrintOutcome[]) => {
		for (const each of printed) {
			const [target] = each.targets;
			if (!('id' in target) || !ids.has(target.id)) continue;
			results.set(target.id, resultOf(each.outcome, printing.isOfEarlierExecution(target)));
		}
	};
	const hasNoResult = ({ id }: Label) => !results.has(id);
	// 1.
	addOutcomes(printing.earlier);
	for (const { id } of labels.filter((each) => each.isUnmatched && hasNoResult(each)))
		results.set(id, { notPrinted: UNMATCHED });
	// 2.
	const { jobs, toAsk } = planBatchJobs(labels.filter(hasNoResult));
	const ofBatches = await printing.send(jobs);
	addOutcomes(ofBatches);
	const progress = progressOfLabels(run.context);
	for (const { targets, outcome } of ofBatches) {
		// The service may count the labels as printed, although the printer has refused them.
		if (outcome.state !== 'notDone') continue;
		const [error] = outcome.errors;
		const isReached = !isServiceError(error) || !concernsAllRequests(error.facts);
		if (isReached) for (const id of shipmentIdsOf({ targets })) progress[id] = 'created';
	}
	// 3.
	await askBeforePrinting(run, toAsk, results, options);
	// 4.
	const byPrinter = groupBy(toAsk.filter(hasNoResult), ({ printerName }) => printerName);
	const ofNewLabels = await run.client.mapParallel([...byPrinter], async ([printerName, own]) =>
		printing.printNew(printerName, own),
	);
	addOutcomes(ofNewLabels.flat());

	const failures = failuresOf(run, labels, results);
	return {
		results: [...outputs.map((output) => addResults(output, results)), ...failures],
		hints: printHintsOf(
			labels,
			results,
			failures.length > 0 ? nameFailedItems(run) : 'labelNotPrinted',
		),
		printedOn: printersOf([...results.values()]),
	};
}

/** One job for each new batch whose labels are all to be printed on one printer, and the other labels. */
export function planBatchJobs(labels: readonly Label[]): { jobs: PrintJob[]; toAsk: Label[] } {
	const jobs: PrintJob[] = [];
	const toAsk: Label[] = [];
	for (const [hash, group] of groupBy(labels, ({ batch }) => batch?.labelsHash ?? null)) {
		const [{ printerName, carrierCode, batch }] = group;
		const isWhole =
			group.length === batch?.packagesCount &&
			group.every((label) => label.mayUseBatchHash && label.printerName === printerName);
		if (hash !== null && isWhole) {
			const targets = group.map(({ id, item }) => ({ id, carrierCode, items: [item] }));
			jobs.push({ hash, printerName, targets });
		} else toAsk.push(...group);
	}
	return { jobs, toAsk };
}

function resultOf(outcome: PrintOutcome['outcome'], isOfEarlierExecution: boolean): PrintResult {
	if (!('errors' in outcome)) {
		const { hash, printerName, labelsMissing } = outcome.value;
		return {
			labelsHash: String(hash),
			printedOn: String(printerName),
			isOfEarlierExecution,
			...(labelsMissing === undefined ? {} : { labelsMissing: Number(labelsMissing) }),
		};
	}
	const { message: reason, description: advice, details } = describeError(outcome.errors[0]);
	const isNotPrintedByRetry = outcome.state === 'unknown' && !outcome.isRepeatable;
	const notPrinted = { reason, advice, isNotPrintedByRetry };
	return { ...(details.hash ? { labelsHash: String(details.hash) } : {}), notPrinted };
}

/**
 * Reads the records again, because another process may have printed these labels meanwhile. If they cannot be read,
 * nothing is printed.
 */
export async function askBeforePrinting(
	run: NodeRun,
	labels: readonly Label[],
	results: PrintResults,
	{ records }: Pick<PrintOptions, 'records'>,
): Promise<void> {
	if (labels.length === 0) return;
	const progress = progressOfLabels(run.context);
	const orders = labels.map(({ order }) => order);
	try {
		const byReference = await findByReference(orders, LOOKBACK_DAYS, records);
		const found = [...byReference.values()].flat();
		const pieces = new Map(found.flatMap((each) => each.pieces).map((piece) => [piece.id, piece]));
		const unclear = labels.filter(({ id }) => pieces.get(id)?.printed === undefined);
		for (const [carrierCode, group] of groupBy(unclear, (label) => label.carrierCode)) {
			const ids = new Set(group.map(({ mainId }) => mainId));
			const details = await readPiecesOf(run.client, carrierCode, [...ids]);
			for (const [id, piece] of details) pieces.set(id, piece);
		}
		for (const label of labels) {
			const { id, mainId, order } = label;
			const isLower = (other: FoundShipment) =>
				isLiving(other) && other.id < mainId && other.pieces.every((piece) => piece.id !== id);
			const notPrinted = reasonNotToPrint(label, {
				printed: pieces.get(id)?.printed,
				isCanceled: pieces.get(id)?.isCanceled ?? false,
				hasLower: (byReference.get(referenceOf(order)) ?? []).some(isLower),
				progress: progress[id],
			});
			if (notPrinted) results.set(id, { notPrinted });
		}
	} catch (thrown) {
		const { message: reason, description: advice } = describeError(thrown);
		for (const { id } of labels) results.set(id, { notPrinted: { reason, advice } });
	}
}
