import type { Client } from '../transport/client';
import type { Order } from '../orders/order';
import type { CreatedShipment, ShipmentDetail } from '../transport/contract';
import type { CarrierEndpoint } from '../transport/endpoints';

/** An element of the answer to a creation request. Only its status is certain to be present. */
export type Row = { [Field in keyof CreatedShipment]?: CreatedShipment[Field] | null } & {
	/** Set for a shipment read from the service's records: its own, which may not be the order's. */
	carrierCode?: string;
	serviceType?: string;
};

export function isRefused(row: Row): boolean {
	const status = Number(row.statusCode);
	return !(status >= 200 && status <= 299);
}

export type BatchInfo = {
	batchId: number | null;
	labelsUrl: string | null;
	labelsHash: string | null;
	ordersUrl: string | null;
	ordersHash: string | null;
	packagesCount: number | null;
	correlationId: string | null;
};

/** One parcel that exists at the service. */
export interface Piece {
	row: Row;
	batch: BatchInfo | null;
	alreadyExisted: boolean;
	/** The answer was lost, and the piece was read back from the service. */
	recovered: boolean;
	/** Whether the label of an existing shipment was printed, if its record says so. */
	printed?: boolean;
}

/** A piece as the service's list or detail shows it. */
export interface FoundRecord {
	id: number;
	carrierCode: string;
	reference: string;
	isCanceled: boolean;
	record: Partial<ShipmentDetail> & {
		serviceCode?: string | null;
		pieceCount?: number | null;
		recAddress?: { zip?: string | null; country?: string | null } | null;
	};
}

/** What an existing shipment has otherwise than its order. A `type`, so that it fits into items. */
export type Difference = {
	/** The service's own field name. */
	field: string;
	/** The name of the field in the form. */
	caption: string;
	ordered: string | number | null;
	existing: string | number | null;
};

/** The result of an order: what exists, what was refused, and what could not be established. */
export interface OrderResult {
	/** The order; several orders if it is not certain to which of them the pieces or rows belong. */
	orders: Order[];
	pieces: Piece[];
	refused: Row[];
	/** The batch of the refused rows. */
	batch: BatchInfo | null;
	/** Set if the order, or some of its pieces, may or may not have been created. */
	unknown?: UnknownOutcome;
	/** Set if the order was certainly not created: why it was not sent, or why the request failed. */
	notCreated?: unknown;
	/** What the shipment, which existed already, has otherwise than the order. */
	differences?: Difference[];
	/** The pieces could not be matched to a single order. */
	isUnmatched?: true;
	/** Further living shipments of the order that the look-up found. */
	doubles?: Double[];
	/** What this run created, and then canceled because another run had created the order as well. */
	canceledDouble?: Double;
	/** The shipment of another run that the created one doubles, and why it was not canceled. */
	doubleOf?: DoubleOf;
	/** Why it is not known whether another run has created the order as well. */
	uncheckedDouble?: string;
}

/** An older shipment, and why its double was not canceled. */
export type DoubleOf = Double & { reason: string };

/** A shipment with the same reference as another one. A `type`, so that it fits into items. */
export type Double = {
	id: number;
	carrierCode: string;
	packageNumberCarrier: string | null;
};

export interface UnknownOutcome {
	/** The day from which the service's records were searched. */
	since: string;
	/** Why the outcome is unknown. */
	reason: string;
	correlationId: string | null;
	/** How often the records were searched. */
	searches: number;
	/** Why the last search failed. */
	searchError?: string;
	/** Records that may or may not come from this request. */
	possible: FoundRecord[];
	/** IDs of created shipments in the answer that match no order for certain. */
	unmatchedIds: unknown[];
}

export type IfExists = 'reuse' | 'create' | 'fail';
export type IfDiffers = 'fail' | 'reuse';
export type LookUpScope = 'allCarriers' | 'sameCarrier';

/** Which existing shipments count as the shipment of an order, and what happens then. */
export interface LookUpSettings {
	ifExists: IfExists;
	ifDiffers: IfDiffers;
	lookUpScope: LookUpScope;
	lookbackDays: number;
}

export interface CreationSettings extends LookUpSettings {
	batchSize: number;
	carrierEndpoint: CarrierEndpoint;
	/** How long the records are searched for the outcome of a request whose answer was lost. */
	maxRetryWait: number;
	timeout: number;
	/** Whether to look again after creating, for shipments that another process has created. */
	checkForDoubles: boolean;
	/** If one item fails, nothing is sent. */
	stopOnError: boolean;
}

/** What creation uses of the client. */
export type CreationClient = Pick<
	Client,
	| 'address'
	| 'call'
	| 'createShipments'
	| 'findBatches'
	| 'findShipments'
	| 'getShipment'
	| 'isStopped'
	| 'listShipments'
	| 'mapParallel'
	| 'pause'
>;

const DAY_MS = 86_400_000;

/**
 * The first day to search, as yyyy-mm-dd, so that nothing younger than `days` is missed. One day is
 * added because the service counts whole days in a time zone of its own.
 */
export function searchStart(nowMs: number, days: number): string {
	return new Date(nowMs - (days + 1) * DAY_MS).toISOString().slice(0, 10);
}
