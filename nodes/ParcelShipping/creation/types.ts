import type { IExecuteFunctions } from 'n8n-workflow';

import type { CreationOptions } from '../orders/creationOptions';
import type { Order } from '../orders/order';
import type { Client } from '../transport/client';
import type { CreatedShipment, CreationEnvelope } from '../transport/contract';
import type { FoundShipment } from '../transport/pieces';
import type { ShipmentRecords } from '../transport/shipmentRecords';
import type { Journal, TargetOutcome } from '../writes/journal';

/** What the steps of a creation share. */
export interface CreationRun {
	context: IExecuteFunctions;
	client: Client;
	records: ShipmentRecords;
	journal: Journal<CreateAct>;
	options: CreationOptions;
}

/** A creation, as `writes/` sees it. */
export interface CreateAct {
	target: Order;
	details: {
		carrierCode: string;
		/** The day before the request, from which records are searched for its orders. */
		since: string;
	};
	response: CreationEnvelope;
	record: ShipmentWithBatch;
	value: Shipment;
}

/** What came of one order, or of several if it is not certain which of them it is for. */
export type OrderOutcome = TargetOutcome<CreateAct>;

/** The shipment of an order. */
export interface Shipment {
	pieces: Piece[];
	/** Pieces that were refused although others exist. */
	refused?: Row[];
	/** Created rows without an ID, which may be of pieces that are missing. */
	withoutId?: Row[];
	/** How the shipment, which existed already, differs from the order. */
	differences?: Difference[] | undefined;
	/** Whether the records of the shipment, which existed already, say that it cannot be canceled any more. */
	isWithCarrier?: boolean;
	/** Captions of fields of the order that no record of the existing shipment contains. */
	uncompared?: string[] | undefined;
	/** What the last look for other shipments of the order has found. */
	duplicates?: Duplicates;
}

export interface Duplicates {
	/** Those that the output names, lowest ID first. */
	named: Duplicate[];
	/**
	 * What was canceled because another process had created the order as well: this run's shipment. After a
	 * lost response, one of those that it may have created.
	 */
	canceled?: Duplicate;
	/** Why the second shipment of the order was not canceled. */
	notCanceled?: string;
	/** Why it is not known whether another process has created the order as well. */
	notRead?: string;
}

/** One parcel that exists at the service. */
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
	/** Set for a shipment read from the service's records: its own, which may not be the order's. */
	carrierCode?: string;
	serviceType?: string;
};

export type BatchInfo = {
	batchId: number | null;
	labelsUrl: string | null;
	labelsHash: string | null;
	packagesCount: number | null;
	correlationId: string | null;
};

/** A shipment that a search has found after a lost or incomplete response. */
export interface ShipmentWithBatch extends FoundShipment {
	/** Absent if the service does not list it. */
	batch?: BatchInfo;
	/** Its detail could not be read, although the list says too little. */
	lacksDetail?: true;
}

/** How an existing shipment differs from its order. A `type`, so that it fits into items. */
export type Difference = {
	/** The service's own field name. */
	field: string;
	/** The name of the field in the form. */
	caption: string;
	ordered: string | number | null;
	existing: string | number | null;
};

/** A shipment with the same reference as another one. A `type`, so that it fits into items. */
export type Duplicate = {
	id: number;
	carrierCode: string;
	packageNumberCarrier: string | null;
};
