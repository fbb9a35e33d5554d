import type { IExecuteFunctions } from 'n8n-workflow';

import type { ErrorText } from '../transport/errors';
import type { PieceRecord } from '../transport/pieces';
import { Journal } from '../writes/journal';

/** A shipment with all of its pieces, or a piece that an item names by its ID or number. */
export interface CancelTarget {
	carrierCode: string;
	/** The ID that an item names, or that was found by its order number. Absent for a shipment number. */
	id?: number;
	/** '' if it is not known. */
	reference: string;
	/** Whether an item names it by its order number. */
	isOfOrder: boolean;
	/** For the output. '' if its main piece has none. */
	number: string;
	/** Those of the pieces that are not canceled. Empty: the shipment was canceled before. */
	numbers: string[];
	/** Those that earlier tries have sent, and that are canceled by now. */
	numbersBefore?: string[];
	/** How many pieces the records must show as canceled. Only if a piece has no number. */
	pieceCount?: number;
	/** The input items that cancel it. */
	items: number[];
}

export const keyOfCanceled = (named: { carrierCode: string; id?: number; number?: string }) =>
	named.id === undefined
		? `${named.carrierCode} number ${named.number}`
		: `${named.carrierCode} ${named.id}`;

export interface Cancellation {
	/** Existing: it was canceled before. */
	via: 'response' | 'records' | 'existing';
	correlationId: string | null;
}

/** What is known of a number after the requests. */
export interface NumberRow {
	number: string;
	/** Not sent: each request with it certainly had no effect, and this number is not known to be the reason. */
	state: 'canceled' | 'refused' | 'notSent' | 'unclear';
	/** What the service said of it. */
	said: unknown;
	correlationId: unknown;
	/** Why the last request with it failed. */
	error?: ErrorText;
}

/** By their numbers. */
export type Rows = ReadonlyMap<string, NumberRow>;

/** The shipments of one carrier are canceled together. */
export interface CancelAct {
	target: CancelTarget;
	details: { carrierCode: string };
	response: { rows: NumberRow[] };
	/** What the records show of a target. With `problem`, some of them could not be read. */
	record: { key: string; pieces: PieceRecord[]; problem?: string };
	value: Cancellation;
}

export const cancelJournal = (context: IExecuteFunctions) =>
	new Journal<CancelAct>(context, 'cancel', keyOfCanceled);

export const isRead = (record?: CancelAct['record']): record is CancelAct['record'] =>
	record !== undefined && record.problem === undefined;
