import type { TrackingEvent, TrackingResult } from '../contract.generated';
import type { Database, StoredShipment } from './database';
import { HOUR_MS, localSecond } from './clock';
import type { TrackingBehavior } from './seed';
import { ServiceError } from './validation';

export interface TrackingContext {
	database: Database;
	nowMs: number;
	/** Hours between two tracking events of a shipment. */
	stepHours: number;
}

interface Step {
	/** Number of steps after creation. */
	after: number;
	category: string;
	code: string;
	name: string;
	nameSystem: string;
	carrierCode: string | null;
}

function step(after: number, category: string, ...texts: string[]): Step {
	const [code = '', name = '', nameSystem = '', carrierCode = null] = texts;
	return { after, category, code, name, nameSystem, carrierCode };
}

const firstSteps: Step[] = [
	step(0, 'Created', '100', 'The shipment was created', 'Created in the service'),
	step(
		0.25,
		'Ordered',
		'200',
		'The shipment data was sent to the carrier',
		'Data submitted',
		'A-01',
	),
	step(
		1,
		'TransitCarrier',
		'310',
		'The carrier received the shipment',
		'Accepted at depot',
		'A-02',
	),
	step(2, 'TransitOnTheWay', '320', 'The shipment is on its way', 'Left the depot', 'A-03'),
	step(
		3,
		'TransitOnTheWay',
		'330',
		'The shipment is out for delivery',
		'Loaded for delivery',
		'A-04',
	),
];
const deliveredStep = step(4, 'Delivered', '900', 'Delivered', 'Handed to the recipient', 'A-09');
const canceledStep = step(4, 'Canceled', '990', 'Canceled', 'Sent back by the carrier', 'A-99');

const canceledByAccount = step(0, 'Canceled', '980', 'Canceled', 'Canceled in the service');

/** Up to a tenth of a step. Always the same for the same shipment and step. */
function jitter(id: number, index: number): number {
	return (((id * 7919 + index * 104_729) % 1000) / 1000) * 0.1;
}

/** The events that are visible now, sorted by date and time. */
export function visibleEvents(shipment: StoredShipment, context: TrackingContext): TrackingEvent[] {
	const behavior = behaviorOf(shipment, context.database);
	const stepMs = context.stepHours * HOUR_MS;
	const lateMs = (behavior.lateHours ?? 0) * HOUR_MS;
	const steps = [...firstSteps, behavior.ends === 'canceled' ? canceledStep : deliveredStep];
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
	return [...events, ...shipment.addedEvents].sort(byDate);
}

function eventOf(step: Step, atMs: number, shipment: StoredShipment): TrackingEvent {
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

// Events that a test adds may have no date. They sort last.
function byDate(a: TrackingEvent, b: TrackingEvent): number {
	const left = a.date || '9999';
	const right = b.date || '9999';
	return left < right ? -1 : left > right ? 1 : 0;
}

function behaviorOf(shipment: StoredShipment, database: Database): TrackingBehavior {
	return database.carrier(shipment.carrierCode)?.tracking ?? {};
}

/** Throws if one of the numbers makes the whole request fail. */
export function refusePoison(numbers: string[], { poisonNumbers }: Database): void {
	const poison = numbers.find((number) => poisonNumbers.has(number));
	if (poison === undefined) return;
	const reference = poisonNumbers.get(poison) ? poison : undefined;
	throw new ServiceError(400, 'Entity not found', [], reference);
}

export function track(
	numbers: string[],
	carrierCode: string,
	context: TrackingContext,
): TrackingResult[] {
	return numbers.map((packageNumberCarrier) => {
		const shipment = context.database.shipmentByNumber(packageNumberCarrier, carrierCode);
		if (!shipment) {
			const message = `Carrier ${carrierCode} has no shipment ${packageNumberCarrier}`;
			return { packageNumberCarrier, statusCode: 404, message, events: [] };
		}
		const events = withDefects(
			visibleEvents(shipment, context),
			behaviorOf(shipment, context.database),
		);
		return { packageNumberCarrier, statusCode: 200, message: 'OK', events };
	});
}

function withDefects(events: TrackingEvent[], behavior: TrackingBehavior): TrackingEvent[] {
	let result = behavior.empty ? [] : events;
	if (behavior.repeated) result = result.flatMap((event) => [event, { ...event }]);
	if (behavior.shuffled) result = [...result].reverse();
	return result;
}
