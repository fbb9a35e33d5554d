import type { TrackingEvent } from '../transport/contract';
import { secondOf } from './dates';
import { type AnyEventGroup, eventGroupOf } from './eventGroups';
import type { Periods, WatchedShipment } from './state';
import type { DayLimits, PeriodType } from './watch';

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

/** The periods after an answer with these events. `unknown` are those that were not known before. */
export function updatePeriods(
	before: WatchedShipment,
	events: readonly TrackingEvent[],
	unknown: ReadonlySet<TrackingEvent>,
	comparison: PeriodComparison,
): Periods | undefined {
	const { limits = {} } = comparison;
	const types = Object.keys(limits) as PeriodType[];
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
	/** Events that one answer leaves out and the next one contains again are not new. */
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
	// The answer may leave out the event by which the shipment has left.
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
