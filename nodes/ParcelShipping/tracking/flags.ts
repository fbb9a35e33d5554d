import type { TrackingEvent } from '../transport/contract';
import { secondOf } from './dates';
import { groupBit } from './eventGroups';

// What tells a workflow which events to act on. Carriers repeat events of a group, such as two
// deliveries, and report older events late. Both count for each piece.

export interface Flags {
	/** No event of its group was known before, and none in the same response is older. */
	isFirstOfGroup: boolean;
	/** No event with a later date is known. */
	isLatest: boolean;
}

/** What is known of the events of a piece. */
export interface KnownEvents {
	/** The groups of the known events, one bit for each. See `groupBit`. */
	groups?: number;
	/** The latest date of the known events, in milliseconds, whole seconds. */
	latestAt?: number;
}

/** An event without a group is the first one, and an event without a date the latest. */
export function flagsOf(
	event: Partial<TrackingEvent>,
	{ groups = 0, latestAt = -Infinity }: KnownEvents,
	timezone: string,
): Flags {
	return {
		isFirstOfGroup: (groups & groupBit(event)) === 0,
		isLatest: (secondOf(event.date, timezone) ?? Infinity) >= latestAt,
	};
}

/** Adds the flags to events of one piece, which are sorted by date. Also returns what is known then. */
export function flagEvents<Event extends { event: Partial<TrackingEvent> }>(
	sorted: readonly Event[],
	known: KnownEvents,
	timezone: string,
): { events: Array<Event & Flags>; known: KnownEvents } {
	let { groups = 0, latestAt = -Infinity } = known;
	for (const { event } of sorted) {
		latestAt = Math.max(latestAt, secondOf(event.date, timezone) ?? -Infinity);
	}
	const events = sorted.map((each) => {
		const flags = flagsOf(each.event, { groups, latestAt }, timezone);
		groups |= groupBit(each.event);
		return { ...each, ...flags };
	});
	return { events, known: { groups, ...(latestAt === -Infinity ? {} : { latestAt }) } };
}
