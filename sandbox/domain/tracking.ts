import type { TrackingEvent, TrackingResult } from '../contract.generated';
import type { Books, StoredShipment } from './books';
import { HOUR_MS, localSecond } from './clock';
import type { TrackingBehaviour } from './seed';

export interface TrackingContext {
	books: Books;
	nowMs: number;
	/** Hours between two movements of a shipment. */
	stepHours: number;
}

interface Movement {
	/** In steps after creation. */
	after: number;
	category: string;
	code: string;
	name: string;
	nameSystem: string;
	carrierCode: string | null;
}

function movement(after: number, category: string, ...texts: string[]): Movement {
	const [code = '', name = '', nameSystem = '', carrierCode = null] = texts;
	return { after, category, code, name, nameSystem, carrierCode };
}

const start: Movement[] = [
	movement(0, 'Created', '100', 'The shipment was created', 'Created in the service'),
	movement(0.25, 'Ordered', '200', 'The carrier knows of the shipment', 'Data submitted', 'A-01'),
	movement(1, 'TransitCarrier', '310', 'The carrier has the shipment', 'Accepted at depot', 'A-02'),
	movement(2, 'TransitOnTheWay', '320', 'The shipment is on its way', 'Left the depot', 'A-03'),
	movement(3, 'TransitOnTheWay', '330', 'The shipment is being delivered', 'On the van', 'A-04'),
];
const delivery = movement(4, 'Delivered', '900', 'Delivered', 'Handed to the recipient', 'A-09');
const cancellation = movement(4, 'Canceled', '990', 'Canceled', 'Sent back by the carrier', 'A-99');

const canceledByAccount = movement(0, 'Canceled', '980', 'Canceled', 'Canceled in the service');

/** Up to a tenth of a step, always the same for the same shipment and movement. */
function jitter(id: number, index: number): number {
	return (((id * 7919 + index * 104_729) % 1000) / 1000) * 0.1;
}

/** The events the service knows of by now, by date and time. */
export function knownEvents(shipment: StoredShipment, context: TrackingContext): TrackingEvent[] {
	const behaviour = behaviourOf(shipment, context.books);
	const stepMs = context.stepHours * HOUR_MS;
	const lateMs = (behaviour.lateHours ?? 0) * HOUR_MS;
	const journey = [...start, behaviour.ends === 'canceled' ? cancellation : delivery];
	const events: TrackingEvent[] = [];
	for (const [index, step] of journey.entries()) {
		const steps = index === 0 ? 0 : step.after + jitter(shipment.id, index);
		const atMs = shipment.createdMs + Math.floor(steps * stepMs);
		const shownFromMs = index === 0 ? atMs : atMs + lateMs;
		const stopped = shipment.canceledMs !== null && atMs > shipment.canceledMs;
		if (shownFromMs <= context.nowMs && !stopped) events.push(eventOf(step, atMs, shipment));
	}
	if (shipment.canceledMs !== null) {
		events.push(eventOf(canceledByAccount, shipment.canceledMs, shipment));
	}
	if (shipment.addedEvents.length === 0) return events;
	return [...events, ...shipment.addedEvents].sort(byDate);
}

function eventOf(step: Movement, atMs: number, shipment: StoredShipment): TrackingEvent {
	return {
		date: localSecond(atMs),
		category: step.category,
		code: step.code,
		name: step.name,
		nameSystem: step.nameSystem,
		type: 'Event',
		item: step.category === 'Created' ? null : shipment.packageNumberCarrier,
		delivered: step.category === 'Delivered',
		canceled: step.category === 'Canceled',
		carrierCode: step.carrierCode,
	};
}

// Events a test adds may lack a date; they stand last.
function byDate(a: TrackingEvent, b: TrackingEvent): number {
	const left = a.date || '9999';
	const right = b.date || '9999';
	return left < right ? -1 : left > right ? 1 : 0;
}

function behaviourOf(shipment: StoredShipment, books: Books): TrackingBehaviour {
	return books.carrier(shipment.carrierCode)?.tracking ?? {};
}

export function track(
	numbers: string[],
	carrierCode: string,
	context: TrackingContext,
): TrackingResult[] {
	return numbers.map((packageNumberCarrier) => {
		const shipment = context.books.shipmentByNumber(packageNumberCarrier);
		if (!shipment || shipment.carrierCode !== carrierCode) {
			const message = `Carrier ${carrierCode} has no shipment ${packageNumberCarrier}`;
			return { packageNumberCarrier, statusCode: 404, message, events: [] };
		}
		const events = asAnswered(knownEvents(shipment, context), behaviourOf(shipment, context.books));
		return { packageNumberCarrier, statusCode: 200, message: 'OK', events };
	});
}

function asAnswered(events: TrackingEvent[], behaviour: TrackingBehaviour): TrackingEvent[] {
	let answered = events;
	if (behaviour.repeated) answered = answered.flatMap((event) => [event, { ...event }]);
	if (behaviour.shuffled) answered = [...answered].reverse();
	return answered;
}
