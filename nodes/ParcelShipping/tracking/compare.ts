import { hash } from 'crypto';

import type { TrackingEvent } from '../transport/contract';
import { normalizeDate, secondOf, sortByDate } from './dates';
import { categoryNameOf } from './eventGroups';
import { nextTurn, scheduleAfter } from './pace';
import { type PeriodComparison, updatePeriods } from './periods';
import type { IncludedShipment } from './shipmentInfo';
import { type WatchedShipment, without } from './state';

/** How long a delivered or canceled shipment is requested after its last new event. */
export const LATE_EVENTS_MS = 72 * 3_600_000;

/** An event that the trigger has not seen before. */
export interface NewEvent {
	shipment: WatchedShipment;
	eventId: string;
	event: TrackingEvent;
	/** What the user wants to know of the shipment, if that could be read. */
	included?: IncludedShipment;
}

export interface Comparison extends PeriodComparison {
	/** Set in the poll in which watching starts: shipments with this `newSince` have only known events. */
	baselineSince?: number;
}

/** The shipment after an answer, and the new events in it, oldest first. */
export function compareEvents(
	before: WatchedShipment,
	events: readonly TrackingEvent[],
	comparison: Comparison,
): { shipment: WatchedShipment; newEvents: NewEvent[] } {
	const unknown = new Map<string, TrackingEvent>();
	for (const event of events) {
		const eventId = eventIdOf(before.carrier, before.number, event, comparison.timezone);
		// A carrier may repeat an event with another text. The first text counts.
		if (!isKnown(before.known, eventId) && !unknown.has(eventId)) unknown.set(eventId, event);
	}
	// Events that are missing from an answer stay known: the next one may contain them again.
	const known = [before.known, ...[...unknown.keys()].map(markOf)].join('');
	const scheduled = scheduleNextRequest(before, known, events, comparison);
	const periods = updatePeriods(before, events, new Set(unknown.values()), comparison);
	const shipment = periods ? { ...scheduled, periods } : scheduled;
	const isNew = newEventTest(before, events, comparison);
	const newEvents = [...unknown]
		.filter(([, event]) => isNew(event))
		.map(([eventId, event]) => ({ shipment, eventId, event }));
	return { shipment, newEvents: sortByDate(newEvents, comparison.timezone) };
}

/**
 * Decides which of the unknown events are new. All of them are, except in a shipment's first answer.
 *
 * In the poll in which watching starts, nothing in it is new: it all existed before. A shipment whose
 * first answer arrives later (its carrier was down, or the list showed it later) needs the dates:
 * events dated since `newSince` are new, older events and events without a date are not. If the
 * shipment itself was created since then, all of its events are new, even those without a time.
 *
 * Dates are compared by the second, as the service gives them; the second of `newSince` itself counts
 * as new. If the time zone is not the service's, only this comparison is off by the difference.
 */
function newEventTest(
	{ newSince }: WatchedShipment,
	events: readonly TrackingEvent[],
	{ timezone, baselineSince }: Comparison,
): (event: TrackingEvent) => boolean {
	if (newSince === undefined || newSince === 0) return () => true;
	if (newSince === baselineSince) return () => false;
	const fromMs = Math.floor(newSince / 1000) * 1000;
	const isRecent = ({ date }: TrackingEvent) => (secondOf(date, timezone) ?? 0) >= fromMs;
	const wasCreatedSince = events.some(
		(event) =>
			categoryNameOf(event.category) === 'created' &&
			(event.item ?? null) === null &&
			isRecent(event),
	);
	return wasCreatedSince ? () => true : isRecent;
}

/** A shipment that has ended is requested until three days pass without a new event. */
function scheduleNextRequest(
	before: WatchedShipment,
	known: string,
	events: readonly TrackingEvent[],
	{ nowMs, timezone }: Comparison,
): WatchedShipment {
	const shipment = {
		...without(before, 'newSince', 'nextRequestAt', 'newsUntil', 'refusedSince'),
		known,
	};
	const isFirstAnswer = before.newSince !== undefined;
	const hasUnknownEvents = known !== before.known;
	const end = events.find(({ delivered, canceled }) => delivered === true || canceled === true);
	let { endedAt } = before;
	if (end && isFirstAnswer) {
		// If it ended long ago, no late events are expected.
		endedAt = Math.min(secondOf(end.date, timezone) ?? nowMs, nowMs);
	} else if (endedAt === undefined ? end : hasUnknownEvents) {
		endedAt = nowMs;
	}
	if (endedAt === undefined) {
		const hasNews = hasUnknownEvents && !isFirstAnswer;
		return { ...shipment, ...scheduleAfter(before, events, hasNews, { nowMs, timezone }) };
	}
	if (nowMs - endedAt >= LATE_EVENTS_MS) {
		return { ...shipment, endedAt, known: '', isFinished: true };
	}
	return { ...shipment, endedAt, nextRequestAt: nextTurn(before, 'arrived', nowMs) };
}

/**
 * The same for the same event in every answer, on every server, in every version. Texts and the flags
 * `delivered` and `canceled` are left out, because carriers correct them later. The date is normalized,
 * because services have changed how they write it.
 */
export function eventIdOf(
	carrier: string,
	number: string,
	event: Partial<TrackingEvent>,
	timezone: string,
): string {
	const { date, code, category, item, carrierCode, type } = event;
	const parts = [
		carrier,
		number,
		normalizeDate(date, timezone),
		code,
		category,
		item,
		carrierCode,
		type,
	];
	// As JSON, so that different parts never give the same text.
	const text = JSON.stringify(parts.map(toText));
	return hash('sha256', text, 'base64url').slice(0, 22);
}

/** Works for any value, even if the service sends something other than text. */
function toText(part: unknown): string {
	return (typeof part === 'object' && part ? JSON.stringify(part) : String(part ?? '')).trim();
}

/**
 * The state keeps 6 characters of an ID, 36 bits, compared within one shipment only. For a shipment
 * with ten known events, one new event in seven billion is mistaken for a known one.
 */
export const MARK_LENGTH = 6;

export function markOf(eventId: string): string {
	return eventId.slice(0, MARK_LENGTH);
}

/** Whether one of the marks in `known`, each at a multiple of the mark length, is that of the event. */
export function isKnown(known: string, eventId: string): boolean {
	const mark = markOf(eventId);
	for (let at = 0; at < known.length; at += MARK_LENGTH) {
		if (known.startsWith(mark, at)) return true;
	}
	return false;
}
