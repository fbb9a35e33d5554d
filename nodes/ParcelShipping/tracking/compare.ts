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
	const marks = marksOf(before.marks);
	const unknown = new Map<string, (typeof identified)[number]>();
	for (const each of identified) {
		// A carrier may repeat an event with another text. The first text counts.
		if (!marks.has(markOf(each.eventId)) && !unknown.has(each.eventId))
			unknown.set(each.eventId, each);
	}
	const sorted = sortByDate([...unknown.values()], timezone);
	// Most responses have no unknown event, and there are thousands of them in a poll.
	const isNew = sorted.length > 0 ? newnessOf(before, events, comparison) : () => false;
	const old = sorted.filter(({ event }) => !isNew(event));
	const added = sorted.filter(({ event }) => isNew(event));
	const flagged = flagEvents([...old, ...added], before, timezone, nowMs);
	// Events that are missing from a response stay known: the next one may contain them again.
	const known = [...marks, ...flagged.events.map(({ eventId }) => markOf(eventId))];
	let { earlierCount } = before;
	// In the first response, old events are of the earlier shipment.
	if (earlierCount !== undefined && before.newSince !== undefined)
		earlierCount = known.length - added.length;
	const earlier = new Set(known.slice(0, earlierCount ?? 0));
	const ofShipment = identified
		.filter(({ eventId }) => !earlier.has(markOf(eventId)))
		.map(({ event }) => event);
	const ofPiece = eventsOfPiece(ofShipment, before.number);
	// Until an event names this piece, the end of another one counts for it.
	const isEndOfOther = unknown.size > 0 && ofShipment.some(isEnd) && !ofPiece.some(isEnd);
	const lateEventsFrom = isEndOfOther ? undefined : before.lateEventsFrom;
	const schedule = scheduleAfter(
		{ ...before, lateEventsFrom },
		ofPiece,
		unknown.size > 0,
		comparison,
	);
	const unknownEvents = new Set(sorted.map(({ event }) => event));
	const periods = updatePeriods(before, ofPiece, unknownEvents, comparison);
	const shipment: WatchedShipment = {
		...before,
		...schedule,
		...flagged.known,
		marks: known.join(''),
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

/**
 * The events that come under this number: without those of another piece that has responses of its own. Those of a
 * piece in `refused` come here, except for the ones that came under its own number before.
 */
export function eventsUnder(
	{ carrier, number }: WatchedShipment,
	events: readonly TrackingEvent[],
	haveResponded: ReadonlySet<string>,
	refused: ReadonlyMap<string, WatchedShipment> = new Map(),
	idTimezone = '',
): TrackingEvent[] {
	return events.filter((event) => {
		const of = itemOf(event);
		const key = shipmentKey({ carrier, number: of });
		if (of === '' || of === number) return true;
		if (haveResponded.has(key)) return false;
		const piece = refused.get(key);
		return !piece || !isKnownOf(piece, event, idTimezone);
	});
}

/** Whether the event is known under the number of this shipment, which can be another one. */
function isKnownOf(
	{ carrier, number, marks }: WatchedShipment,
	event: TrackingEvent,
	zone: string,
) {
	return marksOf(marks).has(markOf(eventIdOf(carrier, number, event, zone)));
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
 * Which unknown events are new: all of them, except those of a piece that came under its main shipment before, and
 * except in a shipment's first response. If that comes in the poll in which watching starts, none is: they all existed
 * before. If it comes later (its carrier was down, or the list showed it later), the dates decide: events dated since
 * `newSince` are new, older events and events without a date are not. If the events say that the shipment was created
 * since then, all of them are new. A carrier may still report an earlier shipment that had the same number: then it was
 * created twice, and only the dates count.
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
		main !== undefined && itemOf(event) === before.number && isKnownOf(main, event, idTimezone);
	return (event) => !isBaseline && !isOfMain(event) && (areAllNew || isRecent(event));
}
