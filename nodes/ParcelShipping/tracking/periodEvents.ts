import type { TrackingEvent } from '../transport/contract';
import { eventIdOf, type NewEvent } from './compare';
import { dateTimeAt } from './dates';
import { periodEventTypes } from './eventGroups';
import { limitMs, openSince } from './periods';
import { type TriggerState, type WatchedShipment, without } from './state';
import { type PeriodType, periodTypesOf, type Watch } from './watch';

/** The fields of an event of the trigger itself, in addition to those of the service's events. */
export interface PeriodEvent extends TrackingEvent {
	/** When the period began. */
	since: string | null;
	days: number;
}

/**
 * Takes the events of the periods that have reached their limit by now, up to `max`, also of shipments
 * that this poll did not request. Each period is marked as reported in the same state.
 */
export function takePeriodEvents(
	{ shipments, periodTypes }: Pick<TriggerState, 'shipments' | 'periodTypes'>,
	watch: Watch,
	nowMs: number,
	max = Infinity,
): { newEvents: NewEvent[]; shipments: WatchedShipment[] } {
	const types = periodTypesOf(watch);
	const newEvents: NewEvent[] = [];
	const after = shipments.map((shipment) => {
		if (!shipment.periods) return shipment;
		const hasEnded = shipment.isFinished || shipment.endedAt !== undefined;
		if (types.length === 0 || hasEnded) return without(shipment, 'periods');
		if (shipment.listed === 'no') return shipment;
		let current = shipment;
		for (const type of types) {
			const since = openSince(shipment, type);
			const days = watch.limits[type] ?? Infinity;
			if (since === undefined || limitMs(since, days) > nowMs) continue;
			// A type that the user has just selected applies from now on.
			const isSkipped = !periodTypes.includes(type);
			if (!isSkipped && newEvents.length >= max) continue;
			current = markReported(current, type);
			if (!isSkipped) newEvents.push(periodEventOf(current, type, since, watch));
		}
		return current;
	});
	return { newEvents, shipments: after };
}

/** The event that says that the days are over which began at `sinceMs`. */
export function periodEventOf(
	shipment: WatchedShipment,
	type: PeriodType,
	sinceMs: number,
	{ limits, timezone }: Pick<Watch, 'limits' | 'timezone'>,
): NewEvent {
	const days = limits[type] ?? 0;
	const { category, nameOf } = periodEventTypes[type];
	const since = dateTimeAt(sinceMs, timezone);
	const event: PeriodEvent = {
		date: dateTimeAt(limitMs(sinceMs, days), timezone),
		category,
		code: '',
		name: nameOf(days),
		nameSystem: category,
		type: 'Trigger',
		item: shipment.number,
		delivered: false,
		canceled: false,
		carrierCode: null,
		since,
		days,
	};
	const { carrier, number } = shipment;
	// Not from the limit, so that it stays the same if the user changes the days.
	const eventId = eventIdOf(carrier, number, { date: since, category, type: 'Trigger' }, timezone);
	return { shipment, eventId, event };
}

function markReported(shipment: WatchedShipment, type: PeriodType): WatchedShipment {
	if (!shipment.periods) return shipment;
	const reported = type === 'noMovement' ? { isQuietReported: true } : { isWaitReported: true };
	return { ...shipment, periods: { ...shipment.periods, ...reported } };
}
