import type {
	Batch,
	CreationEnvelope,
	ShipmentCreation,
	ShipmentDetail,
	ShipmentRecord,
} from '../transport/contract';

export interface ShipmentFilter {
	carrierCodes: string[];
	/** A whole day of the service, yyyy-mm-dd. */
	createdFrom: string;
	/** Free text: what it finds is a candidate, no more. */
	search?: string;
	onlyMaster?: boolean;
}

/** Lists are documented with few fields; many services send those of the detail as well. */
export type ListedShipment = ShipmentRecord & Partial<ShipmentDetail>;

export interface FirstPage {
	rows: ListedShipment[];
	total: number;
}

/** What creation asks of the service. */
export interface ShippingService {
	/**
	 * A `ServiceError` that says `mayHaveActed: false` is certain; everything else is open. Nothing
	 * is sent any more once the user has stopped the workflow.
	 */
	create(carrierCode: string, shipments: ShipmentCreation[]): Promise<CreationEnvelope>;
	/** One page, as many records as it holds. */
	firstShipments(filter: ShipmentFilter): Promise<FirstPage>;
	/** With the first page where it is there already. */
	allShipments(filter: ShipmentFilter, first?: FirstPage): Promise<ListedShipment[]>;
	/** A main shipment and its pieces; none where there is no such main shipment. */
	piecesOf(carrierCode: string, id: number): Promise<ShipmentDetail[]>;
	/** One page, newest first, without their orders. */
	newestBatches(carrierCode: string, createdFrom: string): Promise<Batch[]>;
	batch(id: number): Promise<Batch>;
}

/** What creation needs of the world besides the service. */
export interface Surroundings {
	nowMs(): number;
	pause(ms: number): Promise<void>;
	/** The user has stopped the workflow. */
	isStopped(): boolean;
}
