import { progressOfLabels } from '../labels/createLabels';
import type { Job, PrintResult as JobResult } from '../labels/job';
import { createJobs, earlierJobs, sendJobs, stillWanted } from '../labels/print';
import { groupBy } from '../lists';
import { isExchange, referenceOf } from '../orders/order';
import { idOf } from '../records';
import { type ItemResult, nameFailedItems, type NodeRun } from '../run';
import { type FoundShipment, isActive, readPiecesOf } from '../transport/shipments';
import { executionOf } from '../writes/sent';
import { type CreationRun, lookbackDaysFor, tryToFind } from './lookUp';
import {
	addResult,
	CANCELED,
	failuresOf,
	type Label,
	MAY_BE_PRINTED,
	type NotPrinted,
	notPrintedBecause,
	PRINTED_BEFORE,
	PRINTED_BY_OTHER,
	PRINTED_UNKNOWN,
	printersOf,
	printHintsOf,
	type PrintResults,
	SECOND_SHIPMENT,
} from './printResults';
import { isFromResponse, mainPieceIdOf } from './shipments';
import type { OrderResult } from './types';

/** By item and not in the order, because a retry may choose another printer. */
export type PrinterOf = (itemIndex: number) => string;

/**
 * Prints the labels of all shipments once:
 * 1. What an earlier try has sent is not sent again. What it has labeled, and all of it is still wanted, is sent.
 * 2. A new batch that goes to one printer as a whole is sent with its own hash.
 * 3. The records of the others say which are to be printed. These get new labels.
 */
export async function printCreated(
	run: NodeRun,
	outputs: readonly ItemResult[],
	created: readonly OrderResult[],
	creation: CreationRun,
	printerOf: PrinterOf,
): Promise<{ results: ItemResult[]; hints: string[]; printedOn: string[] }> {
	const labels = labelsOf(created, creation, printerOf);
	const results: PrintResults = new Map();
	const open = () => labels.filter(({ id }) => !results.has(id));
	const { over, labeled } = earlierJobs(run.context);
	addJobs(over, run, results);

	const again = stillWanted(labeled, open().filter(mayPrint));
	const idsAgain = new Set(again.flatMap(({ ids }) => ids));
	const newJobs = jobsOfBatches(open().filter(({ id }) => !idsAgain.has(id)));
	addJobs(await sendJobs(run, [...again, ...newJobs]), run, results);

	const toLabel = await ask(open(), run, creation, results);
	const byPrinter = groupBy(toLabel, ({ printerName }) => printerName);
	await run.client.mapParallel([...byPrinter.values()], async (own) => {
		const { jobs, failed } = await createJobs(run, own);
		addJobs([...failed, ...(await sendJobs(run, jobs))], run, results);
	});

	const failures = failuresOf(run, labels, results);
	const where = failures.length > 0 ? nameFailedItems(run) : 'labelNotPrinted';
	return {
		results: [...outputs.map((output) => addResult(output, results)), ...failures],
		hints: printHintsOf(labels, results, where),
		printedOn: printersOf(labels.flatMap(({ id }) => results.get(id) ?? [])),
	};
}

function labelsOf(
	created: readonly OrderResult[],
	{ notes }: CreationRun,
	printerOf: PrinterOf,
): Label[] {
	return created.flatMap(({ order, shipment }): Label[] => {
		if (!shipment) return [];
		const printerName = printerOf(order.itemIndex);
		return shipment.pieces.map((piece) => ({
			...piece,
			id: idOf(piece.row),
			mainId: mainPieceIdOf(shipment),
			item: order.itemIndex,
			order,
			orderNumber: referenceOf(order),
			shipment,
			carrierCode: piece.row.carrierCode ?? order.carrierCode,
			printerName,
			printer: printerName,
			isOwn: isFromResponse(shipment) && !notes.isOfEarlierExecution(order),
		}));
	});
}

/** What the jobs mean for each of their labels. */
function addJobs(jobs: readonly JobResult[], { context }: NodeRun, results: PrintResults): void {
	for (const { ids, job, failure } of jobs) {
		const hash = job ? { labelsHash: job.hash } : {};
		for (const id of ids) {
			if (failure !== undefined) {
				const isSent = job?.state === 'sent';
				results.set(id, { ...hash, notPrinted: notPrintedBecause(failure, isSent) });
			} else if (job) {
				const { labelsMissing } = job.output;
				results.set(id, {
					...hash,
					printedOn: job.printerName,
					isOfEarlierExecution: job.execution !== executionOf(context),
					...(labelsMissing === undefined ? {} : { labelsMissing: Number(labelsMissing) }),
				});
			}
		}
	}
}

