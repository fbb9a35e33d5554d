import type { Batch, Carrier, ShipmentCreation, TrackingEvent } from './contract.generated';
import type { PrintJob } from './domain/books';
import type { TrackingBehaviour } from './domain/seed';
import type { Fault } from './http/faults';
import type { RecordedRequest } from './http/request-log';

/** A shipment as the sandbox's books show it. */
export interface BookedShipment {
	id: number;
	/** The id of the first piece. */
	mainId: number;
	batchId: number;
	carrierCode: string;
	serviceType: string;
	packageNumberCarrier: string;
	packageNumberCustom: string;
	/** Counted from 0. */
	pieceIndex: number;
	pieceCount: number;
	created: string;
	canceled: boolean;
	printed: boolean;
	/** As the caller sent it. */
	input: ShipmentCreation;
}

export interface BookedPrintJob extends Omit<PrintJob, 'atMs'> {
	printed: string;
}

export interface SeedShipmentsOptions extends Partial<ShipmentCreation> {
	/** Hours ago the first was created; 0 by default. */
	hoursAgo?: number;
	/** Hours between the first and the last; 0 by default. */
	spreadHours?: number;
	/** On top of everything else, per shipment. */
	each?: (index: number) => Partial<ShipmentCreation>;
}

export interface SandboxState {
	/** The service's local time, without a zone. */
	now: string;
	carriers: Carrier[];
	printers: Array<{ name: string; state: string }>;
	/** Newest first, at most 100. */
	shipments: Array<Record<string, unknown>>;
	shipmentsTotal: number;
	batches: Batch[];
	printJobs: BookedPrintJob[];
	signIns: number;
}

export interface Sandbox {
	/** Base address of the service, ends in /api. */
	readonly url: string;
	/** The sandbox's own page and control surface. */
	readonly home: string;
	/** Where label files come from with `labelOrigin: 'other'`; else the same as `home`. */
	readonly labelHome: string;
	/** What the service remembers, oldest first. */
	readonly books: {
		shipments(): BookedShipment[];
		batches(): Batch[];
		printJobs(): BookedPrintJob[];
		carriers(): Carrier[];
	};
	/** Requests to the service in the order received. */
	readonly requests: RecordedRequest[];
	/** How often a client signed in. */
	readonly signIns: number;
	state(): SandboxState;
	fault(fault: Fault): void;
	clearFaults(): void;
	/** Sets the sandbox's clock forward. */
	advance(hours: number): void;
	/** By the sandbox's clock. */
	now(): Date;
	expireTokens(): void;
	setCarrierStatus(carrierCode: string, status: 'Active' | 'Inactive'): void;
	setTracking(carrierCode: string, behaviour: TrackingBehaviour): void;
	/** Shows at once, whatever its date; an event that breaks the contract is answered as it is. */
	addEvent(packageNumberCarrier: string, event: Partial<TrackingEvent>): void;
	/** The shipment and its pieces. */
	cancelShipment(id: number): void;
	/** Makes the service forget a shipment and its pieces. */
	removeShipment(id: number): void;
	archiveBatch(id: number): void;
	/** Creates many shipments at once, in one batch, without any request. */
	seedShipments(count: number, options?: SeedShipmentsOptions): BookedShipment[];
	/** As it was at the beginning; the clock too. */
	reset(): void;
	close(): Promise<void>;
}
