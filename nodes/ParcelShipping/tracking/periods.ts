import { countOf } from '../lists';
import { DAY_MS } from '../records';
import type { TrackingEvent } from '../transport/contract';
import { dateTimeAt, MAX_AHEAD_MS, secondOf, toSecond } from './dates';
import { type EventGroup, type PeriodType, periodTypes } from './eventGroups';
import {
	type Comparison,
	eventGroupOf,
	eventIdOf,
	flagsOf,
	groupBit,
	type NewEvent,
	placeOf,
} from './events';
import type { Periods, RunningPeriod, TriggerState, WatchedShipment } from './state';
import { type DayLimits, periodTypesOf, type Watch } from './watch';

// The events of the trigger itself, when a period has reached its limit.

interface DatedEvent {
	ms: number;
	group: EventGroup | null;
	isUnknown: boolean;
}

function latestOf(events: readonly DatedEvent[], test: (event: DatedEvent) => boolean): number {
	return Math.max(-Infinity, ...events.filter(test).map(({ ms }) => ms));
}

/**
 * From the latest event on, or from the first response if that has none. A shipment in its final place does not have
 * to move.
 */
function noMovementAfter(
	period: RunningPeriod | undefined,
	hadEvents: boolean,
	events: readonly DatedEvent[],
	nowMs: number,
): RunningPeriod {
	const newest = latestOf(events, ({ isUnknown }) => isUnknown);
	const before = period?.since ?? -Infinity;
	const latest = hadEvents || newest === -Infinity ? Math.max(before, newest) : newest;
	const since = latest === -Infinity ? toSecond(nowMs) : latest;
	const finalAt = latestOf(events, ({ group }) => placeOf(group) === 'final');
	const passingAt = latestOf(events, ({ group }) => placeOf(group) === 'passing');
	const isInFinalPlace = finalAt !== -Infinity && finalAt >= passingAt;
	const wasReported = period?.isReported === true && since <= period.since;
	return { since, isReported: isInFinalPlace || wasReported };
}

/**
 * From the first event of the group until an event says that the shipment is elsewhere, even if a later response leaves
 * that event out. It was last somewhere else at `elsewhereAt` before this response, and at `departedAt` in it.
 */
function waitingForPickupAfter(
	period: RunningPeriod | undefined,
	events: readonly DatedEvent[],
	elsewhereAt: number,
	departedAt: number,
): RunningPeriod | undefined {
	const arrivals = events.flatMap(({ ms, group, isUnknown }) => {
		if (group !== 'readyForPickup' || ms <= departedAt) return [];
		// If dates have no time, it can arrive on the day of the last scan.
		if (isUnknown) return ms >= elsewhereAt ? [ms] : [];
		// Of one that has been waiting, a known repetition of the arrival can be that at the next pickup point.
		return period && ms > elsewhereAt ? [ms] : [];
	});
	// A late event may say that it arrived earlier.
	const isWaiting = period !== undefined && departedAt < period.since;
	if (isWaiting) return { ...period, since: Math.min(period.since, ...arrivals) };
	return arrivals.length > 0 ? { since: Math.min(...arrivals), isReported: false } : undefined;
}

/** When new events say that the shipment is somewhere else than at a pickup point. */
function departuresIn(events: readonly DatedEvent[]): number[] {
	const isAscending = (list: readonly DatedEvent[]) =>
		list.every(({ ms }, at) => ms >= (list[at - 1]?.ms ?? -Infinity));
	// Some services send the newest first.
	const inOrder = isAscending(events) ? events : events.toReversed();
	// With one moment only, nothing says in which order the response has them.
	const isOrdered = isAscending(inOrder) && new Set(events.map(({ ms }) => ms)).size > 1;
	return inOrder.flatMap(({ ms, group, isUnknown }, at) => {
		if (!isUnknown || group === 'readyForPickup' || placeOf(group) === undefined) return [];
		const isReady = (later: DatedEvent) => later.ms === ms && later.group === 'readyForPickup';
		// The scan on arrival may have the same second. Then the arrival is the later one.
		return [isOrdered && inOrder.slice(at + 1).some(isReady) ? ms - 1000 : ms];
	});
}

