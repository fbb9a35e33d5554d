import { sortBy } from 'lodash';
import type { TrackingEvent, TrackingResult, TrackRequest } from '../../contract/types.generated';
import type { Database, StoredShipment } from './database';
import { HOUR_MS, localSecond } from './clock';
import type { SeedStep, TrackingBehavior } from './seed';
import { ServiceError } from './validation';

/** How one provider differs from another. */
export interface Habits {
	/** Of the interface dialect: the fields of the detail (rich, the default), or those of the interface document alone. */
	listRecords?: 'rich' | 'documented';
	cancelsPiecesAlone?: boolean;
	handOverCountsPieces?: boolean;
	/** A page of Package/Find has at most so many records, whatever is requested. */
	maxPageLength?: number;
	/** How long a new shipment is missing from Package/Find, and its batch from the batches. */
	listLagMs?: number;
	numbersAfterMs?: number;
	/** Hours between two tracking events of a shipment. Default 6. */
	trackingStepHours?: number;
}

export interface TrackingContext {
	database: Database;
	nowMs: number;
	habits: Habits;
}

/** Up to a tenth of a step. Always the same for the same shipment and step. */
function jitter(id: number, index: number): number {
	return (((id * 7919 + index * 104_729) % 1000) / 1000) * 0.1;
}

/** The events that are visible now, sorted by date and time. */
export function visibleEvents(shipment: StoredShipment, context: TrackingContext): TrackingEvent[] {
	const behavior = behaviorOf(shipment, context.database);
	const { steps: firstSteps, arrival, ends, canceledByAccount } = context.database.seed.tracking;
	const stepMs = (context.habits.trackingStepHours ?? 6) * HOUR_MS;
	const lateMs = (behavior.lateHours ?? 0) * HOUR_MS;
	const arrivals = shipment.input.branchId ? [arrival] : [];
	const steps = [...firstSteps, ...arrivals, ends[behavior.ends ?? 'delivered']];
	const events = steps.flatMap((current, index) => {
		const after = index === 0 ? 0 : current.after + jitter(shipment.id, index);
		const atMs = shipment.createdMs + Math.floor(after * stepMs);
		const visibleFromMs = index === 0 ? atMs : atMs + lateMs;
		const isStopped = shipment.canceledMs !== null && atMs > shipment.canceledMs;
		return visibleFromMs <= context.nowMs && !isStopped ? [eventOf(current, atMs, shipment)] : [];
	});
	if (shipment.canceledMs !== null) {
		events.push(eventOf(canceledByAccount, shipment.canceledMs, shipment));
	}
	if (shipment.addedEvents.length === 0) return events;
	// Events that a test adds may have no date. They sort last.
	return sortBy([...events, ...shipment.addedEvents], ({ date }) => date || '9999');
}

function eventOf(
	{ category, code, name, nameSystem, carrierCode = null }: SeedStep,
	atMs: number,
	{ packageNumberCarrier }: StoredShipment,
): TrackingEvent {
	return {
		date: localSecond(atMs),
		category,
		code,
		name,
		nameSystem,
		type: 'Event',
		item: category === 'Created' ? null : packageNumberCarrier,
		delivered: category === 'Delivered',
		canceled: category === 'Canceled',
		carrierCode,
	};
}

const behaviorOf = ({ carrierCode }: StoredShipment, database: Database): TrackingBehavior =>
	database.carrier(carrierCode)?.tracking ?? {};

/** Throws if one of the numbers makes the whole request fail. */
export function refusePoison({ packages }: TrackRequest, { poisonNumbers }: Database): void {
	const poison = packages.find((number) => poisonNumbers.has(number)) ?? '';
	const how = poisonNumbers.get(poison);
	if (how === 'crash') throw new ServiceError(500, 'Something went wrong');
	if (how)
		throw new ServiceError(400, 'Entity not found', [], how === 'named' ? poison : undefined);
}

export function track(
	{ packages }: TrackRequest,
	carrierCode: string,
	context: TrackingContext,
): TrackingResult[] {
	return packages.map((packageNumberCarrier) => {
		const found = context.database.shipmentsByNumber(packageNumberCarrier, carrierCode);
		const [shipment] = found;
		if (!shipment) {
			const message = `Carrier ${carrierCode} has no shipment ${packageNumberCarrier}`;
			return { packageNumberCarrier, statusCode: 404, message, events: [] };
		}
		const { empty, repeated, shuffled } = behaviorOf(shipment, context.database);
		let events = empty ? [] : found.flatMap((each) => visibleEvents(each, context));
		if (found.length > 1) events = sortBy(events, ({ date }) => date || '9999');
		if (repeated) events = events.flatMap((event) => [event, { ...event }]);
		if (shuffled) events = events.toReversed();
		return { packageNumberCarrier, statusCode: 200, message: 'OK', events };
	});
}
