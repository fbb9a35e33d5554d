import type { TrackingEvent } from '../transport/contract';
import { sortByDate, toSecond } from './dates';
import {
	categoryNameOf,
	eventIdOf,
	flagEvents,
	markOf,
	marksOf,
	type NewEvent,
	pieceNumberOf,
	type ReadEvent,
	readEvent,
	withoutPlanned,
} from './events';
import { placesAfter, skipPeriods } from './periods';
import { isEnd, scheduleAfter } from './schedule';
import { shipmentKey, type WatchedShipment } from './state';
import type { DayLimits } from './watch';

/** What all responses of a poll are compared with. */
export interface Comparison {
	nowMs: number;
	timezone: string;
	/** Events are identified with it. The same as `timezone`, unless the state began with another one. */
	idTimezone: string;
	limits: DayLimits;
	/** The `startedAt` of the state, in the poll in which watching starts. See `newnessOf`. */
	baselineAt?: number | undefined;
}

/**
 * The shipment after a response, and the new events in it, oldest first. `main` is the main shipment of a piece: events of
 * the piece may have come under it before. `position` is that in the request, to spread the next requests.
 */
export function compareEvents(
	before: WatchedShipment,
	events: readonly TrackingEvent[],
	comparison: Comparison,
	main?: WatchedShipment,
	position?: number,
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
	const isNew = sorted.length > 0 ? newnessOf(before, identified, comparison, main) : () => false;
	const old = sorted.filter((each) => !isNew(each));
	const flagged = flagEvents([...old, ...sorted.filter(isNew)], before, nowMs);
	// Events that are missing from a response stay known: the next one may contain them again.
	const marks = [...knownMarks, ...flagged.events.map(({ eventId }) => markOf(eventId))];
	const ofPiece = eventsOfPiece(identified, before.number);
	const happened = withoutPlanned(ofPiece, nowMs);
	// An order that is canceled and created again may get the same number. Its carrier may still report the
	// cancellation, perhaps for the first time, and that does not end the new shipment.
	const { ownEndAfter } = before;
	const isOwn = ({ ms = 0 }: ReadEvent) => ownEndAfter === undefined || ms > ownEndAfter;
	// A known one of another piece did not end the shipment before, when the response had an event of its own.
	const mayBeOfOther = ({ event, eventId }: (typeof identified)[number]) =>
		!['', before.number].includes(pieceNumberOf(event)) && !unknown.has(eventId);
	const end = ofPiece.find((each) => isEnd(each) && isOwn(each) && !mayBeOfOther(each));
	const after: WatchedShipment = {
		...before,
		...scheduleAfter(before, ofPiece, end, unknown.size > 0, { nowMs, position }),
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
		const piece = pieceNumberOf(event);
		const isOther = piece !== '' && piece !== number;
		return !isOther || !withOwnEvents.has(shipmentKey({ carrier, number: piece }));
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
	const namesPiece = events.some(({ event }) => pieceNumberOf(event) === number);
	return namesPiece
		? events.filter(({ event }) => ['', number].includes(pieceNumberOf(event)))
		: events;
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
	{ baselineAt, idTimezone }: Comparison,
	main: WatchedShipment | undefined,
): (event: ReadEvent) => boolean {
	const { newSince = 0 } = before;
	const fromMs = toSecond(newSince);
	const isRecent = ({ ms = 0 }: ReadEvent) => ms >= fromMs;
	const creations = events.filter(
		({ event, ms }) =>
			categoryNameOf(event.category) === 'created' &&
			pieceNumberOf(event) === '' &&
			ms !== undefined,
	);
	const areAllNew = newSince === 0 || (creations.length > 0 && creations.every(isRecent));
	// `newSince` is the `startedAt` of the moment when the shipment was added.
	const startsNow = newSince === baselineAt;
	// While a piece has no responses, its main shipment may have the events that name it.
	const marksOfMain = marksOf(main?.marks ?? '');
	const isOfMain = ({ event }: ReadEvent) =>
		main !== undefined &&
		pieceNumberOf(event) === before.number &&
		marksOfMain.has(markOf(eventIdOf(main.carrier, main.number, event, idTimezone)));
	return (event) => !startsNow && !isOfMain(event) && (areAllNew || isRecent(event));
}
