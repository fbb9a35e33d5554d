import type { TrackingEvent } from '../transport/contract';
import { dateTimeAt, secondOf } from './dates';
import { eventGroupOf, eventIdOf, FINAL_PLACES, groupBit, type PeriodType, PLACES } from './events';
import { flagsOf } from './flags';
import {
	type Comparison,
	DAY_MS,
	type NewEvent,
	openSince,
	type Periods,
	periodTypesOf,
	toSecond,
	type TriggerState,
	type Watch,
	type WatchedShipment,
	without,
} from './state';

// The events of the trigger itself, when a period has reached its limit.

/** How far a date may be ahead of the beginning of the poll. */
const MAX_AHEAD_MS = 3_600_000;

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
		// Events can happen during the poll, and clocks can be fast.
		const ms = secondOf(event.date, timezone) ?? (periods && isNew ? nowMs : undefined);
		if (ms === undefined) return [];
		const sinceMs = ms > nowMs + MAX_AHEAD_MS ? nowMs : ms;
		return [{ ms: toSecond(sinceMs), group: eventGroupOf(event), isNew }];
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
	const isWaiting = known !== undefined && leftAt < known;
	// If it has just left, it may also be ready again, by an event that was known as a repetition.
	const arrivals = dated.filter(
		({ group, ms, isNew }) =>
			group === 'readyForPickup' && ms > leftAt && (isNew || known !== undefined),
	);
	if (isWaiting) {
		// A late event may say that it arrived earlier.
		const readyAt = Math.min(known, ...arrivals.map(({ ms }) => ms));
		return { ...moved, readyAt, isWaitReported: periods?.isWaitReported === true };
	}
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
		let { periods, groups = 0 } = shipment;
		for (const type of types) {
			const since = openSince(shipment, type);
			const days = watch.limits[type] ?? Infinity;
			if (since === undefined || since + days * DAY_MS > nowMs) continue;
			// A type that the user has just selected applies from now on.
			const isSkipped = !periodTypes.includes(type);
			if (!isSkipped && newEvents.length >= max) continue;
			const reported = type === 'noMovement' ? { isQuietReported: true } : { isWaitReported: true };
			periods = { ...periods, ...reported };
			if (isSkipped) continue;
			const found = periodEventOf(shipment, type, since, watch);
			newEvents.push(found);
			groups |= groupBit(found.event);
		}
		return { ...shipment, periods, groups };
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
	return { shipment, eventId, event, ...flagsOf(event, shipment, timezone) };
}
