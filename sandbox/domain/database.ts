import { createHash } from 'node:crypto';
import type {
	Batch,
	BatchOrder,
	ShipmentCreation,
	TrackingEvent,
} from '../../contract/types.generated';
import type { LabelFormat, LabelLayout, Seed, SeedCarrier, SeedService } from './seed';

export interface StoredShipment {
	id: number;
	/** The id of the first piece; equal to `id` for the main shipment. */
	mainId: number;
	batchId: number;
	carrierCode: string;
	serviceType: string;
	packageNumberCarrier: string;
	pieceIndex: number;
	pieceCount: number;
	createdMs: number;
	input: ShipmentCreation;
	printed: boolean;
	/** When it was handed over to the carrier by a request. */
	submittedMs: number | null;
	canceledMs: number | null;
	/** Events that a test added. They are visible immediately, whatever their date. */
	addedEvents: TrackingEvent[];
}

type Counts = 'id' | 'carrierCode' | `${'orders' | 'packages' | 'errors'}Count`;

export interface StoredBatch extends Pick<Batch, Counts | 'labelsHash'> {
	createdMs: number;
	orders: BatchOrder[];
}

export interface PrintableJob {
	hash: string;
	createdMs: number;
	format: LabelFormat;
	layout: LabelLayout;
	/** Places left free on the first page. */
	skip?: number;
	carrierCode: string;
	shipmentIds: number[];
}

export interface PrintJob extends Pick<PrintableJob, 'hash' | 'shipmentIds'> {
	printerName: string;
	count: number;
	printed: string;
}

/** Shipments that were handed over to their carrier together. */
export interface StoredHandOver {
	id: number;
	carrierCode: string;
	date: string;
	shipmentIds: number[];
	createdMs: number;
	labelsHash: string | null;
}

/** What a number does to a tracking request: an error that names it or not, or a failure of the provider. */
export type Poison = 'named' | 'unnamed' | 'crash';

/** The data of the simulated service, kept in memory. */
export class Database {
	shipments: StoredShipment[] = [];
	batches: StoredBatch[] = [];
	jobs = new Map<string, PrintableJob>();
	printJobs: PrintJob[] = [];
	handOvers: StoredHandOver[] = [];
	/** True after a test added an event, which may violate the contract on purpose. */
	hasAddedEvents = false;
	readonly poisonNumbers = new Map<string, Poison>();
	/** Shipments to which the carrier assigns no number. */
	readonly withheldNumbers = new Set<number>();
	readonly keptFromCarrier = new Set<number>();
	readonly carriers: SeedCarrier[];
	private readonly byId = new Map<number, StoredShipment>();
	private readonly byNumber = new Map<string, StoredShipment[]>();
	private readonly piecesOf = new Map<number, StoredShipment[]>();
	private readonly services = new Map<string, { carrier: SeedCarrier; service: SeedService }>();
	lastShipmentId = 1000;
	lastBatchId = 70;

	constructor(readonly seed: Seed) {
		this.carriers = seed.carriers.map((carrier) => ({ ...carrier }));
		for (const carrier of this.carriers) {
			for (const service of carrier.services) this.services.set(service.code, { carrier, service });
		}
	}

	carrier(code: string): SeedCarrier | undefined {
		return this.carriers.find((carrier) => carrier.code === code);
	}

	service(code: string): { carrier: SeedCarrier; service: SeedService } | undefined {
		return this.services.get(code);
	}

	shipment(id: number): StoredShipment | undefined {
		return this.byId.get(id);
	}

	/** Two carriers may have the same number. Without a carrier, the first one counts. */
	shipmentByNumber(packageNumberCarrier: string, carrierCode?: string): StoredShipment | undefined {
		return this.shipmentsByNumber(packageNumberCarrier, carrierCode)[0];
	}

	/** The carrier uses the number of a canceled shipment again for one that is created later. */
	shipmentsByNumber(packageNumberCarrier: string, carrierCode?: string): StoredShipment[] {
		const withNumber = this.byNumber.get(packageNumberCarrier) ?? [];
		return withNumber.filter((each) => !carrierCode || each.carrierCode === carrierCode);
	}

	changeNumber(shipment: StoredShipment, number: string): void {
		const { packageNumberCarrier: before } = shipment;
		const others = this.shipmentsByNumber(before).filter((each) => each !== shipment);
		this.byNumber.set(before, others);
		shipment.packageNumberCarrier = number;
		this.byNumber.set(number, [...(this.byNumber.get(number) ?? []), shipment]);
	}

	pieces(mainId: number): StoredShipment[] {
		return this.piecesOf.get(mainId) ?? [];
	}

	addShipment(shipment: StoredShipment): void {
		insertByCreation(this.shipments, shipment);
		this.byId.set(shipment.id, shipment);
		const { packageNumberCarrier: number } = shipment;
		this.byNumber.set(number, [...(this.byNumber.get(number) ?? []), shipment]);
		const pieces = this.piecesOf.get(shipment.mainId);
		if (pieces) pieces.push(shipment);
		else this.piecesOf.set(shipment.mainId, [shipment]);
	}

	addBatch(batch: StoredBatch): void {
		insertByCreation(this.batches, batch);
	}

	addJob(job: Omit<PrintableJob, 'hash'>): string {
		const name = `job ${this.jobs.size + 1}`;
		const hash = createHash('sha256').update(name).digest('hex').slice(0, 32);
		this.jobs.set(hash, { hash, ...job });
		return hash;
	}
}

function insertByCreation<T extends { createdMs: number }>(list: T[], entry: T): void {
	let at = list.length;
	while (at > 0 && (list[at - 1] as T).createdMs > entry.createdMs) at--;
	list.splice(at, 0, entry);
}
