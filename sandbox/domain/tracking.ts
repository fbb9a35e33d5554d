import { sortBy } from 'lodash';
import type { TrackingEvent, TrackingResult, TrackRequest } from '../../contract/types.generated';
import type { Database, StoredShipment } from './database';
import { HOUR_MS, localSecond } from './clock';
import type { SeedStep, TrackingBehavior } from './seed';
import { ServiceError } from './validation';

/** How one provider differs from another. */
export interface Habits {
	/** For the interface dialect. rich (default): list records include the flat fields of the detail.
	 * documented: only the fields of the interface document. */
	listRecords?: 'rich' | 'documented';
	/** A number cancels only its own piece. By default, one number cancels all pieces of its shipment. */
	cancelsPiecesAlone?: boolean;
	/** The packagesCount of a hand-over counts pieces. */
	handOverCountsPieces?: boolean;
	/** A page of Package/Find has at most so many records, whatever is requested. */
	maxPageLength?: number;
	/** How long a new shipment is missing from Package/Find, and its batch from the batches. */
	listLagMs?: number;
	/** How long a new shipment has no carrier number. */
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
	const events: TrackingEvent[] = [];
	for (const [index, current] of steps.entries()) {
		const after = index === 0 ? 0 : current.after + jitter(shipment.id, index);
		const atMs = shipment.createdMs + Math.floor(after * stepMs);
		const visibleFromMs = index === 0 ? atMs : atMs + lateMs;
		const stopped = shipment.canceledMs !== null && atMs > shipment.canceledMs;
		if (visibleFromMs <= context.nowMs && !stopped) events.push(eventOf(current, atMs, shipment));
	}
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

function behaviorOf(shipment: StoredShipment, database: Database): TrackingBehavior {
	return database.carrier(shipment.carrierCode)?.tracking ?? {};
}

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
		const [shipment, ...later] = context.database.shipmentsByNumber(
			packageNumberCarrier,
			carrierCode,
		);
		if (!shipment) {
			const message = `Carrier ${carrierCode} has no shipment ${packageNumberCarrier}`;
			return { packageNumberCarrier, statusCode: 404, message, events: [] };
		}
		const { empty, repeated, shuffled } = behaviorOf(shipment, context.database);
		let events = empty ? [] : visibleEvents(shipment, context);
		const ofLater = empty ? [] : later.flatMap((each) => visibleEvents(each, context));
		if (ofLater.length > 0) events = sortBy([...events, ...ofLater], ({ date }) => date || '9999');
		if (repeated) events = events.flatMap((event) => [event, { ...event }]);
		if (shuffled) events = events.toReversed();
		return { packageNumberCarrier, statusCode: 200, message: 'OK', events };
	});
}
