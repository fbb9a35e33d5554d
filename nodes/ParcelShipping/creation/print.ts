import {
	countPrinted,
	describeJob,
	type Job,
	type LabelToPrint,
	type Printer,
	printJobs,
	withoutSent,
} from '../labels/print';
import { requestedLabels } from '../labels/labels';
import { groupBy } from '../lists';
import { isExchange, type Order, referenceOf } from '../orders/order';
import { idOf } from '../records';
import type { NodeRun } from '../run';
import { describeError } from '../transport/errors';
import { type FoundShipment, isActive, readPiecesOf } from '../transport/shipments';
import { executionOf } from '../writes/sent';
import { type CreationRun, lookbackDaysFor, tryToFind } from './lookUp';
import { isFromResponse, mainPieceIdOf } from './shipments';
import type { OrderResult, Piece, Shipment } from './types';

/** By item and not in the order, because a retry may choose another printer. */
export type PrinterOf = (itemIndex: number) => Printer;

/** A label that is to be printed. */
export interface Label extends LabelToPrint {
	orderNumber: string;
	carrierCode: string;
	/** Of the main shipment. Providers may have no detail of an additional piece. */
	mainId: number;
	order: Order;
	shipment: Shipment;
	piece: Piece;
	/** This execution has created it, according to a response. */
	isOwn: boolean;
}

/** Why a label is not printed. With advice, it is an error. Otherwise, a hint counts all such labels together. */
export interface NotPrinted {
	reason: string;
	advice?: string;
}

/** The outcome of a label, with its job if there was one. Without `notPrinted`, it was printed. */
export interface LabelResult {
	job?: Job;
	isOfEarlierExecution?: boolean;
	notPrinted?: NotPrinted;
}

const SEND = 'Label: Send to Printer';
const PRINTED_BEFORE: NotPrinted = {
	reason: `The provider says that this label was printed before. To print it again, run ${SEND}`,
};
const PRINTED_UNKNOWN: NotPrinted = {
	reason: `The provider does not say whether this label was printed. To print it, run ${SEND}`,
};
const PRINTED_BY_OTHER: NotPrinted = {
	reason: `Another run created this shipment at the same moment, and prints its label. If that run failed, run ${SEND}`,
};
const SECOND_SHIPMENT: NotPrinted = {
	reason: `Another run created a shipment of this order first. Cancel one of them, or print this label with ${SEND}`,
};
const CANCELED: NotPrinted = {
	reason: 'The label was not printed, because the shipment is canceled',
	advice: 'To ship the order, run the workflow again.',
};
const MAY_BE_PRINTED: NotPrinted = {
	reason:
		'The provider counts the label as printed, perhaps only because this node has requested it',
	advice: `Check the printer. To print anyway, run ${SEND}.`,
};

/**
 * Prints the labels of all shipments once:
 * 1. What an earlier try has sent is not sent again.
 * 2. A new batch that goes to one printer as a whole is sent with its own hash.
 * 3. The records of the others say which are to be printed. These get new labels.
 */
export async function printCreated(
	run: NodeRun,
	created: readonly OrderResult[],
	creation: CreationRun,
	printerOf: PrinterOf,
): Promise<{ labels: Label[]; results: Map<number, LabelResult>; printed: string[] }> {
	const labels = labelsOf(created, creation, printerOf);
	const results = new Map<number, LabelResult>();
	const { over, left } = withoutSent(run.context, labels.filter(mayPrint));
	addJobs(over, labels, run, results);

	const sent = await printJobs(run, jobsOfBatches(left));
	addJobs(sent, labels, run, results);

	const open = labels.filter(({ id }) => !results.has(id));
	const toLabel = await ask(open, run, creation, results);
	const labeled = await printJobs(run, toLabel);
	addJobs(labeled, labels, run, results);
	// What an earlier try has printed and the output does not have any more does not count.
	const before = over.filter((job) => labels.some(({ id }) => job.ids.includes(id)));
	const printed = countPrinted([...before, ...sent, ...labeled], executionOf(run.context));
	return { labels, results, printed };
}