/**
 * A job for each new batch whose labels all go to one printer. The check for duplicates has just read its records, except
 * those of an exchange.
 */
function jobsOfBatches(labels: readonly Label[]): Job[] {
	const byHash = groupBy(labels, ({ batch }) => batch?.labelsHash ?? null);
	return [...byHash].flatMap(([hash, group]): Job[] => {
		const [{ printerName, printer, batch }] = group;
		const isNew = (label: Label) =>
			label.isOwn &&
			!isExchange(label.order) &&
			label.printed !== true &&
			label.shipment.duplicates?.notRead === undefined &&
			mayPrint(label);
		const isWhole =
			group.length === batch?.packagesCount &&
			group.every((label) => label.printerName === printerName && isNew(label));
		if (hash === null || !isWhole) return [];
		return [
			{
				...{ hash, printerName, printer, state: 'labeled', output: {} },
				ids: group.map(({ id }) => id),
				orderNumbers: [...new Set(group.map(({ orderNumber }) => orderNumber))],
				items: [...new Set(group.map(({ item }) => item))],
			},
		];
	});
}

/** Why a label is not printed, whatever its record says now. */
function reasonBefore(
	{ via, shipment, order, mainId }: Label,
	hasLower = shipment.duplicates?.named.some(({ id }) => id < mainId),
): NotPrinted | undefined {
	if (via === 'otherProcess') return PRINTED_BY_OTHER;
	return hasLower && !isExchange(order) ? SECOND_SHIPMENT : undefined;
}

const mayPrint = (label: Label) => reasonBefore(label) === undefined;

/** The labels that may be printed. Of one that this execution did not create, the record must say that it was not. */
async function ask(
	labels: readonly Label[],
	run: NodeRun,
	creation: CreationRun,
	results: PrintResults,
): Promise<Label[]> {
	if (labels.length === 0) return [];
	const orders = labels.map(({ order }) => order);
	const look = await tryToFind(orders, lookbackDaysFor(new Set(orders).size), creation);
	const listed = orders.flatMap((order) => look(order).ofOrder.flatMap(({ pieces }) => pieces));
	const pieces = new Map(listed.map((piece) => [piece.id, piece]));
	const unclear = labels.filter(({ id }) => pieces.get(id)?.printed === undefined);
	let unread: unknown;
	for (const [carrierCode, group] of groupBy(unclear, (label) => label.carrierCode)) {
		const ids = new Set(group.map(({ mainId }) => mainId));
		const details = await readPiecesOf(run.client, carrierCode, [...ids]).catch(
			(thrown: unknown) => void (unread = thrown),
		);
		for (const [id, piece] of details ?? []) pieces.set(id, piece);
	}
	const progress = progressOfLabels(run.context);
	return labels.filter((label) => {
		const { ofOrder, problem = unread } = look(label.order);
		const { printed, isCanceled } = pieces.get(label.id) ?? {};
		const requested = progress[label.id];
		const isLower = (other: FoundShipment) =>
			isActive(other) && other.id < label.mainId && other.pieces.every(({ id }) => id !== label.id);
		const notPrinted =
			problem === undefined
				? (reasonBefore(label, ofOrder.some(isLower)) ??
					(isCanceled ? CANCELED : reasonOfRecord(label, printed, requested)))
				: notPrintedBecause(problem);
		if (notPrinted) results.set(label.id, { notPrinted });
		return !notPrinted;
	});
}

/** Providers may count a label as printed once its file exists. */
function reasonOfRecord(
	{ shipment }: Label,
	printed: boolean | undefined,
	requested: 'created' | 'requested' | undefined,
): NotPrinted | undefined {
	if (printed && requested === 'requested') return MAY_BE_PRINTED;
	if (printed && !requested) return PRINTED_BEFORE;
	const isUnknown = printed === undefined && !requested && !isFromResponse(shipment);
	return isUnknown ? PRINTED_UNKNOWN : undefined;
}
