import type { TrackingEvent } from '../transport/contract';
import { dateTimeAt, secondOf } from './dates';
import {
	type AnyEventGroup,
	eventGroupOf,
	eventIdOf,
	type PeriodType,
	periodEventTypes,
} from './events';
import {
	type DayLimits,
	type NewEvent,
	type Periods,
	periodTypesOf,
	type TriggerState,
	type Watch,
	type WatchedShipment,
	without,
} from './state';

// How long a shipment has been without an event, and how long it has been waiting for pickup. Moments
// are whole seconds, as the service gives them and as the state keeps them.

export interface PeriodComparison {
	nowMs: number;
	timezone: string;
	baselineSince?: number;
	/** Of the selected types. Empty or missing if none is selected. */
	limits?: DayLimits;
}

const DAY_MS = 86_400_000;

/** The groups that say where a shipment is. Problems and unknown categories do not. */
export const PLACES = new Set<AnyEventGroup | null>([
	'handedOver',
	'inTransit',
	'readyForPickup',
	'delivered',
	'canceled',
	'returning',
	'returned',
]);

export const FINAL_PLACES = new Set<AnyEventGroup | null>(['delivered', 'canceled', 'returned']);

/** The moment at which the days are over. */
export function limitMs(sinceMs: number, days: number): number {
	return sinceMs + days * DAY_MS;
}

/** Since when the period has been running, if it is running and was not reported yet. */
export function openSince({ periods }: WatchedShipment, type: PeriodType): number | undefined {
	if (!periods) return undefined;
	const { movedAt, isQuietReported, readyAt, isWaitReported } = periods;
	if (type === 'noMovement') return isQuietReported ? undefined : movedAt;
	return isWaitReported ? undefined : readyAt;
}

/** The periods after a response with these events. `unknown` are those that were not known before. */
export function updatePeriods(
	before: WatchedShipment,
	events: readonly TrackingEvent[],
	unknown: ReadonlySet<TrackingEvent>,
	comparison: PeriodComparison,
): Periods | undefined {
	const { limits = {} } = comparison;
	const types = periodTypesOf({ limits });
	if (types.length === 0) return undefined;
	const isDue = types.some((type) => isReached(type, openSince(before, type), comparison));
	// Reading the dates of many shipments takes long, so they are read only if they can matter.
	if (before.periods && unknown.size === 0 && !isDue) return before.periods;
	const dated = datedEvents(before, events, unknown, comparison);
	return { ...standstillAfter(before, dated, comparison), ...waitAfter(before, dated, comparison) };
}

interface DatedEvent {
	ms: number;
	group: AnyEventGroup | null;
	/** Events that one response leaves out and the next one contains again are not new. */
	isNew: boolean;
}

function datedEvents(
	{ periods }: WatchedShipment,
	events: readonly TrackingEvent[],
	unknown: ReadonlySet<TrackingEvent>,
	{ nowMs, timezone }: PeriodComparison,
): DatedEvent[] {
	return events.flatMap((event) => {
		const isUnknown = unknown.has(event);
		const second = secondOf(event.date, timezone);
		// A new event without a date counts from now on, and so does one that is dated in the future.
		const ms = second ?? (periods && isUnknown ? nowMs : undefined);
		if (ms === undefined) return [];
		const group = eventGroupOf(event);
		return [{ ms: toSecond(Math.min(ms, nowMs)), group, isNew: !periods || isUnknown }];
	});
}

function standstillAfter(
	before: WatchedShipment,
	dated: readonly DatedEvent[],
	comparison: PeriodComparison,
): Pick<Periods, 'movedAt' | 'isQuietReported'> {
	const { movedAt: known = -Infinity, isQuietReported: wasReported = false } = before.periods ?? {};
	const latest = Math.max(known, latestOf(dated.filter(({ isNew }) => isNew)));
	const movedAt = latest === -Infinity ? toSecond(comparison.nowMs) : latest;
	const finalAt = latestOf(dated.filter(({ group }) => FINAL_PLACES.has(group)));
	const otherAt = latestOf(
		dated.filter(({ group }) => PLACES.has(group) && !FINAL_PLACES.has(group)),
	);
	const isOver = finalAt !== -Infinity && finalAt >= otherAt;
	return {
		movedAt,
		isQuietReported:
			isOver ||
			(wasReported && movedAt === known) ||
			wasOver('noMovement', movedAt, before, comparison),
	};
}

/** A shipment waits from the first event of the group until an event says that it is elsewhere. */
function waitAfter(
	before: WatchedShipment,
	dated: readonly DatedEvent[],
	comparison: PeriodComparison,
): Pick<Periods, 'readyAt' | 'isWaitReported' | 'leftAt'> {
	const { readyAt: known, isWaitReported: wasReported = false } = before.periods ?? {};
	const isReady = ({ group }: DatedEvent) => group === 'readyForPickup';
	const elsewhere = dated.filter((each) => PLACES.has(each.group) && !isReady(each));
	// The response may leave out the event by which the shipment has left.
	const leftAt = Math.max(before.periods?.leftAt ?? -Infinity, latestOf(elsewhere));
	const left = leftAt === -Infinity ? {} : { leftAt };
	if (known !== undefined && leftAt < known) {
		return { readyAt: known, isWaitReported: wasReported, ...left };
	}
	// If it has just left, it may also be ready again, by an event that was known as a repetition.
	const arrivals = dated.filter(
		(each) => isReady(each) && each.ms > leftAt && (each.isNew || known !== undefined),
	);
	if (arrivals.length === 0) return { isWaitReported: false, ...left };
	const readyAt = Math.min(...arrivals.map(({ ms }) => ms));
	const isWaitReported = wasOver('waitingForPickup', readyAt, before, comparison);
	return { readyAt, isWaitReported, ...left };
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
	comparison: PeriodComparison,
): boolean {
	if (periods || !isReached(type, sinceMs, comparison) || newSince === 0) return false;
	if (newSince === undefined || newSince === comparison.baselineSince) return true;
	return limitMs(sinceMs, comparison.limits?.[type] ?? 0) < toSecond(newSince);
}

function isReached(
	type: PeriodType,
	sinceMs: number | undefined,
	{ limits, nowMs }: PeriodComparison,
): boolean {
	const days = limits?.[type];
	return sinceMs !== undefined && days !== undefined && limitMs(sinceMs, days) <= nowMs;
}

function latestOf(dated: readonly DatedEvent[]): number {
	return dated.reduce((latest, { ms }) => Math.max(latest, ms), -Infinity);
}

function toSecond(ms: number): number {
	return Math.floor(ms / 1000) * 1000;
}

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
