import { byDate, momentOf } from './dates';
import { eventIdOf, isMarked, markOf } from './identity';
import { type WatchedShipment, without } from './state';
import type { TrackingEvent } from '../transport/contract';

const HOUR_MS = 3_600_000;

/** How long a delivered or canceled shipment is still asked after its last news. */
export const LATE_CORRECTIONS_MS = 72 * HOUR_MS;

/** How often it is asked during that time. */
export const OVER_PAUSE_MS = HOUR_MS;

/** An event that the trigger has not seen before. */
export interface NewEvent {
	shipment: WatchedShipment;
	eventId: string;
	event: TrackingEvent;
}

export interface Circumstances {
	nowMs: number;
	timezone: string;
	/** Set in the poll in which watching begins: what `since` then begins there is the baseline. */
	baselineSince?: number;
}

/** The shipment after an answer, and the events in it that are new, oldest first. */
export function takeAnswer(
	before: WatchedShipment,
	events: readonly TrackingEvent[],
	circumstances: Circumstances,
): { shipment: WatchedShipment; news: NewEvent[] } {
	const unseen = new Map<string, TrackingEvent>();
	for (const event of events) {
		const eventId = eventIdOf(before.carrier, before.number, event);
		// A carrier that repeats an event may have reworded it; the first wording counts.
		if (!isMarked(before.known, eventId) && !unseen.has(eventId)) unseen.set(eventId, event);
	}
	const isNew =
		before.since === undefined
			? () => true
			: newsOfFirstAnswer(before.since, events, circumstances);
	const news = [...unseen].filter(([, event]) => isNew(event));

	// Events that an answer leaves out stay known: they may be back in the next one.
	const known = [before.known, ...[...unseen.keys()].map(markOf)].join('');
	const shipment = settle(
		{ ...without(before, 'since'), known },
		{ events, hasNews: unseen.size > 0, isFirst: before.since !== undefined },
		circumstances,
	);
	return {
		shipment,
		news: news
			.map(([eventId, event]) => ({ shipment, eventId, event }))
			.sort((a, b) => byDate(a.event, b.event)),
	};
}

/**
 * Which events of a shipment's first answer are new.
 *
 * In the poll in which watching begins, none: all of them were there before. A shipment that could
 * not be asked then (its carrier was down, the time was up) or came later can't tell what it would
 * have answered, so dates decide: its events since the beginning are new, older ones are not. What
 * has no date counts as old there. Unless the shipment itself was created after the beginning: then
 * all of its events are new, also those with only a day for a date, or none.
 *
 * Dates are compared by the second, as the service gives them; the very second of the beginning
 * counts as after it. A zone that is not the service's shifts this comparison (and nothing else).
 */
function newsOfFirstAnswer(
	since: number,
	events: readonly TrackingEvent[],
	{ timezone, baselineSince }: Circumstances,
): (event: TrackingEvent) => boolean {
	if (since === 0) return () => true;
	if (since === baselineSince) return () => false;
	const from = Math.floor(since / 1000) * 1000;
	const isSince = ({ date }: TrackingEvent) => (momentOf(date, timezone)?.toMillis() ?? 0) >= from;
	const wasCreatedSince = events.some(
		(event) => event.category === 'Created' && (event.item ?? null) === null && isSince(event),
	);
	return wasCreatedSince ? () => true : isSince;
}

interface Answered {
	events: readonly TrackingEvent[];
	hasNews: boolean;
	isFirst: boolean;
}

/** Whether the shipment is over, and when it is asked again. */
function settle(
	shipment: WatchedShipment,
	{ events, hasNews, isFirst }: Answered,
	{ nowMs, timezone }: Circumstances,
): WatchedShipment {
	const rest = without(shipment, 'dueAt');
	const end = events.find(({ delivered, canceled }) => delivered === true || canceled === true);
	let { overSince } = rest;
	if (end && isFirst) {
		// One that ended long before it was first asked won't be corrected any more.
		const endedAt = momentOf(end.date, timezone)?.toMillis() ?? nowMs;
		overSince = Math.min(endedAt, nowMs);
	} else if (end && overSince === undefined) {
		overSince = nowMs;
	} else if (overSince !== undefined && hasNews) {
		overSince = nowMs;
	}
	if (overSince === undefined) return rest;
	if (nowMs - overSince >= LATE_CORRECTIONS_MS)
		return { ...rest, overSince, known: '', isResting: true };
	return { ...rest, overSince, dueAt: nowMs + OVER_PAUSE_MS };
}
