import type { TrackingEvent } from '../transport/contract';
import { dateTimeAt, secondOf, sortByDate } from './dates';
import {
	categoryNameOf,
	eventGroupOf,
	eventIdOf,
	FINAL_PLACES,
	markOf,
	marksOf,
	type PeriodType,
	PLACES,
} from './events';
import { nextTurn, scheduleAfter } from './select';
import {
	DAY_MS,
	type DayLimits,
	type NewEvent,
	openSince,
	type Periods,
	periodTypesOf,
	type TriggerState,
	type Watch,
	type WatchedShipment,
	without,
} from './state';

// What is new: the events of a response, and those of the trigger itself, when a period has reached its
// limit. Moments of periods are whole seconds, as the service gives them and as the state keeps them.

/** How long a delivered or canceled shipment is requested after its last new event. */
export const LATE_EVENTS_MS = 72 * 3_600_000;

export interface Comparison {
	nowMs: number;
	timezone: string;
	/** Of the selected types. Empty or missing if none is selected. */
	limits?: DayLimits;
	/** Set in the poll in which watching starts: shipments with this `newSince` have only known events. */
	baselineSince?: number;
	/** The position of the shipment in its response. */
	position?: number;
}

/** The shipment after a response, and the new events in it, oldest first. */
export function compareEvents(
	before: WatchedShipment,
	events: readonly TrackingEvent[],
	comparison: Comparison,
): { shipment: WatchedShipment; newEvents: NewEvent[] } {
	const marks = marksOf(before.known);
	const unknown = new Map<string, TrackingEvent>();
	for (const event of events) {
		const eventId = eventIdOf(before.carrier, before.number, event, comparison.timezone);
		// A carrier may repeat an event with another text. The first text counts.
		if (!marks.has(markOf(eventId)) && !unknown.has(eventId)) unknown.set(eventId, event);
	}
	// Events that are missing from a response stay known: the next one may contain them again.
	const known = [before.known, ...[...unknown.keys()].map(markOf)].join('');
	const scheduled = scheduleNextRequest(before, known, events, comparison);
	const periods = updatePeriods(before, events, new Set(unknown.values()), comparison);
	const shipment = periods ? { ...scheduled, periods } : scheduled;
	// All unknown events are new, except in a shipment's first response. In the poll in which watching
	// starts, none is: they all existed before. A shipment whose first response arrives later (its carrier
	// was down, or the list showed it later) needs the dates: events dated since `newSince` are new, older
	// events and events without a date are not. If the shipment itself was created since then, all of its
	// events are new, even those without a time.
	//
	// Dates are compared by the second, as the service gives them; the second of `newSince` itself counts
	// as new. If the time zone is not the service's, only this comparison is off by the difference.
	const { newSince = 0 } = before;
	const fromMs = toSecond(newSince);
	const isRecent = ({ date }: TrackingEvent) =>
		(secondOf(date, comparison.timezone) ?? 0) >= fromMs;
	const areAllNew =
		newSince === 0 ||
		events.some(
			(event) =>
				categoryNameOf(event.category) === 'created' &&
				(event.item ?? null) === null &&
				isRecent(event),
		);
	const isBaseline = newSince === comparison.baselineSince;
	const newEvents = [...unknown]
		.filter(([, event]) => !isBaseline && (areAllNew || isRecent(event)))
		.map(([eventId, event]) => ({ shipment, eventId, event }));
	return { shipment, newEvents: sortByDate(newEvents, comparison.timezone) };
}

/** A shipment that has ended is requested until three days pass without a new event. */
function scheduleNextRequest(
	before: WatchedShipment,
	known: string,
	events: readonly TrackingEvent[],
	comparison: Comparison,
): WatchedShipment {
	const { nowMs, timezone } = comparison;
	const shipment = {
		...without(before, 'newSince', 'nextRequestAt', 'activeUntil', 'refusedSince'),
		known,
	};
	const isFirstResponse = before.newSince !== undefined;
	const hasUnknownEvents = known !== before.known;
	const end = events.find(({ delivered, canceled }) => delivered === true || canceled === true);
	let { endedAt } = before;
	if (end && isFirstResponse) {
		// If it ended long ago, no late events are expected.
		endedAt = Math.min(secondOf(end.date, timezone) ?? nowMs, nowMs);
	} else if (endedAt === undefined ? end : hasUnknownEvents) {
		endedAt = nowMs;
	}
	if (endedAt === undefined) {
		const hasNewEvent = hasUnknownEvents && !isFirstResponse;
		return { ...shipment, ...scheduleAfter(before, events, hasNewEvent, comparison) };
	}
	if (nowMs - endedAt >= LATE_EVENTS_MS) {
		return { ...shipment, endedAt, known: '', isFinished: true };
	}
	return { ...shipment, endedAt, nextRequestAt: nextTurn(before, 'arrived', comparison) };
}

