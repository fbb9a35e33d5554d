import type { ShipmentCreation, TrackingEvent } from '../contract/types.generated';
import { batchDetail, findBatches } from './domain/batches';
import { listCarriers } from './domain/carriers';
import { HOUR_MS, localSecond, localTimestamp } from './domain/clock';
import { storePieces } from './domain/creation';
import { Database, type Poison, type StoredShipment } from './domain/database';
import type { TrackingBehavior } from './domain/seed';
import { findShipments } from './domain/shipments';
import { visibleEvents } from './domain/tracking';
import type { Fault } from './http/faults';
import { contextOf, type Origins, type ServiceState } from './http/state';

export interface SandboxShipment extends StoredShipment {
	packageNumberCustom: string;
	created: string;
	canceled: boolean;
	/** Whether a request has handed it over to the carrier. */
	handedOver: boolean;
}

export interface SeedShipmentsOptions extends Partial<ShipmentCreation> {
	hoursAgo?: number;
	spreadHours?: number;
	/** The carrier's number of the first piece. Shipments of two carriers may have the same. */
	packageNumberCarrier?: string;
	each?: (index: number) => Partial<ShipmentCreation>;
}

export type ServiceControls = ReturnType<typeof createControls>;

export interface Sandbox extends ServiceControls {
	fault(fault: Fault): void;
	clearFaults(): void;
	close(): Promise<void>;
}

/** What a test reads and changes without a request. */
export function createControls(state: ServiceState, origins: Origins) {
	const nowMs = () => state.clock.nowMs();
	const shipmentOf = (id: number) => known(state.database.shipment(id), `shipment ${id}`);
	const carrierOf = (code: string) => known(state.database.carrier(code), `carrier ${code}`);
	const change = (id: number, changes: Partial<StoredShipment>) => {
		for (const piece of state.database.pieces(shipmentOf(id).mainId)) Object.assign(piece, changes);
	};
	return {
		get url() {
			return origins.api;
		},
		get home() {
			return new URL(origins.api).origin;
		},
		get labelHome() {
			return new URL(origins.files).origin;
		},
		get signIns() {
			return state.sessions.signIns;
		},
		signInSettings: state.sessions.settings,
		database: {
			shipments: () => state.database.shipments.map(toSandboxShipment),
			batches: () => {
				const context = { ...contextOf(state), habits: { ...state.options, listLagMs: 0 } };
				return state.database.batches.map(({ id }) => batchDetail(id, context));
			},
			handOvers: () => structuredClone(state.database.handOvers),
			printJobs: () => [...state.database.printJobs],
			carriers: () => listCarriers(state.database),
		},
		requests: state.requests,
		state: () => describeState(state),
		advance: (hours: number) => state.clock.advance(hours),
		now: () => new Date(nowMs()),
		expireTokens: () => state.sessions.tokens.clear(),
		setTracking: (code: string, behavior: TrackingBehavior) => {
			const carrier = carrierOf(code);
			carrier.tracking = { ...carrier.tracking, ...behavior };
		},
		/** Visible immediately, whatever its date. The event is returned even if it violates the contract. */
		addEvent: (packageNumberCarrier: string, event: Partial<TrackingEvent>) => {
			const found = state.database.shipmentByNumber(packageNumberCarrier);
			state.database.hasAddedEvents = true;
			known(found, `shipment ${packageNumberCarrier}`).addedEvents.push({
				date: localSecond(nowMs()),
				category: 'TransitOnTheWay',
				code: '340',
				name: 'Something happened on the way',
				nameSystem: 'Added by hand',
				type: 'Event',
				item: packageNumberCarrier,
				delivered: false,
				canceled: false,
				carrierCode: 'X-01',
				...event,
			});
		},
		/** Makes every tracking request with this number fail, until `acceptNumber`. */
		poisonNumber: (number: string, how: Poison = 'named') =>
			state.database.poisonNumbers.set(number, how),
		acceptNumber: (number: string) => state.database.poisonNumbers.delete(number),
		events: (id: number) => visibleEvents(shipmentOf(id), contextOf(state)),
		/** Returns the shipment without a carrier number until `isWithheld` is false. */
		withholdNumber: (id: number, isWithheld = true) => {
			if (isWithheld) state.database.withheldNumbers.add(id);
			else state.database.withheldNumbers.delete(id);
		},
		changeNumber: (id: number, number: string) =>
			state.database.changeNumber(shipmentOf(id), number),
		// These change all pieces of the shipment.
		handOver: (id: number) => change(id, { submittedMs: nowMs() }),
		cancelShipment: (id: number) => change(id, { canceledMs: nowMs() }),
		markPrinted: (id: number) => change(id, { printed: true }),
		/** Makes every hand-over skip the main shipment. */
		keepFromCarrier: (id: number) => state.database.keptFromCarrier.add(id),
		seedShipments: (count: number, options: SeedShipmentsOptions = {}) =>
			seedShipments(state, count, options).map(toSandboxShipment),
		reset: () => {
			state.database = new Database(state.database.seed);
			state.clock.offsetMs = 0;
			state.requests.length = 0;
			state.sessions.clear();
		},
	};
}