/** The periods after a response with these events. `unknown` are those that were not known before. */
export function updatePeriods(
	before: WatchedShipment,
	responseEvents: readonly TrackingEvent[],
	unknown: ReadonlySet<TrackingEvent>,
	comparison: Comparison,
): Periods | undefined {
	const { limits, nowMs, timezone } = comparison;
	const { periods, newSince } = before;
	if (Object.keys(limits).length === 0) return periods;
	const events = responseEvents.flatMap((event) => {
		// An event that one response leaves out and a later one contains again is not new.
		const isUnknown = !periods || unknown.has(event);
		// A new event without a date counts from now on, unless the number has changed: it may be an old one then.
		// A planned event counts from now on, too. One that is dated a little ahead is not planned: clocks can be fast.
		const isUndatedNow = periods && newSince === undefined && isUnknown;
		const ms = secondOf(event.date, timezone) ?? (isUndatedNow ? nowMs : undefined);
		if (ms === undefined) return [];
		const sinceMs = ms > nowMs + MAX_AHEAD_MS ? nowMs : ms;
		return [{ ms: toSecond(sinceMs), group: eventGroupOf(event), isUnknown }];
	});
	const { elsewhereAt = -Infinity } = periods ?? {};
	const departedAt = Math.max(-Infinity, ...departuresIn(events));
	const { noMovement, waitingForPickup } = periods?.running ?? {};
	const running: Record<PeriodType, RunningPeriod | undefined> = {
		noMovement: noMovementAfter(noMovement, before.marks !== '', events, nowMs),
		waitingForPickup: waitingForPickupAfter(waitingForPickup, events, elsewhereAt, departedAt),
	};
	// Like an event from before the start, a period is not reported whose days were over then.
	for (const [type, period] of Object.entries(running) as Array<[PeriodType, RunningPeriod]>)
		if (!periods && overAt({ periods: { running } }, type, limits) < (newSince ?? 0))
			period.isReported = true;
	const latest = Math.max(elsewhereAt, departedAt);
	return { running, elsewhereAt: latest === -Infinity ? undefined : latest };
}

/** Since when the period has been running, if it is running and was not reported yet. */
export function unreportedSince(
	{ periods }: Pick<WatchedShipment, 'periods'>,
	type: PeriodType,
): number | undefined {
	const period = periods?.running[type];
	return period?.isReported ? undefined : period?.since;
}

/** When the days of the period are over; `Infinity` if it is not running or was reported. */
export function overAt(
	shipment: Pick<WatchedShipment, 'periods'>,
	type: PeriodType,
	limits: DayLimits,
): number {
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
		const running = { ...shipment.periods?.running, [type]: { since, isReported: true } };
		const reported = { ...shipment, periods: { ...shipment.periods, running } };
		if (isSkipped) return reported;
		const newEvent = periodEventOf(shipment, type, since, watch);
		newEvents.push(newEvent);
		return { ...reported, groups: (shipment.groups ?? 0) | groupBit(newEvent.event) };
	};
	const after = shipments.map((shipment) => {
		if (!shipment.periods) return shipment;
		const hasEnded = shipment.status === 'finished' || shipment.endedAt !== undefined;
		if (types.length === 0 || hasEnded) return { ...shipment, periods: undefined };
		return shipment.listed === 'unlisted' ? shipment : types.reduce(take, shipment);
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
	const { category, text } = periodTypes[type];
	const since = dateTimeAt(sinceMs, timezone);
	const event = {
		date: dateTimeAt(sinceMs + days * DAY_MS, timezone),
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
	const eventId = eventIdOf(carrier, number, { date: since, category, type: 'Trigger' }, timezone);
	return { shipment, eventId, event, ...flagsOf(event, shipment, timezone) };
}
