import type { IDataObject } from 'n8n-workflow';

import { requestedLabels } from '../labels/labels';
import {
	countPrinted,
	describeJob,
	type Job,
	type LabelToPrint,
	type Printer,
	printJobs,
	sentBefore,
} from '../labels/print';
import { countOf, groupBy } from '../lists';
import { isExchange, itemsOf, type Order, referenceOf } from '../orders/order';
import { idOf } from '../records';
import { type ItemResult, nameFailedItems } from '../run';
import { describeError, ItemError } from '../transport/errors';
import { isActive, readPiecesOf } from '../transport/shipments';
import { executionOf } from '../writes/sent';
import { type CreationRun, lookbackDaysFor, tryToFind } from './lookUp';
import { isFromResponse, mainPieceIdOf } from './shipments';
import type { OrderResult, Piece, Shipment } from './types';

/** By item and not in the order, because a retry may choose another printer. */
export type PrinterOf = (itemIndex: number) => Printer;

/** A label that is to be printed. */
interface Label extends LabelToPrint {
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
interface NotPrinted {
	reason: string;
	advice?: string;
}

const SEND = 'Label: Send to Printer';
const PRINTED_BEFORE: NotPrinted = {
	reason: `The provider says that this label was printed before. To print it again, run ${SEND}`,
};
const PRINTED_UNKNOWN: NotPrinted = {
	reason: `The provider does not say whether this label was printed. To print it, run ${SEND}`,
};
const SECOND_SHIPMENT: NotPrinted = {
	reason: `The order has a shipment that was created first, so this label was not printed. To print it, run ${SEND}`,
};
const CANCELED: NotPrinted = {
	reason: 'The label was not printed, because the shipment is canceled',
	advice: 'To ship the order, run the workflow again.',
};

/**
 * Prints the labels of all shipments once, and adds to the outputs what came of them:
 * 1. What an earlier try has sent is not sent again.
 * 2. A new batch that goes to one printer as a whole is sent with its own hash.
 * 3. The records of the others say which are to be printed. These get new labels.
 */
export async function printCreated(
	created: readonly OrderResult[],
	run: CreationRun,
	printerOf: PrinterOf,
	outputs: readonly ItemResult[],
): Promise<{ results: ItemResult[]; printed: string[]; hints: string[] }> {
	const labels = labelsOf(created, run, printerOf);
	const mayPrint = labels.filter((label) => !isSecond(label));
	const { over, isOver } = sentBefore(run.context);
	// What an earlier try has printed and the output does not have any more does not count.
	const before = over.filter((job) => labels.some(({ id }) => job.ids.includes(id)));
	const left = mayPrint.filter(({ id }) => !isOver(id));
	const sent = [...before, ...(await printJobs(run, jobsOfBatches(left)))];

	const done = new Set(sent.flatMap(({ ids }) => ids));
	const unsent = labels.filter(({ id }) => !done.has(id));
	const notPrinted = await ask(unsent, run);
	const toLabel = unsent.filter(({ id }) => !notPrinted.has(id));
	const jobs = [...sent, ...(await printJobs(run, [], toLabel))];

	const jobOf = new Map(jobs.flatMap((job) => job.ids.map((id) => [id, job] as const)));
	for (const [id, job] of jobOf) {
		if (job.state === 'printed') continue;
		// The item and the error of a label name its order themselves.
		const { message, description } = describeJob({ ...job, ids: [], orderNumbers: [], hash: '' });
		notPrinted.set(id, { reason: message, advice: description });
	}
	const failures = failuresOf(labels, notPrinted);
	const where = failures.length > 0 ? nameFailedItems(run) : 'labelNotPrinted';
	const hints = labels.flatMap(({ id }) => {
		const { reason, advice } = notPrinted.get(id) ?? {};
		if (!reason) return [];
		return `not printed${advice === undefined ? `: ${reason}` : `. See ${where}`}.`;
	});
	return {
		results: [...outputs.map((each) => addLabel(each, jobOf, notPrinted)), ...failures],
		printed: countPrinted(jobs, executionOf(run.context)),
		hints: [...groupBy(hints, (hint) => hint)].map(
			([hint, { length }]) => `${countOf(length, 'label', 'was')} ${hint}`,
		),
	};
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

/**
 * A job for each new batch whose labels all go to one printer. The check for duplicates has just read its records, except
 * those of an exchange.
 */
function jobsOfBatches(labels: readonly Label[]): Job[] {
	const byHash = groupBy(labels, ({ piece }) => piece.batch?.labelsHash || null);
	return [...byHash].flatMap(([hash, group]): Job[] => {
		const [{ printerName, printer, piece }] = group;
		const isNew = ({ isOwn, order, shipment, piece: { printed } }: Label) =>
			isOwn && !isExchange(order) && printed !== true && shipment.duplicates?.notRead === undefined;
		const isWhole =
			group.length === piece.batch?.packagesCount &&
			group.every((label) => label.printerName === printerName && isNew(label));
		if (hash === null || !isWhole) return [];
		const ids = group.map(({ id }) => id);
		const names = { hash, printerName, printer, ids, orderNumbers: [], items: [] };
		return [{ ...names, state: 'notPrinted', output: {} }];
	});
}

/** Whether another shipment of the order prints its label: that of another process, or one with a lower ID. */
function isSecond({ piece, shipment, order, mainId }: Label): boolean {
	if (piece.via === 'otherProcess') return true;
	return !isExchange(order) && !!shipment.duplicates?.named.some(({ id }) => id < mainId);
}

/** Why these labels must not be printed. Of one that this execution did not create, the record must say that it was not. */
async function ask(labels: readonly Label[], run: CreationRun): Promise<Map<number, NotPrinted>> {
	if (labels.length === 0) return new Map();
	const orders = labels.map(({ order }) => order);
	const look = await tryToFind(orders, lookbackDaysFor(new Set(orders).size), run);
	const listed = orders.flatMap((order) => look(order).ofOrder.flatMap(({ pieces }) => pieces));
	const pieces = new Map(listed.map((piece) => [piece.id, piece]));
	const unclear = labels.filter(({ id }) => pieces.get(id)?.printed === undefined);
	let unread: unknown;
	const mains = unclear.map(({ mainId: id, carrierCode }) => ({ id, carrierCode }));
	const details = await readPiecesOf(run.client, mains).catch(
		(thrown: unknown) => void (unread = thrown),
	);
	for (const [id, piece] of details ?? []) pieces.set(id, piece);
	const requested = requestedLabels(run.context);
	const reasonOf = (label: Label): NotPrinted | undefined => {
		const { id, mainId, order, shipment } = label;
		const { ofOrder, problem = unread } = look(order);
		const { printed, isCanceled } = pieces.get(id) ?? {};
		if (problem !== undefined) {
			const { message, description: advice } = describeError(problem);
			return { reason: `The label was not printed on "${label.printer}": ${message}`, advice };
		}
		const hasLower = ofOrder.some(
			(other) =>
				isActive(other) && other.id < mainId && other.pieces.every((piece) => piece.id !== id),
		);
		if (isSecond(label) || (hasLower && !isExchange(order))) return SECOND_SHIPMENT;
		if (isCanceled) return CANCELED;
		// Providers may count a label as printed once it was requested. A printer has not got this one.
		if (requested[id] || printed === false) return undefined;
		if (printed) return PRINTED_BEFORE;
		return isFromResponse(shipment) ? undefined : PRINTED_UNKNOWN;
	};
	return new Map(
		labels.flatMap((label) => {
			const reason = reasonOf(label);
			return reason ? [[label.id, reason] as const] : [];
		}),
	);
}

/** One error for each order and reason. */
function failuresOf(
	labels: readonly Label[],
	notPrinted: ReadonlyMap<number, NotPrinted>,
): ItemResult[] {
	const unprinted = labels.flatMap((label) => {
		const { reason = '', advice } = notPrinted.get(label.id) ?? {};
		return advice === undefined ? [] : [{ ...label, reason, advice }];
	});
	const groups = groupBy(unprinted, ({ item, reason }) => JSON.stringify([item, reason]));
	return [...groups.values()].map((group) => {
		const [{ order, orderNumber, reason, advice, printerName, carrierCode }] = group;
		const main = group.find(({ id, mainId }) => id === mainId) ?? group[0];
		const { packageNumberCarrier = null, trackingUrl = null } = main.piece.row;
		const shipmentIds = group.map(({ id }) => id);
		const failure = new ItemError(
			reason,
			`The shipment exists (ID ${shipmentIds.join(', ')}), so do not create it again. ${advice}`,
			{
				packageNumberCustom: orderNumber,
				shipmentId: main.id,
				packageNumberCarrier,
				trackingUrl,
				carrierCode,
				labelNotPrinted: reason,
				shipmentIds,
				printerName,
			},
		);
		return { items: itemsOf([order]), failure };
	});
}

function addLabel(
	output: ItemResult,
	jobOf: ReadonlyMap<number, Job>,
	notPrinted: ReadonlyMap<number, NotPrinted>,
): ItemResult {
	if (!('json' in output)) return output;
	const job = jobOf.get(idOf(output.json));
	const reason = notPrinted.get(idOf(output.json))?.reason;
	if (!job && !reason) return output;
	const { labelsMissing } = job?.output ?? {};
	const json: IDataObject = {
		...output.json,
		...(reason ? { labelNotPrinted: reason } : { printedOn: job?.printer }),
		...(reason || labelsMissing === undefined ? {} : { labelsMissing }),
		// The hash of its batch stays, because it prints the whole batch.
		labelsHash: output.json.labelsHash || job?.hash || null,
	};
	return { ...output, json };
}
