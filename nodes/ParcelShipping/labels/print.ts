import type { IDataObject } from 'n8n-workflow';

import { chunk, foldText, groupBy, isSameCode } from '../lists';
import { isOffline, printerText } from '../records';
import { type NodeRun, runUntilFirstFailure } from '../run';
import type { Client } from '../transport/client';
import type { LabelGroup, Printer, ResponseOf } from '../transport/contract';
import { ItemError } from '../transport/errors';
import { serviceMessageOf } from '../transport/serviceMessage';
import { type PieceRecord, readPieces } from '../transport/shipmentRecords';
import { Journal, memoryOfTries, type Outcome, type TargetOutcome } from '../writes/journal';
import { recall, type Known, type Verdict, type Write, writeOnce } from '../writes/writeOnce';
import { MAX_SHIPMENTS_PER_REQUEST, noLabelError, requestLabels } from './files';
import {
	explainPrintError,
	jobKeyOf,
	nameOfPrinter,
	type PrintJob,
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

/**
 * Sends each job once, and those of one printer one after another. What an earlier try has printed, or
 * may have printed, is not sent again, and returned as well. The service keeps no record of its print
 * jobs, but the records of the shipments may say that they were printed.
 */
export async function printJobs(
	run: NodeRun,
	jobs: readonly PrintJob[],
	{ timeoutMs, stopsOnFailure }: { timeoutMs: number; stopsOnFailure: boolean },
): Promise<Map<string, { job: PrintJob; outcome: Outcome<IDataObject> }>> {
	const { context, client } = run;
	const journal = new Journal<PrintAct>(context, 'print', jobKeyOf);
	const write: Write<PrintAct> = {
		client,
		maxWaitMs: 0,
		send: async ({ targets: [job] }, calls) => {
			const { hash, printerName } = job as PrintJob;
			return await calls
				.call('sendToPrinter', { body: { hash, printerName } }, timeoutMs)
				.catch((thrown: unknown) => {
					throw explainPrintError(thrown, job as PrintJob);
				});
		},
		judge: judgePrint,
		find: async ([job]) => {
			const { carrierCode, ids } = job?.shipments ?? { carrierCode: '', ids: [] };
			const pieces = await readPiecesOf(client, carrierCode, ids);
			// Without a detail at this carrier, it is an additional piece, or a shipment of another carrier.
			return ids.flatMap((id) => pieces.get(id) ?? []);
		},
	};
	const outcomes = new Map<string, { job: PrintJob; outcome: Outcome<IDataObject> }>();
	const note = (noted: ReadonlyArray<TargetOutcome<PrintAct>>) =>
		noted.map(({ targets, outcome }) => {
			for (const job of targets) outcomes.set(jobKeyOf(job), { job, outcome });
			return stopsOnFailure && outcome.state !== 'done' ? { failure: outcome } : {};
		});
	const recalled = note(await recall(journal, write));
	if (recalled.some((each) => 'failure' in each)) return outcomes;

	const toSend = new Map(
		jobs.filter((job) => !journal.isDoneOrPending(job)).map((job) => [jobKeyOf(job), job]),
	);
	if (toSend.size === 0) return outcomes;
	// Not every service has a list of printers.
	const printers = await client.printers('shared').catch(() => []);
	const queues = groupBy([...toSend.values()], ({ printerName }) => printerName);
	await runUntilFirstFailure(run, [...queues.values()], async (job) =>
		note(await writeOnce(journal, { targets: [withNames(job, printers)] }, write)),
	);
	return outcomes;
}

function withNames(job: PrintJob, printers: readonly Printer[]): PrintJob {
	const given = foldText(job.printerName);
	const listed =
		printers.find(({ printerName }) => printerName === job.printerName) ??
		printers.find((each) =>
			[each.printerName, each.name].some((name) => foldText(name ?? '') === given),
		);
	if (!listed?.printerName) return printers.length > 0 ? { ...job, listed: 'no' } : job;
	if (listed.printerName !== job.printerName) return { ...job, nameInList: listed.printerName };
	return { ...job, printer: printerText(listed), listed: isOffline(listed) ? 'offline' : 'yes' };
}

function judgePrint({
	request: { targets },
	response,
	failure,
	records,
}: Known<PrintAct>): Verdict<PrintAct> {
	const areAll = (expected: boolean) =>
		records.length > 0 && records.every(({ printed }) => printed === expected);
	const outcomeOf = (job: PrintJob): Outcome<IDataObject> => {
		const { labels, hash, printerName, printer = printerName } = job;
		if (response?.result) {
			const { correlationId } = response;
			const value = { ...labels, hash, printerName, printer, printed: true, correlationId };
			return { state: 'done', value };
		}
		if (response) {
			const { correlationId } = response;
			const serviceMessage = serviceMessageOf(response);
			const error = new ItemError(
				`Printer ${nameOfPrinter(job)} did not accept the labels${serviceMessage ? `: ${serviceMessage}` : ''}`,
				'Check that the printer is switched on, has paper and is not busy, or choose another printer. Nothing was printed.',
				{ printerName, hash, correlationId },
				true,
			);
			return { state: 'notDone', errors: [error] };
		}
		const { message, description, details } =
			failure ?? unknownOutcomeText(job, 'the node was interrupted before the response arrived');
		const isCanceled = records.some((record) => record.isCanceled);
		// With a hash alone, nothing says whose labels they are.
		const mayRepeat = !job.shipments || (areAll(false) && !isCanceled);
		const says = areAll(true)
			? 'says that the labels were printed'
			: isCanceled
				? 'says that one of the shipments is canceled'
				: 'does not say that the labels were not printed';
		const more = mayRepeat
			? ''
			: ` The service ${says}, so a retry of this execution does not print them again, but a new execution of Label: Send to Printer does.`;
		const errors = [new ItemError(message, description + more, details, true)];
		// A record that says so may mean this job, or a label file that another run has created.
		return { state: 'unknown', errors, personMayRepeat: mayRepeat };
	};
	return {
		outcomes: targets.map((job) => ({ targets: [job], outcome: outcomeOf(job) })),
		unsure: response ? [] : targets,
	};
}

/** What the details of the shipments say now. An ID is missing if there is no detail of it. */
export async function readPiecesOf(
	client: Client,
	carrierCode: string,
	ids: readonly number[],
): Promise<Map<number, PieceRecord>> {
	const pieces = new Map<number, PieceRecord>();
	await client.mapParallel(ids, async (id) => {
		// A detail contains all pieces of its shipment.
		if (pieces.has(id)) return;
		for (const piece of await readPieces(client, carrierCode, id)) pieces.set(piece.id, piece);
	});
	return pieces;
}

/** A job for the labels of these shipments, or why there is none. */
export type ShipmentsJob = { shipmentIds: number[] } & (PrintJob | { failure: unknown });

/** Labels of one carrier that a try has created to print them on one printer. */
interface CreatedLabels {
	ids: number[];
	group: LabelGroup;
}

/** By printer. */
const createdLabels = ({ context }: NodeRun) => memoryOfTries<CreatedLabels[]>(context, 'labels');

/** What an earlier try has done with a label: sent it to the printer, or created it for that. */
export type EarlierPrint = 'sent' | 'created';

/** What earlier tries have printed, or would have printed if the printer had not refused it. */
export function readEarlierPrints(run: NodeRun) {
	const created = createdLabels(run);
	const jobs = new Journal<PrintAct>(run.context, 'print', jobKeyOf);
	/** A job that the printer refused does not count. */
	const isHashSent = (printerName: string, hash: string | null | undefined) =>
		jobs.isDoneOrPending({ printerName, hash: hash ?? '' });
	const areLabelsSent = (printerName: string, { group }: CreatedLabels) =>
		isHashSent(printerName, group.hash);
	return {
		isHashSent,
		areLabelsSent,
		earlierPrintOf: (printerName: string, id: number): EarlierPrint | undefined => {
			const own = created[printerName]?.filter(({ ids }) => ids.includes(id)) ?? [];
			if (own.some((labels) => areLabelsSent(printerName, labels))) return 'sent';
			return own.length > 0 ? 'created' : undefined;
		},
	};
}

/**
 * The jobs for the labels of shipments on one printer, one per carrier. In a retry, shipments keep the
 * hashes of the earlier try: with a new hash, they would print again. Labels get a new hash if the old one was
 * not sent, and prints one that is not wanted any more, because its shipment was canceled since.
 */
export async function planShipmentJobs(
	run: NodeRun,
	printerName: string,
	shipments: ReadonlyArray<{ id: number; carrierCode?: string | undefined }>,
): Promise<ShipmentsJob[]> {
	const carrierOf = new Map(shipments.map(({ id, carrierCode }) => [id, carrierCode]));
	const toJobs = (labels: readonly CreatedLabels[]) =>
		labels.map(({ ids, group }) => toJob(printerName, ids, group));
	const { areLabelsSent } = readEarlierPrints(run);
	const created = (createdLabels(run)[printerName] ??= []);
	const earlier = created.filter((labels) =>
		areLabelsSent(printerName, labels)
			? labels.ids.some((id) => carrierOf.has(id))
			: labels.ids.every((id) => carrierOf.has(id)),
	);
	const known = new Set(earlier.flatMap(({ ids }) => ids));
	const toRequest = [...carrierOf.keys()].filter((id) => !known.has(id));
	const requested = await run.client.mapParallel(
		chunk(toRequest, MAX_SHIPMENTS_PER_REQUEST),
		async (ids): Promise<ShipmentsJob[]> => {
			try {
				const groups = await requestLabels(run, ids, { format: 'pdf' });
				const labels = groups.map((group): CreatedLabels => {
					const ofCarrier = ids.filter((id) =>
						isSameCode(carrierOf.get(id) ?? group.carrierCode, group.carrierCode),
					);
					return { ids: ofCarrier.length > 0 ? ofCarrier : ids, group };
				});
				created.push(...labels);
				const labeled = new Set(labels.flatMap((each) => each.ids));
				const missing = ids.filter((id) => !labeled.has(id));
				const failed = { shipmentIds: missing, failure: noLabelError(missing) };
				return [...toJobs(labels), ...(missing.length > 0 ? [failed] : [])];
			} catch (failure) {
				return [{ shipmentIds: ids, failure }];
			}
		},
	);
	return [...toJobs(earlier), ...requested.flat()];
}

function toJob(
	printerName: string,
	shipmentIds: number[],
	{ carrierCode, carrierName, labelsCount, hash }: LabelGroup,
): ShipmentsJob {
	if (hash) {
		// Which of them have none is not known. `requestLabels` shows a hint.
		const missing = Math.max(0, shipmentIds.length - Number(labelsCount ?? Infinity));
		const labels = {
			carrierCode,
			carrierName,
			labelsCount,
			...(missing > 0 ? { labelsMissing: missing } : {}),
		};
		const shipments = { carrierCode, ids: shipmentIds };
		return { shipmentIds, printerName, hash, labels, shipments };
	}
	const failure = new ItemError(
		`The service returned no print hash for the labels of ${carrierName}`,
		'Use Label: Create Label Files to download the labels, and print the file.',
		{ carrierCode, printerName },
		true,
	);
	return { shipmentIds, failure };
}
