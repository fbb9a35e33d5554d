import type { ShipmentCreation, TrackingEvent } from './contract.generated';
import type { StoredShipment } from './domain/books';
import { HOUR_MS, localSecond } from './domain/clock';
import { storePieces } from './domain/creation';
import type { TrackingBehaviour } from './domain/seed';
import type { ServiceState } from './http/state';
import type { SeedShipmentsOptions } from './sandbox';

// What a test does to the service behind its back. Names it gets wrong are its own mistakes, so
// they throw.

export function seedShipments(
	state: ServiceState,
	count: number,
	options: SeedShipmentsOptions,
): StoredShipment[] {
	const { hoursAgo = 0, spreadHours = 0, each, ...fields } = options;
	const { books } = state;
	const startMs = state.clock.nowMs() - hoursAgo * HOUR_MS;
	const stepMs = count > 1 ? (spreadHours * HOUR_MS) / (count - 1) : 0;
	const batchId = books.nextBatchId();
	const stored: StoredShipment[] = [];
	for (let index = 0; index < count; index++) {
		const input = { ...plainShipment(index), ...fields, ...each?.(index) };
		const carrier = books.service(input.serviceType)?.carrier;
		if (!carrier) throw new Error(`The seed has no service ${input.serviceType}`);
		const nowMs = Math.floor(startMs + index * stepMs);
		stored.push(...storePieces(input, carrier, batchId, { books, nowMs }));
	}
	books.addBatch({
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

function plainShipment(index: number): ShipmentCreation {
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
	const shipment = state.books.shipmentByNumber(packageNumberCarrier);
	if (!shipment) throw new Error(`The books have no shipment ${packageNumberCarrier}`);
	state.books.hasAddedEvents = true;
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

export function cancelShipment(state: ServiceState, id: number): void {
	const shipment = state.books.shipment(id);
	if (!shipment) throw new Error(`The books have no shipment ${id}`);
	for (const piece of state.books.pieces(shipment.mainId)) piece.canceledMs = state.clock.nowMs();
}

export function archiveBatch(state: ServiceState, id: number): void {
	const batch = state.books.batches.find((candidate) => candidate.id === id);
	if (!batch) throw new Error(`The books have no batch ${id}`);
	batch.archivedMs = state.clock.nowMs();
}

export function setCarrierStatus(
	state: ServiceState,
	carrierCode: string,
	status: 'Active' | 'Inactive',
): void {
	const carrier = state.books.carrier(carrierCode);
	if (!carrier) throw new Error(`The seed has no carrier ${carrierCode}`);
	carrier.activated = status === 'Active' ? localSecond(state.clock.nowMs()) : null;
}

export function setTracking(
	state: ServiceState,
	carrierCode: string,
	behaviour: TrackingBehaviour,
): void {
	const carrier = state.books.carrier(carrierCode);
	if (!carrier) throw new Error(`The seed has no carrier ${carrierCode}`);
	carrier.tracking = { ...carrier.tracking, ...behaviour };
}
