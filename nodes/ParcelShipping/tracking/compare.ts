import type { TrackingEvent } from '../transport/contract';
import { sortByDate, toSecond } from './dates';
import {
	categoryNameOf,
	type Comparison,
	eventIdOf,
	itemOf,
	flagEvents,
	markOf,
	marksOf,
	type NewEvent,
	type ReadEvent,
	readEvent,
	withoutPlanned,
} from './events';
import { placesAfter, skipPeriods } from './periods';
import { isEnd, scheduleAfter } from './schedule';
import { shipmentKey, type WatchedShipment } from './state';

/** The shipment after a response, and the new events in it, oldest first. */
export function compareEvents(
	before: WatchedShipment,
	events: readonly TrackingEvent[],
	comparison: Comparison,
): { shipment: WatchedShipment; newEvents: NewEvent[] } {
	const { nowMs, timezone, idTimezone, limits } = comparison;
	const identified = events.map((event) => ({
		...readEvent(event, timezone),
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
	const isNew = sorted.length > 0 ? newnessOf(before, identified, comparison) : () => false;
	const old = sorted.filter((each) => !isNew(each));
	const flagged = flagEvents([...old, ...sorted.filter(isNew)], before, nowMs);
	// Events that are missing from a response stay known: the next one may contain them again.
	const marks = [...knownMarks, ...flagged.events.map(({ eventId }) => markOf(eventId))];
	const ofPiece = eventsOfPiece(identified, before.number);
	const happened = withoutPlanned(ofPiece, nowMs);
	// The carrier may still report an earlier shipment with this number, or the earlier number of this one.
	const own = new Set(before.latestAt === undefined ? sorted : sorted.filter(isNew));
	const end = ofPiece.find((each) => own.has(each) && isEnd(each));
	const after: WatchedShipment = {
		...before,
		...scheduleAfter(before, ofPiece, end, unknown.size > 0, comparison),
		...flagged.summary,
		...placesAfter(before, happened),
		marks: marks.join(''),
		// The carrier of a shipment that starts over may only leave out its events for a moment.
		newSince: events.length === 0 && before.latestAt !== undefined ? before.newSince : undefined,
	};
	const shipment = skipPeriods(after, happened, before.newSince, limits);
	const newEvents = flagged.events.slice(old.length);
	return { shipment, newEvents: newEvents.map((each) => ({ ...each, shipment })) };
}

// A carrier may report events of other pieces under the main shipment. Whether they come and what they say about the
// main shipment are two questions.

/** The events that come under this number: without those of another piece that the service tracks itself. */
export function eventsUnder(
	{ carrier, number }: WatchedShipment,
	events: readonly TrackingEvent[],
	withOwnEvents: ReadonlySet<string>,
): TrackingEvent[] {
	return events.filter((event) => {
		const item = itemOf(event);
		const isOther = item !== '' && item !== number;
		return !isOther || !withOwnEvents.has(shipmentKey({ carrier, number: item }));
	});
}

/**
 * The events that say where the piece is: without those of all others, which can be delivered before it. Only if the
 * events name the piece itself: otherwise, the carrier names something else there.
 */
function eventsOfPiece<Event extends ReadEvent>(
	events: readonly Event[],
	number: string,
): readonly Event[] {
	const namesPiece = events.some(({ event }) => itemOf(event) === number);
	return namesPiece ? events.filter(({ event }) => ['', number].includes(itemOf(event))) : events;
}

/**
 * Which unknown events are new, if they did not come under the main shipment before:
 *
 * - In later responses: all.
 * - In the first response, if it comes in the poll in which watching starts: none. They all existed before.
 * - In a first response that comes later (its carrier was down, or the list showed it later): those dated since
 *   `newSince`, or all if they say that the shipment was created since then. A carrier may still report an earlier
 *   shipment that had the same number: then it was created twice, and only the dates count.
 *
 * Dates are compared by the second, as the service gives them; the second of `newSince` itself counts as new.
 */
function newnessOf(
	before: WatchedShipment,
	events: readonly ReadEvent[],
	comparison: Comparison,
): (event: ReadEvent) => boolean {
	const { baselineAt, idTimezone, main } = comparison;
	const { newSince = 0 } = before;
	const fromMs = toSecond(newSince);
	const isRecent = ({ ms = 0 }: ReadEvent) => ms >= fromMs;
	const creations = events.filter(
		({ event, ms }) =>
			categoryNameOf(event.category) === 'created' && itemOf(event) === '' && ms !== undefined,
	);
	const areAllNew = newSince === 0 || (creations.length > 0 && creations.every(isRecent));
	const isBaseline = newSince === baselineAt;
	// While a piece has no responses, its main shipment may have the events that name it.
	const marksOfMain = marksOf(main?.marks ?? '');
	const isOfMain = ({ event }: ReadEvent) =>
		main !== undefined &&
		itemOf(event) === before.number &&
		marksOfMain.has(markOf(eventIdOf(main.carrier, main.number, event, idTimezone)));
	return (event) => !isBaseline && !isOfMain(event) && (areAllNew || isRecent(event));
}
