import type { CreationOptions } from '../orders/form';
import { isExchange, type Order } from '../orders/order';
import type { ShipmentRecords } from '../transport/shipmentRecords';
import { duplicateOf, mainPieceIdOf, shipmentOf } from './shipments';
import type { BatchInfo, OrderOutcome, Piece } from './types';

// The labels of a run, and why one is not printed.

export type PrinterOf = (itemIndex: number) => string;

export interface PrintOptions
	extends Pick<CreationOptions, 'ifExists' | 'ifPrintingFails' | 'lookbackDays' | 'timeout'> {
	printerOf: PrinterOf;
	/** They know already what the service leaves out. */
	records: ShipmentRecords;
	/** Whether this try has sent the order. */
	isSentInThisTry: (order: Order) => boolean;
}

/** What decides whether the label of a shipment, or of a piece of one, is printed. */
export interface Label {
	id: number;
	/** Of the main shipment. Services may have no detail of an additional piece. */
	mainId: number;
	item: number;
	/** If it cannot be told whose shipment it is, all that it may be of. */
	orders: readonly [Order, ...Order[]];
	carrierCode: string;
	printerName: string;
	/** The batch that has certainly created the shipment. Its hash prints all of its labels. */
	batch: BatchInfo | null;
	row: Piece['row'];
	via: Piece['via'];
	/** What the record said that was read after creating. */
	printed: boolean | undefined;
	/** This try has created it, and the check for duplicates, if there was one, has read its record. */
	isChecked: boolean;
	/** A second shipment of its order should have been canceled, and this one is it. */
	isSecond: boolean;
	/** A second shipment of its order is one too many. */
	wantsOne: boolean;
}

/** The labels of all shipments that exist. */
export function labelsOf(
	outcomes: readonly OrderOutcome[],
	{
		printerOf,
		ifExists,
		isSentInThisTry,
	}: Pick<PrintOptions, 'printerOf' | 'ifExists' | 'isSentInThisTry'>,
): Label[] {
	return outcomes.flatMap((each): Label[] => {
		const { targets: orders } = each;
		const [first, ...others] = orders;
		const shipment = shipmentOf(each);
		if (!first || !shipment) return [];
		const isOwn = shipment.pieces.some(({ via }) => via === 'response');
		return shipment.pieces.map(({ row, batch, via, printed }) => ({
			id: Number(row.id),
			mainId: mainPieceIdOf(shipment),
			item: Math.min(...orders.map(({ itemIndex }) => itemIndex)),
			orders: [first, ...others],
			carrierCode: row.carrierCode ?? first.carrierCode,
			printerName: printerOf(first.itemIndex),
			batch: isOwn ? batch : null,
			row,
			via,
			printed,
			isChecked:
				isOwn && orders.every(isSentInThisTry) && shipment.duplicates?.notRead === undefined,
			isSecond: duplicateOf(shipment) !== undefined,
			wantsOne: orders.length === 1 && ifExists !== 'create' && !isExchange(first),
		}));
	});
}

/** Why a label is not printed. */
export interface NotPrinted {
	reason: string;
	/** What to do about the reason. */
	advice?: string;
	/** A hint names it, and it is no error. */
	isExpected?: true;
	/** A retry of the execution does not print it. */
	isNotRepeated?: boolean;
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
export const PRINTED_BY_OTHER: NotPrinted = {
	reason:
		'Another run created this shipment at the same moment, and is to print its label. If it failed, use Label: Send to Printer',
	isExpected: true,
};
export const SECOND_SHIPMENT: NotPrinted = {
	reason:
		'Another run created a shipment of this order first. Cancel one of them, or use Label: Send to Printer to print this label',
	isExpected: true,
};
export const CANCELED: NotPrinted = { reason: 'The service says that this shipment is canceled' };

interface LabelRecord {
	/** Undefined if the service does not say it. */
	printed: boolean | undefined;
	isCanceled?: boolean;
	/** Another shipment of the order was created first. */
	hasFirst?: boolean;
	/** An earlier try has created the label to print it, which may count as printed. */
	isLabelCreated?: boolean;
}

/** If the service does not say whether a label was printed, only who created the shipment prints it. */
export function reasonNotToPrint(
	{ via, isChecked, isSecond, wantsOne }: Label,
	{ printed, isCanceled, hasFirst, isLabelCreated }: LabelRecord,
): NotPrinted | undefined {
	if (via === 'otherProcess') return PRINTED_BY_OTHER;
	if (isCanceled) return CANCELED;
	if (isSecond || (hasFirst && wantsOne)) return SECOND_SHIPMENT;
	if (isLabelCreated) return undefined;
	if (printed) return PRINTED_BEFORE;
	return printed === undefined && via !== 'response' && !isChecked ? PRINTED_UNKNOWN : undefined;
}
