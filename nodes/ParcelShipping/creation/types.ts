import type { Order } from '../orders/order';
import type { CreatedShipment, CreationEnvelope } from '../transport/endpoints';
import type { ErrorText } from '../transport/errors';
import type { PieceName } from '../writes/sent';

/** What is output for an order: its shipment, or why there is none. */
export type OrderResult = { order: Order } & (
	| { shipment: Shipment; error?: undefined }
	| { shipment?: undefined; error: unknown }
);

/** An order that was sent, in this try or before. The response, if there is one, does not say what it has. */
export interface OpenOrder {
	order: Order;
	/** What the response has that is or may be its own. */
	rows?: Row[];
	batch?: BatchInfo;
	/** Why there is no response. */
	reason?: ErrorText;
	/** If rows may be its own: what they name, also in an earlier try. */
	mayBe?: PieceName[] | undefined;
	/** Why the records could not be read. */
	problem?: unknown;
}

/** The shipment of an order. */
export interface Shipment {
	pieces: Piece[];
	/** Pieces that were refused although others exist. */
	refused?: Row[];
	/** Created rows that may be pieces of it or of another order, and that no record shows. */
	mayBe?: PieceName[];
	/** How the shipment, which existed already, differs from the order. */
	differences?: Difference[] | undefined;
	/** What the last look for other shipments of the order has found. */
	duplicates?: Duplicates;
}

export interface Duplicates {
	/** Those that the output names, lowest ID first. */
	named: Duplicate[];
	/** This run's shipment, which was canceled because another process had created the order first. */
	canceled?: Duplicate | undefined;
	/** Why this run's shipment, which came second, was not canceled. */
	notCanceled?: string | undefined;
	/** Why it is not known whether another process has created the order as well. */
	notRead?: string;
}

/** One parcel that exists at the provider. */
export interface Piece {
	row: Row;
	/** The batch that has certainly created it. Its hash prints all of its labels. */
	batch: BatchInfo | null;
	/**
	 * How it is known, which also says who prints it. `records`: no response contained its ID. After a lost response, it
	 * can be the one of another process, so each asks the record before it prints. `existing`: it existed before.
	 * `otherProcess`: another process created it at the same moment, and prints it.
	 */
	via: 'response' | 'records' | 'existing' | 'otherProcess';
	/** What its record said of its label. Undefined if it was not read, or does not say it. */
	printed?: boolean | undefined;
}

/** An element of the response to a creation. Only its status is certain to be present. */
export type Row = { [Field in keyof CreatedShipment]?: CreatedShipment[Field] | null } & {
	/** Of a shipment that was read from the records, which may not be the order's. */
	carrierCode?: string;
	serviceType?: string;
};

/** What the response says of its batch. */
export type BatchInfo = Omit<CreationEnvelope, 'result' | 'ordersUrl' | 'ordersHash'>;

/** How an existing shipment differs from its order. A `type`, so that it fits into items. */
export type Difference = {
	/** The provider's own name of the field. */
	field: string;
	caption: string;
	ordered: string | number | null;
	existing: string | number | null;
};

/** A shipment with the same order number as another one. A `type`, so that it fits into items. */
export type Duplicate = {
	id: number;
	carrierCode: string;
	packageNumberCarrier: string | null;
	/** Those that were canceled with it. */
	others?: Duplicate[];
};
