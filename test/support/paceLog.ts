import {
	ACTIVE_MS,
	paces,
	INACTIVE_MS,
	type Situation,
} from '../../nodes/ParcelShipping/tracking/select';
import type { ShownEvent } from './eventLog';

const MINUTE_MS = 60_000;

/** An event of a shipment, with the times at which the service showed it and the trigger emitted it. */
export interface TimedEvent {
	number: string;
	event: ShownEvent;
	/** When it happened, or -Infinity without a date. */
	dateMs: number;
	shownAt: number;
	/** When the trigger knew it: emitted it, or found it at activation. */
	knownAt: number | undefined;
	/** When the trigger knows the number of the shipment, without which it cannot ask for events. */
	numberKnownAt: number;
	/** Whether it already existed at activation, so that only its date says whether it is news. */
	atActivation: boolean;
	/** Whether the trigger must emit it. */
	isExpected: boolean;
}

export interface PaceCheck {
	freshness: 'balanced' | 'everyPoll';
	events: TimedEvent[];
	/** Polls in which the service answered everything. */
	completePolls: number[];
}

/**
 * Finds events that came later than promised: with the first poll after the pace of the shipment has
 * passed. Knows the paces, but not how the trigger keeps them.
 */
export function lateEvents(check: PaceCheck): string[] {
	return check.events
		.filter(({ isExpected }) => isExpected)
		.flatMap((timed) => {
			const { number, event, shownAt, knownAt = Infinity, numberKnownAt } = timed;
			const { situation, minutes } = paceOf(timed, check);
			const dueMs = Math.max(shownAt + minutes * MINUTE_MS, numberKnownAt);
			const poll = check.completePolls.find((atMs) => atMs >= dueMs);
			if (poll === undefined || knownAt <= poll) return [];
			const late = `shown at ${toText(shownAt)}, not emitted by ${toText(poll)} (${situation})`;
			return [`late: ${number} ${event.date} ${event.category}: ${late}`];
		});
}

/** How often the trigger asks for the shipment when the service shows the event. */
function paceOf(
	{ number, shownAt }: TimedEvent,
	{ events, freshness }: PaceCheck,
): { situation: Situation; minutes: number } {
	const others = events.filter((each) => each.number === number);
	const known = others.filter(({ knownAt = Infinity }) => knownAt < shownAt);
	const hasEnded = others.some(
		({ event, shownAt: at }) => at < shownAt && (event.delivered || event.canceled),
	);
	const situation = hasEnded ? 'arrived' : situationOf(known, shownAt);
	const { minutes } = paces[situation];
	return { situation, minutes: freshness === 'everyPoll' && !hasEnded ? 0 : minutes };
}

function situationOf(known: readonly TimedEvent[], nowMs: number): Situation {
	// The trigger has not found the shipment yet.
	if (known.length === 0) return 'recentlyActive';
	const places = known
		.filter(({ event }) => /^(Transit|Deliver|Cancel)/.test(event.category))
		.sort((a, b) => a.dateMs - b.dateMs);
	const place = places.at(-1)?.event.category ?? '';
	const newest = Math.max(...known.map(({ dateMs }) => Math.min(dateMs, nowMs)));
	const later = known.filter(({ atActivation }) => !atActivation);
	const newsAt = Math.max(newest, ...later.map(({ knownAt }) => knownAt ?? -Infinity));
	if (/^(Delivered|Cancel)/.test(place)) return 'arrived';
	// The trigger counts in whole minutes.
	if (newsAt > nowMs - ACTIVE_MS + MINUTE_MS) return 'recentlyActive';
	if (place === 'TransitReady') return 'readyForPickup';
	if (newest <= nowMs - INACTIVE_MS) return 'inactive';
	return known.every(({ event }) => /^(Created|Ordered)$/.test(event.category))
		? 'notHandedOver'
		: 'moving';
}

function toText(ms: number): string {
	return new Date(ms).toISOString();
}
