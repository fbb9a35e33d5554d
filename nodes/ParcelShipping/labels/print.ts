import type { IDataObject } from 'n8n-workflow';

import { groupBy, isNonEmpty } from '../lists';
import { type NodeRun, runUntilFirstFailure } from '../run';
import { ItemError } from '../transport/errors';
import { serviceMessageOf } from '../transport/serviceMessage';
import { readPiecesOf } from '../transport/shipments';
import { Journal, notDone, type Outcome } from '../writes/journal';
import { recall, type Known, type Verdict, type Write, writeOnce } from '../writes/writeOnce';
import type { WantedLabel } from './createLabels';
import { createJobs } from './createJobs';
import {
	explainPrintError,
	nothingPrinted,
	type PrintAct,
	type PrintJob,
	type PrintKey,
	printKeyOf,
	type PrintOutcome,
	type PrintTarget,
	shipmentIdsOf,
	unknownOutcomeText,
} from './printJob';

/** How long a printer may take to accept a job. */
const PRINT_TIMEOUT_MS = 60_000;

/**
 * Prints labels in one run of the node. A label that was sent is not sent again, whatever hash, printer and item it has
 * now, unless a person retries and the records say that it was not printed. The service keeps no record of its print jobs, but the records of the shipments may say that they were printed.
 * What a person may print again is sent as a new job.
 */
export async function openPrinting(run: NodeRun) {
	const { context, client } = run;
	const journal = new Journal<PrintAct>(context, 'print', printKeyOf);
	const write: Write<PrintAct> = {
		client,
		maxWaitMs: 0,
		send: async (job, calls) => {
			const { hash, printerName } = job;
			return await calls
				.call('sendToPrinter', { body: { hash, printerName } }, { timeoutMs: PRINT_TIMEOUT_MS })
				.catch((thrown: unknown) => {
					throw explainPrintError(thrown, job);
				});
		},
		judge: judgePrint,
		find: async (targets) => {
			const labels = targets
				// Nothing says whose labels a hash alone prints, so there is nothing to read.
				.filter((target) => 'id' in target)
				// What a later job has printed says nothing about this one.
				.filter((target) => !journal.isDone(target));
			if (!isNonEmpty(labels)) return [];
			const ids = labels.map(({ id }) => id);
			// Only details: a list can be behind, and a label that it shows as not printed may be printed by now.
			const pieces = await readPiecesOf(client, labels[0].carrierCode, ids);
			// Without a detail at this carrier, it is an additional piece, or a shipment of another carrier.
			return ids.flatMap((id) => pieces.get(id) ?? []);
		},
	};
	const { outcomes: earlier, sendable } = await recall(journal, write);
	/** Sends each job once, and those of one printer one after another. */
	const send = async (jobs: readonly PrintJob[]): Promise<PrintOutcome[]> => {
		const queues = groupBy(jobs, ({ printerName }) => printerName);
		const print = async (job: PrintJob) => writeOnce(journal, job, write);
		// Also after a job that failed: services may count all labels that were created as printed.
		return await runUntilFirstFailure(run, [...queues.values()], print, () => false);
	};
	return {
		/** What earlier tries have sent, and whether it was printed or may have been. */
		earlier,
		/** What the retry of a person may send again, with its earlier outcome. */
		sendable,
		isSentInThisTry: ({ targets: [target] }: PrintOutcome) => journal.isRequestedInThisTry(target),
		mayPrint: (target: PrintKey) => journal.isSendable(target as PrintTarget),
		isOfEarlierExecution: (target: PrintTarget) => journal.isTargetOfEarlierExecution(target),
		send,
		/** Creates the labels, and prints all that were created: services may count them as printed. */
		printNew: async (printerName: string, labels: readonly WantedLabel[]) => {
			const { jobs, unlabeled } = await createJobs(run, printerName, labels);
			return [...unlabeled, ...(await send(jobs))];
		},
	};
}

function judgePrint({ request, response, failure, records }: Known<PrintAct>): Verdict<PrintAct> {
	const { targets, labels, hash, printerName } = request;
	const toOutcomes = (outcome: Outcome<IDataObject>) =>
		targets.map((target): PrintOutcome => ({ targets: [target], outcome }));
	if (response) {
		const { result: printed, correlationId } = response;
		if (printed) {
			const value = { ...labels, hash, printerName, printed, correlationId };
			return { outcomes: toOutcomes({ state: 'done', value }), toSearch: [] };
		}
		const serviceMessage = serviceMessageOf(response);
		const error = new ItemError(
			`Printer "${printerName}" did not accept the labels${serviceMessage ? `: ${serviceMessage}` : ''}`,
			`Check that the printer is switched on, has paper and is not busy, or choose another printer. ${nothingPrinted(request)}`,
			{ printerName, hash, correlationId },
			true,
		);
		return { outcomes: notDone<PrintAct>(targets, error), toSearch: [] };
	}
	const { message, description, details } =
		failure ?? unknownOutcomeText(request, 'the node was interrupted before the response arrived');
	const isHash = shipmentIdsOf(request).length === 0;
	// With a hash alone, nothing says whose labels they are. If a record says printed, this job may have printed it, or only
	// its file was created. Labels without a detail do not count.
	const isNotPrinted = records.length > 0 && records.every(({ printed }) => printed === false);
	const advice = isHash ? description : `${description} ${RETRY_ADVICE}`;
	const errors = [new ItemError(message, advice, details, true)];
	const isRepeatable = isHash || isNotPrinted;
	return { outcomes: toOutcomes({ state: 'unknown', errors, isRepeatable }), toSearch: targets };
}

const RETRY_ADVICE =
	'A retry of this execution prints them only if their records then say that they were not printed. To print them anyway, run Label: Send to Printer in a new execution.';