/** The periods after a response with these events. `unknown` are those that were not known before. */
export function updatePeriods(
	before: WatchedShipment,
	events: readonly TrackingEvent[],
	unknown: ReadonlySet<TrackingEvent>,
	comparison: Comparison,
): Periods | undefined {
	const { limits = {}, nowMs, timezone } = comparison;
	const { periods } = before;
	if (Object.keys(limits).length === 0) return undefined;
	const dated = events.flatMap((event) => {
		// Events that one response leaves out and the next one contains again are not new.
		const isNew = !periods || unknown.has(event);
		// A new event without a date counts from now on, and so does one that is dated in the future.
		const ms = secondOf(event.date, timezone) ?? (periods && isNew ? nowMs : undefined);
		if (ms === undefined) return [];
		return [{ ms: toSecond(Math.min(ms, nowMs)), group: eventGroupOf(event), isNew }];
	});
	const latestOf = (wanted: (each: (typeof dated)[number]) => boolean) =>
		Math.max(-Infinity, ...dated.filter(wanted).map(({ ms }) => ms));

	const latest = Math.max(
		periods?.movedAt ?? -Infinity,
		latestOf(({ isNew }) => isNew),
	);
	const movedAt = latest === -Infinity ? toSecond(nowMs) : latest;
	const finalAt = latestOf(({ group }) => FINAL_PLACES.has(group));
	const otherAt = latestOf(({ group }) => PLACES.has(group) && !FINAL_PLACES.has(group));
	const isQuietReported =
		(finalAt !== -Infinity && finalAt >= otherAt) ||
		(periods?.isQuietReported === true && movedAt === periods.movedAt) ||
		wasOver('noMovement', movedAt, before, comparison);

	// A shipment waits from the first event of the group until an event says that it is elsewhere, even
	// if a later response leaves that event out.
	const elsewhereAt = latestOf(({ group }) => PLACES.has(group) && group !== 'readyForPickup');
	const leftAt = Math.max(periods?.leftAt ?? -Infinity, elsewhereAt);
	const moved = { movedAt, isQuietReported, ...(leftAt === -Infinity ? {} : { leftAt }) };
	const known = periods?.readyAt;
	if (known !== undefined && leftAt < known) {
		return { ...moved, readyAt: known, isWaitReported: periods?.isWaitReported === true };
	}
	// If it has just left, it may also be ready again, by an event that was known as a repetition.
	const arrivals = dated.filter(
		({ group, ms, isNew }) =>
			group === 'readyForPickup' && ms > leftAt && (isNew || known !== undefined),
	);
	if (arrivals.length === 0) return { ...moved, isWaitReported: false };
	const readyAt = Math.min(...arrivals.map(({ ms }) => ms));
	const isWaitReported = wasOver('waitingForPickup', readyAt, before, comparison);
	return { ...moved, readyAt, isWaitReported };
}

/**
 * Whether the days were already over when the trigger first looked at the period: like an event from
 * before the start, this is not reported. It is if the limit was reached after the start, while the
 * shipment could not be requested.
 */
function wasOver(
	type: PeriodType,
	sinceMs: number,
	{ periods, newSince }: WatchedShipment,
	{ limits, nowMs, baselineSince }: Comparison,
): boolean {
	const limitMs = sinceMs + (limits?.[type] ?? Infinity) * DAY_MS;
	if (periods || limitMs > nowMs || newSince === 0) return false;
	return newSince === undefined || newSince === baselineSince || limitMs < toSecond(newSince);
}

function toSecond(ms: number): number {
	return Math.floor(ms / 1000) * 1000;
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
		let { periods } = shipment;
		for (const type of types) {
			const since = openSince(shipment, type);
			const days = watch.limits[type] ?? Infinity;
			if (since === undefined || since + days * DAY_MS > nowMs) continue;
			// A type that the user has just selected applies from now on.
			const isSkipped = !periodTypes.includes(type);
			if (!isSkipped && newEvents.length >= max) continue;
			const reported = type === 'noMovement' ? { isQuietReported: true } : { isWaitReported: true };
			periods = { ...periods, ...reported };
			if (!isSkipped) newEvents.push(periodEventOf(shipment, type, since, watch));
		}
		return { ...shipment, periods };
	});
	return { newEvents, shipments: after };
}

/** The category, which occurs in no service, and the name of each. */
const periodEvents: Record<PeriodType, [category: string, name: string]> = {
	noMovement: ['NoMovement', 'No event'],
	waitingForPickup: ['WaitingForPickup', 'Ready for pickup'],
};

/** The event that says that the days are over which began at `sinceMs`. */
export function periodEventOf(
	shipment: WatchedShipment,
	type: PeriodType,
	sinceMs: number,
	{ limits, timezone }: Pick<Watch, 'limits' | 'timezone'>,
): NewEvent {
	const days = limits[type] ?? 0;
	const [category, name] = periodEvents[type];
	const since = dateTimeAt(sinceMs, timezone);
	const event = {
		date: dateTimeAt(sinceMs + days * DAY_MS, timezone),
		category,
		code: '',
		name: `${name} for ${days} ${days === 1 ? 'day' : 'days'}`,
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
	return { shipment, eventId, event };
}
