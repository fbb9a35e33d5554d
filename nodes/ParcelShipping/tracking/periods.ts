import { countOf } from '../lists';
import { DAY_MS } from '../records';
import { dateTimeAt } from './dates';
import { type PeriodType, periodTypes } from './eventGroups';
import {
	eventIdOf,
	flagsOf,
	groupBit,
	lastPlacedGroup,
	type NewEvent,
	placeOf,
	type ReadEvent,
} from './events';
import { isUnderWay, type TriggerState, type WatchedShipment } from './state';
import { type DayLimits, periodTypesOf, type Watch } from './watch';

// The events of the trigger itself, when a period has reached its limit.

/** The field that has the beginning of the latest period that was reported. */
const reportedField = (type: PeriodType) => `${type}Reported` as const;

const SECOND_MS = 1_000;

const finite = (ms: number) => (Number.isFinite(ms) ? ms : undefined);

/**
 * Where a shipment was and is after these events have happened: at a pickup point from the first arrival on until an
 * event says that it is elsewhere, even if a later response leaves the arrival out. An arrival comes with a scan, so it
 * is the later one in its second, or on its day if the dates have no time. A final place is later than both.
 */
export function placesAfter(
	{ elsewhereAt = -Infinity, readyAt = -Infinity }: WatchedShipment,
	happened: readonly ReadEvent[],
): Pick<WatchedShipment, 'elsewhereAt' | 'readyAt'> {
	let leftAt = elsewhereAt;
	const arrivals = [readyAt];
	for (const { ms = -Infinity, group } of happened) {
		if (group === 'readyForPickup') arrivals.push(ms);
		else if (placeOf(group) === 'final') leftAt = Math.max(leftAt, ms + SECOND_MS);
		else if (placeOf(group) !== undefined) leftAt = Math.max(leftAt, ms);
	}
	const since = Math.min(...arrivals.filter((ms) => ms !== -Infinity && ms >= leftAt));
	return { elsewhereAt: finite(leftAt), readyAt: finite(since) };
}

/** Since when the period has been running. Nothing is known of that before the first response. */
function sinceOf(shipment: WatchedShipment, type: PeriodType): number | undefined {
	const { addedDay, elsewhereAt, latestAt, newSince, readyAt } = shipment;
	if (newSince !== undefined) return undefined;
	if (type === 'waitingForPickup') return readyAt;
	// An event that looked planned when it came does not count for `latestAt`, but its place does as soon as it has happened.
	const moments = [latestAt, elsewhereAt, readyAt].map((ms = -Infinity) => ms);
	// Without a date, from the end of the day on which it was found.
	return finite(Math.max(...moments)) ?? (addedDay + 1) * DAY_MS;
}

/**
 * The shipment after a response with these events. Like an event from before the start, a period is not reported whose
 * days were over then. A shipment in its final place does not have to move.
 */
export function skipPeriods(
	shipment: WatchedShipment,
	happened: readonly ReadEvent[],
	newSince: number | undefined,
	limits: DayLimits,
): WatchedShipment {
	const isInFinalPlace = placeOf(lastPlacedGroup(happened)) === 'final';
	const isSkipped = (type: PeriodType) =>
		(type === 'noMovement' && isInFinalPlace) || overAt(shipment, type, limits) < (newSince ?? 0);
	const skipped = periodTypesOf({ limits }).filter(isSkipped);
	const fields = skipped.map((type) => [reportedField(type), sinceOf(shipment, type)]);
	return { ...shipment, ...Object.fromEntries(fields) };
}

/** Since when the period has been running, if it is running and was not reported yet. */
export function unreportedSince(shipment: WatchedShipment, type: PeriodType): number | undefined {
	const since = sinceOf(shipment, type);
	const reported = shipment[reportedField(type)] ?? -Infinity;
	return since !== undefined && since > reported ? since : undefined;
}

/** When the days of the period are over; `Infinity` if it is not running or was reported. */
export function overAt(shipment: WatchedShipment, type: PeriodType, limits: DayLimits): number {
	return (unreportedSince(shipment, type) ?? Infinity) + (limits[type] ?? Infinity) * DAY_MS;
}

/**
 * Takes the events of the periods that are over by now, up to `max`, also of shipments that this poll did
 * not request. Each period is marked as reported in the same state.
 */
export function takePeriodEvents(
	{ shipments, periodsFrom }: Pick<TriggerState, 'shipments' | 'periodsFrom'>,
	watch: Watch,
	nowMs: number,
	max = Infinity,
): { newEvents: NewEvent[]; shipments: WatchedShipment[] } {
	const types = periodTypesOf(watch);
	const newEvents: NewEvent[] = [];
	const take = (shipment: WatchedShipment, type: PeriodType): WatchedShipment => {
		const since = unreportedSince(shipment, type);
		const overMs = overAt(shipment, type, watch.limits);
		if (since === undefined || overMs > nowMs) return shipment;
		// A type that the user selected later applies from then on.
		const isSkipped = overMs < (periodsFrom[type] ?? nowMs);
		if (!isSkipped && newEvents.length >= max) return shipment;
		const reported = { ...shipment, [reportedField(type)]: since };
		if (isSkipped) return reported;
		newEvents.push(periodEventOf(shipment, type, since, watch));
		return { ...reported, groups: (shipment.groups ?? 0) | groupBit(type) };
	};
	const after = shipments.map((shipment) =>
		isUnderWay(shipment) ? types.reduce(take, shipment) : shipment,
	);
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
	const { category, text } = periodTypes[type];
	const since = dateTimeAt(sinceMs, timezone);
	const ms = sinceMs + days * DAY_MS;
	const event = {
		date: dateTimeAt(ms, timezone),
		category,
		code: '',
		name: `${text} for ${countOf(days, 'day')}`,
		nameSystem: category,
		type: 'Trigger',
		item: shipment.number,
		delivered: false,
		canceled: false,
		carrierCode: null,
		// When the period began.
		since,
		days,
	};
	const { carrier, number } = shipment;
	// Not from the limit, so that it stays the same if the user changes the days.
	const eventId = eventIdOf(carrier, number, { date: since, category }, timezone);
	return { shipment, eventId, event, ...flagsOf({ ms, group: type }, shipment) };
}
