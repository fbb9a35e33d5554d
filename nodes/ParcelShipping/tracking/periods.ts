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
	DAY_MS,
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
	const { limits = {}, nowMs, timezone } = comparison;
	const { periods } = before;
	const types = periodTypesOf({ limits });
	if (types.length === 0) return undefined;
	const isDue = types.some((type) => isReached(type, openSince(before, type), comparison));
	// Reading the dates of many shipments takes long, so they are read only if they can matter.
	if (periods && unknown.size === 0 && !isDue) return periods;

	const dated = events.flatMap((event) => {
		// Events that one response leaves out and the next one contains again are not new.
		const isNew = !periods || unknown.has(event);
		// A new event without a date counts from now on, and so does one that is dated in the future.
		const ms = secondOf(event.date, timezone) ?? (periods && isNew ? nowMs : undefined);
		if (ms === undefined) return [];
		return [{ ms: toSecond(Math.min(ms, nowMs)), group: eventGroupOf(event), isNew }];
	});
	const latestOf = (wanted: (each: (typeof dated)[number]) => boolean) =>
		dated.filter(wanted).reduce((latest, { ms }) => Math.max(latest, ms), -Infinity);

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
		let { periods } = shipment;
		let current = shipment;
		for (const type of types) {
			const since = openSince(shipment, type);
			const days = watch.limits[type] ?? Infinity;
			if (since === undefined || limitMs(since, days) > nowMs) continue;
			// A type that the user has just selected applies from now on.
			const isSkipped = !periodTypes.includes(type);
			if (!isSkipped && newEvents.length >= max) continue;
			const reported = type === 'noMovement' ? { isQuietReported: true } : { isWaitReported: true };
			periods = { ...periods, ...reported };
			current = { ...shipment, periods };
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
