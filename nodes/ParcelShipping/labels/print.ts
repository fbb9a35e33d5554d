import type { IDataObject } from 'n8n-workflow';

import { foldText, groupBy } from '../lists';
import { type NodeRun, runUntilFirstFailure } from '../run';
import type { Printer, ResponseOf } from '../transport/contract';
import { ItemError } from '../transport/errors';
import { serviceMessageOf } from '../transport/serviceMessage';
import { type PieceRecord, readPiecesOf } from '../transport/pieces';
import { Journal, type Outcome, type TargetOutcome } from '../writes/journal';
import { recall, type Known, type Verdict, type Write, writeOnce } from '../writes/writeOnce';
import {
	explainPrintError,
	jobKeyOf,
	type PrintJob,
	printerOf,
	unknownOutcomeText,
} from './printJob';

/** How long a printer may take to accept a job. */
export const PRINT_TIMEOUT_MS = 60_000;

interface PrintAct {
	target: PrintJob;
	details: object;
	response: ResponseOf<'sendToPrinter'>;
	/** Of one label. */
	record: PieceRecord;
	value: IDataObject;
}

/** A job that was sent, and what came of it. */
export interface SentJob {
	job: PrintJob;
	outcome: Outcome<IDataObject>;
	/** An execution that a person has retried sent it. */
	isOfEarlierExecution: boolean;
}

export interface Printing {
	/**
	 * What earlier tries have sent, and whether the labels were printed or may have been. Callers must leave out these
	 * labels: new labels have a new hash, so `send` does not know them.
	 */
	earlier: SentJob[];
	/** The shipments whose labels were printed or may have been, also those that a person may print again. */
	doneOrPendingIds(): Set<number>;
	/**
	 * Sends each job once, and those of one printer one after another. `stopsOnFailure`: without *Continue*, none begins
	 * after one that failed.
	 */
	send(jobs: readonly PrintJob[], options?: { stopsOnFailure: true }): Promise<SentJob[]>;
}

/**
 * The service keeps no record of its print jobs, but the records of the shipments may say that they were printed. What
 * a person may print again is sent as a new job, perhaps to another printer.
 */
export async function openPrinting(run: NodeRun, timeoutMs: number): Promise<Printing> {
	const { context, client } = run;
	const journal = new Journal<PrintAct>(context, 'print', jobKeyOf);
	const write: Write<PrintAct> = {
		client,
		maxWaitMs: 0,
		send: async ({ targets }, calls) => {
			const [job] = targets as [PrintJob];
			const { hash, printerName } = job;
			return await calls
				.call('sendToPrinter', { body: { hash, printerName } }, { timeoutMs })
				.catch((thrown: unknown) => {
					throw explainPrintError(thrown, job);
				});
		},
		judge: judgePrint,
		find: async ([job]) => {
			// Nothing says whose labels a hash alone prints, so there is nothing to read.
			if (!job?.shipments) return [];
			const { carrierCode, ids } = job.shipments;
			// Only details: a list can be behind, and a label that it shows as not printed may be printed by now.
			const pieces = await readPiecesOf(client, carrierCode, ids);
			// Without a detail at this carrier, it is an additional piece, or a shipment of another carrier.
			return ids.flatMap((id) => pieces.get(id) ?? []);
		},
	};
	const toSentJobs = (outcomes: ReadonlyArray<TargetOutcome<PrintAct>>) =>
		outcomes.map(({ targets: [job], outcome }): SentJob => {
			const isOfEarlierExecution = journal.isTargetOfEarlierExecution(job);
			return { job, outcome, isOfEarlierExecution };
		});
	const { outcomes } = await recall(journal, write);
	return {
		earlier: toSentJobs(outcomes),
		doneOrPendingIds: () =>
			new Set(journal.doneOrPendingTargets.flatMap(({ shipments }) => shipments?.ids ?? [])),
		send: async (jobs, options) => {
			const toSend = new Map(
				jobs.filter((job) => journal.mayRequest(job)).map((job) => [jobKeyOf(job), job]),
			);
			if (toSend.size === 0) return [];
			// Not every service has a list of printers.
			const printers = await client.printers('shared').catch(() => []);
			const queues = groupBy([...toSend.values()], ({ printerName }) => printerName);
			const print = async (job: PrintJob) => {
				const request = { targets: [withListed(job, printers)] };
				// Printed again, they may have another hash or printer.
				const repeatable = journal.doneOrPendingTargets.filter((each) => journal.mayRequest(each));
				journal.forget(repeatable.filter((each) => hasSameLabels(each, job)));
				return toSentJobs(await writeOnce(journal, request, write));
			};
			return await runUntilFirstFailure(
				run,
				[...queues.values()],
				print,
				({ outcome }) => options?.stopsOnFailure === true && 'errors' in outcome,
			);
		},
	};
}

/** Whether both jobs print a label. */
function hasSameLabels(one: PrintJob, other: PrintJob): boolean {
	if (one.hash === other.hash) return one.repeatedFor === other.repeatedFor;
	return one.shipments?.ids.some((id) => other.shipments?.ids.includes(id)) ?? false;
}

function withListed(job: PrintJob, printers: readonly Printer[]): PrintJob {
	const given = foldText(job.printerName);
	const listed =
		printers.find(({ printerName }) => printerName === job.printerName) ??
		printers.find((each) =>
			[each.printerName, each.name].some((name) => foldText(name ?? '') === given),
		);
	return printers.length > 0 ? { ...job, listed: listed?.printerName ? listed : null } : job;
}

function judgePrint({
	request: { targets },
	response,
	failure,
	records,
}: Known<PrintAct>): Verdict<PrintAct> {
	// Labels without a detail do not count.
	const doAllFoundSay = (expected: boolean) =>
		records.length > 0 && records.every(({ printed }) => printed === expected);
	const outcomeOf = (job: PrintJob): Outcome<IDataObject> => {
		const { labels, hash, printerName } = job;
		if (response) {
			const { result: printed, correlationId } = response;
			if (printed) {
				const value = {
					...labels,
					hash,
					printerName,
					printer: printerOf(job),
					printed,
					correlationId,
				};
				return { state: 'done', value };
			}
			const serviceMessage = serviceMessageOf(response);
			const error = new ItemError(
				`Printer "${printerOf(job)}" did not accept the labels${serviceMessage ? `: ${serviceMessage}` : ''}`,
				'Check that the printer is switched on, has paper and is not busy, or choose another printer. Nothing was printed.',
				{ printerName, hash, correlationId },
				true,
			);
			return { state: 'notDone', errors: [error] };
		}
		const { message, description, details } =
			failure ?? unknownOutcomeText(job, 'the node was interrupted before the response arrived');
		// With a hash alone, nothing says whose labels they are. If the records say printed, it stays unknown: this job may
		// have printed them, or only their file was created.
		const personMayRepeat = !job.shipments || doAllFoundSay(false);
		const says = doAllFoundSay(true)
			? 'says that the labels were printed'
			: 'does not say of all these labels that they were not printed';
		const more = personMayRepeat
			? ''
			: records.length === 0
				? ' A retry prints them only if their records then say that they were not printed.'
				: ` The service ${says}, so a retry of this execution does not print them again. To print them anyway, run Label: Send to Printer in a new execution.`;
		const errors = [new ItemError(message, description + more, details, true)];
		return { state: 'unknown', errors, personMayRepeat };
	};
	return {
		outcomes: targets.map((job) => ({ targets: [job], outcome: outcomeOf(job) })),
		toSearch: response ? [] : targets,
	};
}
