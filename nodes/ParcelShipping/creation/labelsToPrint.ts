import type { LabelProgress } from '../labels/createLabels';
import { isExchange, type Order } from '../orders/order';
import { idOf } from '../records';
import type { ShipmentRecords } from '../transport/shipmentRecords';
import { isFromResponse, mainPieceIdOf, shipmentOf } from './shipments';
import type { OrderOutcome, Piece, Shipment } from './types';

// The labels of a run, and why one is not printed.

/** By item and not in the order, because the journal keeps the old order, and a retry may choose another printer. */
export type PrinterOf = (itemIndex: number) => string;

export interface PrintOptions {
	printerOf: PrinterOf;
	/** Those of the check before, because they know what the service leaves out. */
	records: ShipmentRecords;
	/**
	 * Whether this try has sent the order, and no other run has had the time to print its label. False for all orders of a
	 * run if `mayBePrintedMeanwhile` is true for one of them.
	 */
	isNewInThisTry: (order: Order) => boolean;
}

/** Whether this run took so long after its shipment was created that another run may have printed any of its labels. */
export function mayBePrintedMeanwhile(shipment: Shipment, isOfEarlierExecution: boolean): boolean {
	// A person has retried, perhaps days later.
	if (isOfEarlierExecution) return true;
	// It was read back, or another process has created it: its detail was read after the check for duplicates.
	if (!isFromResponse(shipment)) return true;
	// Canceling it took time.
	return shipment.duplicates?.notCanceled !== undefined;
}

/** What decides whether the label of a shipment, or of a piece of one, is printed. */
export interface Label extends Piece {
	id: number;
	/** Of the main shipment. Services may have no detail of an additional piece. */
	mainId: number;
	item: number;
	order: Order;
	/** It is not certain of which order it is. */
	isUnmatched: boolean;
	carrierCode: string;
	printerName: string;
	/** In this try or an earlier one. */
	isFromResponse: boolean;
	/**
	 * The hash of its batch may print it without reading the records again: this try has created it, and the check for
	 * duplicates, if there was one, has just read its record and names no other shipment of its order.
	 */
	mayUseBatchHash: boolean;
	/** Its order may have only one shipment. */
	mayHaveOnlyOne: boolean;
}

/** The labels of all shipments that exist. */
export function labelsOf(
	outcomes: readonly OrderOutcome[],
	{ printerOf, isNewInThisTry }: PrintOptions,
): Label[] {
	return outcomes.flatMap((each): Label[] => {
		const [order] = each.targets;
		const shipment = shipmentOf(each);
		if (!shipment) return [];
		const { duplicates } = shipment;
		return shipment.pieces.map((piece) => ({
			...piece,
			id: idOf(piece.row),
			mainId: mainPieceIdOf(shipment),
			item: order.itemIndex,
			order,
			isUnmatched: each.outcome.state === 'unmatched',
			carrierCode: piece.row.carrierCode ?? order.carrierCode,
			printerName: printerOf(order.itemIndex),
			isFromResponse: isFromResponse(shipment),
			mayUseBatchHash:
				isFromResponse(shipment) &&
				isNewInThisTry(order) &&
				piece.printed !== true &&
				duplicates?.notRead === undefined &&
				(isExchange(order) || !duplicates?.named.length),
			mayHaveOnlyOne: !isExchange(order),
		}));
	});
}

/** Why a label is not printed. */
export interface NotPrinted {
	reason: string;
	/** What to do about the reason. */
	advice?: string;
	/** It is no error, and a hint says so of all such labels together. */
	isExpected?: true;
	isNotPrintedByRetry?: boolean;
}

export const PRINTED_BEFORE: NotPrinted = {
	reason:
		'The service says that this label was printed before. To print it again, use Label: Send to Printer',
	isExpected: true,
};
export const PRINTED_UNKNOWN: NotPrinted = {
	reason:
		'The service does not say whether the label of this shipment was printed. To print it, use Label: Send to Printer',
	isExpected: true,
};
const PRINTED_BY_OTHER: NotPrinted = {
	reason:
		'Another run created this shipment at the same moment, and prints its label. If that run failed, use Label: Send to Printer',
	isExpected: true,
};
export const SECOND_SHIPMENT: NotPrinted = {
	reason:
		'Another run created a shipment of this order first. Cancel one of them, or use Label: Send to Printer to print this label',
	isExpected: true,
};
export const MAY_BE_PRINTED: NotPrinted = {
	reason:
		'The service counts this label as printed, perhaps only because this node has requested its file',
	advice: 'Check the printer first.',
	isNotPrintedByRetry: true,
};
export const UNMATCHED: NotPrinted = {
	reason:
		'It is not certain of which order this shipment is. To print its label, use Label: Send to Printer',
	isExpected: true,
};
export const CANCELED: NotPrinted = { reason: 'The service says that this shipment is canceled' };

interface LabelRecord {
	/** Undefined if the service does not say it. */
	printed: boolean | undefined;
	isCanceled: boolean;
	/** Another shipment of the order has a lower ID, so it was created first. */
	hasLower: boolean;
	progress: LabelProgress | undefined;
}

/** If the service does not say whether a label was printed, only who created the shipment prints it. */
export function reasonNotToPrint(
	{ via, isFromResponse, mayHaveOnlyOne }: Label,
	{ printed, isCanceled, hasLower, progress }: LabelRecord,
): NotPrinted | undefined {
	if (via === 'otherProcess') return PRINTED_BY_OTHER;
	if (isCanceled) return CANCELED;
	if (hasLower && mayHaveOnlyOne) return SECOND_SHIPMENT;
	if (printed && progress === 'requested') return MAY_BE_PRINTED;
	if (printed && progress === undefined) return PRINTED_BEFORE;
	if (progress === 'created') return undefined;
	return printed === undefined && !isFromResponse ? PRINTED_UNKNOWN : undefined;
}
