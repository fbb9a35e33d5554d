import type { ShipmentCreation, TrackingEvent } from './contract.generated';
import type { StoredShipment } from './domain/database';
import { HOUR_MS, localSecond } from './domain/clock';
import { storePieces } from './domain/creation';
import type { TrackingBehavior } from './domain/seed';
import { visibleEvents } from './domain/tracking';
import { contextOf, type ServiceState } from './http/state';
import type { CarrierStatus, SeedShipmentsOptions } from './sandbox';

// Changes that a test makes directly, without a request. Unknown names throw, because they are
// mistakes in the test.

export function seedShipments(
	state: ServiceState,
	count: number,
	options: SeedShipmentsOptions,
): StoredShipment[] {
	const { hoursAgo = 0, spreadHours = 0, packageNumberCarrier, each, ...fields } = options;
	const { database } = state;
	const startMs = state.clock.nowMs() - hoursAgo * HOUR_MS;
	const stepMs = count > 1 ? (spreadHours * HOUR_MS) / (count - 1) : 0;
	const batchId = database.nextBatchId();
	const stored: StoredShipment[] = [];
	for (let index = 0; index < count; index++) {
		const input = { ...defaultShipment(index), ...fields, ...each?.(index) };
		const carrier = database.service(input.serviceType)?.carrier;
		if (!carrier) throw new Error(`Unknown service ${input.serviceType}`);
		const nowMs = Math.floor(startMs + index * stepMs);
		const context = { database, nowMs };
		stored.push(...storePieces(input, carrier, batchId, context, packageNumberCarrier));
	}
	database.addBatch({
		id: batchId,
		carrierCode: stored[0]?.carrierCode ?? '',
		createdMs: startMs,
		ordersCount: count,
		packagesCount: stored.length,
		errorsCount: 0,
		labelsHash: null,
		ordersHash: null,
		archivedMs: null,
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

export function addEvent(
	state: ServiceState,
	packageNumberCarrier: string,
	event: Partial<TrackingEvent>,
): void {
	const shipment = state.database.shipmentByNumber(packageNumberCarrier);
	if (!shipment) throw new Error(`Unknown shipment ${packageNumberCarrier}`);
	state.database.hasAddedEvents = true;
	shipment.addedEvents.push({
		date: localSecond(state.clock.nowMs()),
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
}

export function eventsOf(state: ServiceState, id: number): TrackingEvent[] {
	const shipment = state.database.shipment(id);
	if (!shipment) throw new Error(`Unknown shipment ${id}`);
	return visibleEvents(shipment, contextOf(state));
}

export function withholdNumber(state: ServiceState, id: number, isWithheld: boolean): void {
	if (isWithheld) state.database.withheldNumbers.add(id);
	else state.database.withheldNumbers.delete(id);
}

export function handOver(state: ServiceState, id: number): void {
	for (const piece of piecesOf(state, id)) piece.submittedMs = state.clock.nowMs();
}

export function cancelShipment(state: ServiceState, id: number): void {
	for (const piece of piecesOf(state, id)) piece.canceledMs = state.clock.nowMs();
}

export function markPrinted(state: ServiceState, id: number): void {
	for (const piece of piecesOf(state, id)) piece.printed = true;
}

function piecesOf({ database }: ServiceState, id: number): StoredShipment[] {
	const shipment = database.shipment(id);
	if (!shipment) throw new Error(`Unknown shipment ${id}`);
	return database.pieces(shipment.mainId);
}

export function archiveBatch(state: ServiceState, id: number): void {
	const batch = state.database.batches.find((candidate) => candidate.id === id);
	if (!batch) throw new Error(`Unknown batch ${id}`);
	batch.archivedMs = state.clock.nowMs();
}

export function setCarrierStatus(
	state: ServiceState,
	carrierCode: string,
	status: CarrierStatus,
): void {
	const carrier = state.database.carrier(carrierCode);
	if (!carrier) throw new Error(`Unknown carrier ${carrierCode}`);
	carrier.activated = status === 'Active' ? localSecond(state.clock.nowMs()) : null;
	carrier.isWaiting = status === 'WaitingActivation';
}

export function setTracking(
	state: ServiceState,
	carrierCode: string,
	behavior: TrackingBehavior,
): void {
	const carrier = state.database.carrier(carrierCode);
	if (!carrier) throw new Error(`Unknown carrier ${carrierCode}`);
	carrier.tracking = { ...carrier.tracking, ...behavior };
}