function labelsOf(
	created: readonly OrderResult[],
	{ notes }: CreationRun,
	printerOf: PrinterOf,
): Label[] {
	return created.flatMap(({ order, shipment }): Label[] => {
		if (!shipment) return [];
		const ofOrder = {
			item: order.itemIndex,
			orderNumber: referenceOf(order),
			mainId: mainPieceIdOf(shipment),
			isOwn: isFromResponse(shipment) && !notes.isOfEarlierExecution(order),
			...printerOf(order.itemIndex),
			...{ order, shipment },
		};
		return shipment.pieces.map((piece) => {
			const carrierCode = piece.row.carrierCode ?? order.carrierCode;
			return { ...ofOrder, id: idOf(piece.row), carrierCode, piece };
		});
	});
}

/** What the jobs mean for each of their labels. */
function addJobs(
	jobs: readonly Job[],
	labels: readonly Label[],
	{ context }: NodeRun,
	results: Map<number, LabelResult>,
): void {
	const byId = new Map(jobs.flatMap((job) => job.ids.map((id) => [id, job] as const)));
	for (const label of labels) {
		const job = byId.get(label.id);
		if (!job) continue;
		const isOfEarlierExecution = job.execution !== executionOf(context);
		const printed = job.state === 'printed';
		const outcome = printed ? { isOfEarlierExecution } : { notPrinted: because(job) };
		results.set(label.id, { job, ...outcome });
	}
}

/** What is known of the job. The item and the error of a label name its order themselves. */
function because(job: Printer & Pick<Job, 'state' | 'why'>): NotPrinted {
	const { message, description } = describeJob({ ...job, ids: [], orderNumbers: [], hash: '' });
	return { reason: message, advice: description };
}

/**
 * A job for each new batch whose labels all go to one printer. The check for duplicates has just read its records, except
 * those of an exchange.
 */
function jobsOfBatches(labels: readonly Label[]): Job[] {
	const byHash = groupBy(labels, ({ piece }) => piece.batch?.labelsHash ?? null);
	return [...byHash].flatMap(([hash, group]): Job[] => {
		const [{ printerName, printer, piece }] = group;
		const isNew = ({ isOwn, order, shipment, piece: { printed } }: Label) =>
			isOwn && !isExchange(order) && printed !== true && shipment.duplicates?.notRead === undefined;
		const isWhole =
			group.length === piece.batch?.packagesCount &&
			group.every((label) => label.printerName === printerName && isNew(label));
		if (hash === null || !isWhole) return [];
		const orderNumbers = [...new Set(group.map(({ orderNumber }) => orderNumber))];
		const items = [...new Set(group.map(({ item }) => item))];
		const ids = group.map(({ id }) => id);
		const names = { hash, printerName, printer, ids, orderNumbers, items };
		return [{ ...names, state: 'open', output: {} }];
	});
}

/** Why a label is not printed, whatever its record says now. */
function reasonBefore(
	{ piece, shipment, order, mainId }: Label,
	hasLower = shipment.duplicates?.named.some(({ id }) => id < mainId),
): NotPrinted | undefined {
	if (piece.via === 'otherProcess') return PRINTED_BY_OTHER;
	return hasLower && !isExchange(order) ? SECOND_SHIPMENT : undefined;
}

const mayPrint = (label: Label) => reasonBefore(label) === undefined;

/** The labels that may be printed. Of one that this execution did not create, the record must say that it was not. */
async function ask(
	labels: readonly Label[],
	run: NodeRun,
	creation: CreationRun,
	results: Map<number, LabelResult>,
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
	const requested = requestedLabels(run.context);
	return labels.filter((label) => {
		const { ofOrder, problem = unread } = look(label.order);
		const { printed, isCanceled } = pieces.get(label.id) ?? {};
		const isLower = (other: FoundShipment) =>
			isActive(other) && other.id < label.mainId && other.pieces.every(({ id }) => id !== label.id);
		const reason = (): NotPrinted | undefined => {
			if (problem !== undefined)
				return because({ ...label, state: 'open', why: describeError(problem) });
			const before = reasonBefore(label, ofOrder.some(isLower));
			if (before) return before;
			if (isCanceled) return CANCELED;
			const progress = requested[label.id];
			// Providers may count a label as printed once its file exists. The printer has refused this one.
			if (progress === 'created' || printed === false) return undefined;
			if (printed) return progress ? MAY_BE_PRINTED : PRINTED_BEFORE;
			return progress || isFromResponse(label.shipment) ? undefined : PRINTED_UNKNOWN;
		};
		const notPrinted = reason();
		if (notPrinted) results.set(label.id, { notPrinted });
		return !notPrinted;
	});
}
