import type { Batch, Carrier, ShipmentCreation, TrackingEvent } from './contract.generated';
import type { PrintJob, StoredHandOver } from './domain/database';
import type { SignInSettings, TrackingBehavior } from './domain/seed';
import type { Fault } from './http/faults';
import type { RecordedRequest } from './http/requestLog';

/** A shipment in the sandbox's database. */
export interface SandboxShipment {
	id: number;
	/** The id of the first piece. */
	mainId: number;
	batchId: number;
	carrierCode: string;
	serviceType: string;
	packageNumberCarrier: string;
	packageNumberCustom: string;
	/** Starts at 0. */
	pieceIndex: number;
	pieceCount: number;
	created: string;
	canceled: boolean;
	/** Whether a request has handed it over to the carrier. */
	handedOver: boolean;
	printed: boolean;
	/** The request as the client sent it. */
	input: ShipmentCreation;
}

export interface SandboxPrintJob extends Omit<PrintJob, 'atMs'> {
	printed: string;
}

export interface SeedShipmentsOptions extends Partial<ShipmentCreation> {
	/** Age of the first shipment in hours. Default 0. */
	hoursAgo?: number;
	/** Hours between the first and the last shipment. Default 0. */
	spreadHours?: number;
	/** The carrier's number of the first piece. Shipments of two carriers may have the same. */
	packageNumberCarrier?: string;
	/** Fields per shipment. Override all other fields. */
	each?: (index: number) => Partial<ShipmentCreation>;
}

/** WaitingActivation is Inactive in the interface dialect. */
export type CarrierStatus = 'Active' | 'Inactive' | 'WaitingActivation';

export interface SandboxState {
	/** Local time of the service, without an offset. */
	now: string;
	carriers: Carrier[];
	printers: Array<{ name: string; displayName: string; state: string }>;
	/** The pieces of the shipments, newest first, at most 100. */
	shipments: Array<Record<string, unknown>>;
	piecesTotal: number;
	shipmentsTotal: number;
	batches: Batch[];
	printJobs: SandboxPrintJob[];
	signIns: number;
}

export interface Sandbox {
	/** Base URL of the service. Ends in /api. */
	readonly url: string;
	/** URL of the home page and origin of the control routes. */
	readonly home: string;
	/** Origin of the label files. Differs from `home` with `labelOrigin: 'other'`. */
	readonly labelHome: string;
	/** The data of the service, oldest first. */
	readonly database: {
		shipments(): SandboxShipment[];
		batches(): Batch[];
		printJobs(): SandboxPrintJob[];
		handOvers(): StoredHandOver[];
		carriers(): Carrier[];
	};
	/** Requests to the service in the order received. */
	readonly requests: RecordedRequest[];
	/** Number of sign-ins. */
	readonly signIns: number;
	/** What a sign-in needs and returns. */
	readonly signInSettings: SignInSettings;
	state(): SandboxState;
	fault(fault: Fault): void;
	clearFaults(): void;
	/** Moves the sandbox's clock forward. */
	advance(hours: number): void;
	/** The time on the sandbox's clock. */
	now(): Date;
	expireTokens(): void;
	setCarrierStatus(carrierCode: string, status: CarrierStatus): void;
	setTracking(carrierCode: string, behavior: TrackingBehavior): void;
	/** Visible immediately, whatever its date. The event is returned even if it violates the contract. */
	addEvent(packageNumberCarrier: string, event: Partial<TrackingEvent>): void;
	/** Makes every tracking request with this number fail. `isNamed`: whether the error names it. */
	poisonNumber(packageNumberCarrier: string, isNamed?: boolean): void;
	/** Ends `poisonNumber`. */
	acceptNumber(packageNumberCarrier: string): void;
	/** The events of a shipment that are visible now, sorted by date. */
	events(id: number): TrackingEvent[];
	/** Returns the shipment without a carrier number until `isWithheld` is false. */
	withholdNumber(id: number, isWithheld?: boolean): void;
	/** Marks the shipment and its pieces as handed over to the carrier. */
	handOver(id: number): void;
	/** Makes every hand-over skip the main shipment. */
	keepFromCarrier(id: number): void;
	/** Cancels the shipment and its pieces. */
	cancelShipment(id: number): void;
	/** Marks the shipment and its pieces as printed. */
	markPrinted(id: number): void;
	archiveBatch(id: number): void;
	/** Creates shipments in one batch, without a request. */
	seedShipments(count: number, options?: SeedShipmentsOptions): SandboxShipment[];
	/** Restores the initial state, including the clock. */
	reset(): void;
	close(): Promise<void>;
}
