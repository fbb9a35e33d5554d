import type { TrackingEvent } from '../transport/contract';
import { lastSecondOf, secondOf, sortByDate, toSecond } from './dates';
import {
	categoryNameOf,
	type Comparison,
	eventIdOf,
	itemOf,
	flagEvents,
	markOf,
	marksOf,
	type NewEvent,
} from './events';
import { updatePeriods } from './periods';
import { isEnd, scheduleAfter } from './select';
import { shipmentKey, type WatchedShipment } from './state';

/** The shipment after a response, and the new events in it, oldest first. */
export function compareEvents(
	before: WatchedShipment,
	events: readonly TrackingEvent[],
	comparison: Comparison,
): { shipment: WatchedShipment; newEvents: NewEvent[] } {
	const { nowMs, timezone, idTimezone } = comparison;
	const identified = events.map((event) => ({
		event,
		eventId: eventIdOf(before.carrier, before.number, event, idTimezone),
	}));
	const knownMarks = marksOf(before.marks);
	const unknown = new Map<string, (typeof identified)[number]>();
	for (const each of identified) {
		// A carrier may repeat an event with another text. The first text counts.
		if (!knownMarks.has(markOf(each.eventId)) && !unknown.has(each.eventId))
			unknown.set(each.eventId, each);
	}
	const sorted = sortByDate([...unknown.values()], timezone);
	// Most responses have no unknown event, and there are thousands of them in a poll.
	const isNew = sorted.length > 0 ? newnessOf(before, events, comparison) : () => false;
	const old = sorted.filter(({ event }) => !isNew(event));
	const added = sorted.filter(({ event }) => isNew(event));
	const flagged = flagEvents([...old, ...added], before, timezone, nowMs);
	// Events that are missing from a response stay known: the next one may contain them again.
	const marks = [...knownMarks, ...flagged.events.map(({ eventId }) => markOf(eventId))];
	let { earlierCount } = before;
	// In the first response, old events are of the earlier shipment.
	if (earlierCount !== undefined && before.newSince !== undefined)
		earlierCount = marks.length - added.length;
	const earlier = new Set(marks.slice(0, earlierCount ?? 0));
	const ofShipment = identified
		.filter(({ eventId }) => !earlier.has(markOf(eventId)))
		.map(({ event }) => event);
	const ofPiece = eventsOfPiece(ofShipment, before.number);
	// Until an event names this piece, the end of another one counts for it.
	const isEndOfOther = unknown.size > 0 && ofShipment.some(isEnd) && !ofPiece.some(isEnd);
	const current = isEndOfOther ? { ...before, lateEventsFrom: undefined } : before;
	const schedule = scheduleAfter(current, ofPiece, unknown.size > 0, comparison);
	const unknownEvents = new Set(sorted.map(({ event }) => event));
	const periods = updatePeriods(before, ofPiece, unknownEvents, comparison);
	const shipment: WatchedShipment = {
		...before,
		...schedule,
		...flagged.known,
		marks: marks.join(''),
		earlierCount,
		// A shipment that starts over has had events: the carrier may only leave them out for a moment.
		newSince: events.length === 0 && before.latestAt !== undefined ? before.newSince : undefined,
		periods,
	};
	const newEvents = flagged.events.slice(old.length);
	return { shipment, newEvents: newEvents.map((each) => ({ ...each, shipment })) };
}

// A carrier may report events of other pieces under the main shipment. Whether they come and what they say about the
// main shipment are two questions.

/** The events that come under this number: without those of another piece that has responses of its own. */
export function eventsUnder(
	{ carrier, number }: WatchedShipment,
	events: readonly TrackingEvent[],
	pieces: ReadonlyMap<string, WatchedShipment>,
	idTimezone: string,
): TrackingEvent[] {
	return events.filter((event) => {
		const item = itemOf(event);
		if (item === '' || item === number) return true;
		const piece = pieces.get(shipmentKey({ carrier, number: item }));
		// Events of a refused piece came under its own number before, as long as it was not refused.
		return !piece || (piece.status === 'refused' && !isKnownUnder(piece, event, idTimezone));
	});
}

function isKnownUnder(shipment: WatchedShipment, event: TrackingEvent, timezone: string): boolean {
	const { carrier, number, marks } = shipment;
	return marksOf(marks).has(markOf(eventIdOf(carrier, number, event, timezone)));
}

/**
 * The events that say where the piece is: without those of all others, which can be delivered before it. Only if the
 * events name the piece itself: otherwise, the carrier names something else there.
 */
function eventsOfPiece(events: readonly TrackingEvent[], number: string): readonly TrackingEvent[] {
	const namesPiece = events.some((event) => itemOf(event) === number);
	return namesPiece ? events.filter((event) => ['', number].includes(itemOf(event))) : events;
}

/**
 * Which unknown events are new:
 *
 * - In later responses: all.
 * - In the first response, if it comes in the poll in which watching starts: none. They all existed before.
 * - In a first response that comes later (its carrier was down, or the list showed it later): those dated since
 *   `newSince`. Older events and events without a date are not.
 * - There, if the events say that the shipment was created since then: all. A carrier may still report an earlier
 *   shipment that had the same number: then it was created twice, and only the dates count.
 * - Never those of a piece that came under its main shipment before.
 *
 * Dates are compared by the second, as the service gives them; the second of `newSince` itself counts
 * as new. A day without a time counts as a whole if the list did not have the shipment before, which
 * `activeUntil` says. If the time zone is not the service's, only this comparison is off by the difference.
 */
function newnessOf(
	before: WatchedShipment,
	events: readonly TrackingEvent[],
	comparison: Comparison,
): (event: TrackingEvent) => boolean {
	const { timezone, idTimezone, watchingStartsAt, main } = comparison;
	const { newSince = 0 } = before;
	const isListedLater = before.activeUntil !== undefined;
	const fromMs = toSecond(newSince);
	const readDate = isListedLater ? lastSecondOf : secondOf;
	const isRecent = ({ date }: TrackingEvent) => (readDate(date, timezone) ?? 0) >= fromMs;
	const creations = events.filter(
		(event) =>
			categoryNameOf(event.category) === 'created' &&
			itemOf(event) === '' &&
			readDate(event.date, timezone) !== undefined,
	);
	const areAllNew = newSince === 0 || (creations.length > 0 && creations.every(isRecent));
	const isBaseline = newSince === watchingStartsAt;
	// While a piece has no responses, its main shipment may have the events that name it.
	const isOfMain = (event: TrackingEvent) =>
		main !== undefined && itemOf(event) === before.number && isKnownUnder(main, event, idTimezone);
	return (event) => !isBaseline && !isOfMain(event) && (areAllNew || isRecent(event));
}
