import { hash } from 'crypto';

import type { TrackingEvent } from '../transport/contract';
import { normalizeDate } from './dates';
import { categoryNameOf, eventGroupOf } from './eventGroups';
import type { Flags } from './flags';
import type { Watch } from './watch';

/** Leaves out events that the user did not select. They count as known, and are not emitted later. */
export function selectEvents<Event extends Flags & { event: Partial<TrackingEvent> }>(
	newEvents: readonly Event[],
	{ eventTypes, isFirstOnly }: Pick<Watch, 'eventTypes' | 'isFirstOnly'>,
): Event[] {
	return newEvents.filter(
		({ event, isFirstOfGroup }) =>
			hasEventType(event, eventTypes) && (isFirstOfGroup || !isFirstOnly),
	);
}

/** Whether the user selected this event, by its group or its category. No types at all mean every event. */
export function hasEventType(
	event: Partial<TrackingEvent>,
	eventTypes: readonly string[],
): boolean {
	if (eventTypes.length === 0) return true;
	const group = eventGroupOf(event)?.toLowerCase();
	const category = categoryNameOf(event.category);
	return eventTypes.some((type) => {
		const name = categoryNameOf(type);
		return name === 'all' || name === group || (name !== '' && name === category);
	});
}

/**
 * The same for the same event in every response, on every server, in every version. Texts and the flags
 * `delivered` and `canceled` are left out, because carriers correct them later. The date is normalized,
 * because services have changed how they write it.
 */
export function eventIdOf(
	carrier: string,
	number: string,
	event: Partial<TrackingEvent>,
	timezone: string,
): string {
	const { code, category, item, carrierCode, type } = event;
	const date = normalizeDate(event.date, timezone);
	const parts = [carrier, number, date, code, category, item, carrierCode, type];
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
const MARK_LENGTH = 6;

export function markOf(eventId: string): string {
	return eventId.slice(0, MARK_LENGTH);
}

const MARKS = new RegExp(`.{${MARK_LENGTH}}`, 'g');

/** The marks of the events in `known`, which has them one after the other. */
export function marksOf(known: string): Set<string> {
	return new Set(known.match(MARKS));
}