function known<T>(found: T | undefined, name: string): T {
	if (found === undefined) throw new Error(`Unknown ${name}`);
	return found;
}

function toSandboxShipment(shipment: StoredShipment): SandboxShipment {
	return {
		...shipment,
		packageNumberCustom: shipment.input.packageNumberCustom,
		created: localTimestamp(shipment.createdMs),
		canceled: shipment.canceledMs !== null,
		handedOver: shipment.submittedMs !== null,
	};
}

function seedShipments(
	{ database, clock }: ServiceState,
	count: number,
	options: SeedShipmentsOptions,
): StoredShipment[] {
	const { hoursAgo = 0, spreadHours = 0, packageNumberCarrier, each, ...fields } = options;
	const startMs = clock.nowMs() - hoursAgo * HOUR_MS;
	const stepMs = count > 1 ? (spreadHours * HOUR_MS) / (count - 1) : 0;
	const batchId = ++database.lastBatchId;
	const stored = Array.from({ length: count }, (_, index) => {
		const input = { ...defaultShipment(index), ...fields, ...each?.(index) };
		const { carrier } = known(database.service(input.serviceType), `service ${input.serviceType}`);
		const context = { database, nowMs: Math.floor(startMs + index * stepMs) };
		return storePieces(input, carrier, batchId, context, packageNumberCarrier);
	}).flat();
	database.addBatch({
		id: batchId,
		carrierCode: stored[0]?.carrierCode ?? '',
		ordersCount: count,
		packagesCount: stored.length,
		errorsCount: 0,
		labelsHash: null,
		createdMs: startMs,
		orders: [],
	});
	return stored;
}

function defaultShipment(index: number): ShipmentCreation {
	return {
		serviceType: 'ANT-HOME',
		packageNumberCustom: `SEED-${index + 1}`,
		price: 100,
		recName: `Recipient ${index + 1}`,
		recStreet: 'Dlouhá 12',
		recCity: 'Praha',
		recZip: '11000',
		recCountry: 'CZ',
		recPhone: '+420777123456',
		recEmail: `recipient${index + 1}@example.com`,
	};
}

function describeState(state: ServiceState) {
	// Everything, whatever the provider leaves out of its lists.
	const complete = { listRecords: 'rich' as const, listLagMs: 0, maxPageLength: Infinity };
	const context = { ...contextOf(state), habits: { ...state.options, ...complete } };
	const { data, total: piecesTotal } = findShipments({ length: 100 }, context);
	const { database } = state;
	const shipments = data.map((piece) => {
		const stored = database.shipment(Number(piece.id)) as StoredShipment;
		const { pieceIndex, pieceCount, serviceType } = stored;
		const serviceName = database.service(serviceType)?.service.name;
		const events = visibleEvents(stored, context);
		return { ...piece, pieceIndex, pieceCount, serviceName, events };
	});
	return {
		now: localTimestamp(context.nowMs),
		credential: database.seed.credentials.header,
		carriers: listCarriers(database),
		printers: database.seed.printers,
		shipments,
		piecesTotal,
		batches: findBatches({ length: 100 }, context).data,
		printJobs: database.printJobs.toReversed(),
	};
}
