import { hash } from 'crypto';

import type { TrackingEvent } from '../transport/contract';
import { MAX_AHEAD_MS, normalizeDate, secondOf } from './dates';
import {
	type EventGroup,
	type EventGroupRow,
	eventGroups,
	type PeriodRow,
	periodTypes,
} from './eventGroups';
import type { WatchedShipment } from './state';
import type { Watch } from './watch';

/** An event, and what is needed of it more than once. */
export interface ReadEvent {
	event: TrackingEvent;
	/** The moment of its date to the second. */
	ms: number | undefined;
	group: EventGroup | null;
}

/** An event that was not known before. */
export interface NewEvent extends Flags {
	shipment: WatchedShipment;
	eventId: string;
	event: TrackingEvent;
}

const rows: Readonly<Record<EventGroup, EventGroupRow | PeriodRow>> = {
	...eventGroups,
	...periodTypes,
};

const categories = Object.entries(rows).flatMap(([group, row]) => {
	const own = 'category' in row ? { [row.category]: null } : row.categories;
	return Object.entries(own).map(([name, code]) => {
		return { name: name.toLowerCase(), code, group: group as EventGroup };
	});
});

const categoryByName = new Map(categories.map((each) => [each.name, each]));

const nameByCode = new Map(
	categories.filter(({ code }) => code !== null).map(({ name, code }) => [String(code), name]),
);

/** The name of a category in lower case, also if the service sends its number. */
export function categoryNameOf(category: unknown): string {
	const isName = typeof category === 'string' || typeof category === 'number';
	const name = isName ? String(category).trim().toLowerCase() : '';
	return nameByCode.get(name) ?? name;
}

/** The group of an event. Its flags count more than its category, except for a return. */
export function eventGroupOf({
	category,
	delivered,
	canceled,
}: Partial<TrackingEvent>): EventGroup | null {
	const group = categoryByName.get(categoryNameOf(category))?.group ?? null;
	// A service may also flag a delivery back to the sender as delivered.
	if (group === 'returning' || group === 'returned') return group;
	if (delivered === true) return 'delivered';
	if (canceled === true) return 'canceled';
	return group;
}

export function readEvent(event: TrackingEvent, timezone: string): ReadEvent {
	return { event, ms: secondOf(event.date, timezone), group: eventGroupOf(event) };
}

/** Leaves out events that are dated too far ahead: they say nothing about the present. Those without a date stay. */
export function withoutPlanned<Event extends Pick<ReadEvent, 'ms'>>(
	events: readonly Event[],
	nowMs: number,
): Event[] {
	return events.filter(({ ms = -Infinity }) => ms <= nowMs + MAX_AHEAD_MS);
}

/** Where a shipment is after an event of the group. Problems and unknown categories do not say that. */
export function placeOf(group: EventGroup | null): EventGroupRow['place'] {
	const row = group && rows[group];
	return row && 'place' in row ? row.place : undefined;
}

/** The group of the latest event that says where the shipment is. Of those in one second, a final one counts. */
export function lastPlacedGroup(events: readonly ReadEvent[]): EventGroup | null {
	const placed = events.filter(({ group }) => placeOf(group) !== undefined);
	const latestAt = Math.max(...placed.map(({ ms = -Infinity }) => ms));
	const groups = placed.flatMap(({ ms = -Infinity, group }) => (ms === latestAt ? [group] : []));
	return groups.find((group) => placeOf(group) === 'final') ?? groups.at(-1) ?? null;
}

/** A number with one bit for the group, 0 without a group. */
export function groupBit(group: EventGroup | null): number {
	return group ? 1 << rows[group].bit : 0;
}

/** Leaves out events that the user did not select. They count as known, and are not emitted later. */
export function selectEvents(
	newEvents: readonly NewEvent[],
	{ eventTypes, isFirstOnly }: Pick<Watch, 'eventTypes' | 'isFirstOnly'>,
): NewEvent[] {
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
 * `delivered` and `canceled` are left out, because carriers correct them later. The date and the category are
 * normalized, because services have changed how they write them.
 */
export function eventIdOf(
	carrier: string,
	number: string,
	event: Partial<TrackingEvent>,
	timezone: string,
): string {
	const { code, item, carrierCode } = event;
	const date = normalizeDate(event.date, timezone);
	const category = categoryNameOf(event.category) || event.category;
	const parts = [carrier, number, date, code, category, item, carrierCode];
	// As JSON, so that different parts never give the same text.
	const text = JSON.stringify(parts.map(toText));
	return hash('sha256', text, 'base64url').slice(0, 22);
}

/** The number of the piece that the event names; '' if it names none. */
export function pieceNumberOf({ item }: Partial<TrackingEvent>): string {
	return toText(item);
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

/** The marks in a text that has them one after the other. */
export function marksOf(marks: string): Set<string> {
	return new Set(marks.match(MARKS));
}

/** What tells a workflow which events to act on, for each piece: carriers repeat events, and report some late. */
export interface Flags {
	/** No event of its group was known before, and none in the same response is older. */
	isFirstOfGroup: boolean;
	/** No event with a later date is known. */
	isLatest: boolean;
}

/** What the state keeps of the known events of a piece, besides their marks. */
type EventSummary = Pick<WatchedShipment, 'groups' | 'latestAt'>;

/** An event without a group is the first one, and an event without a date the latest. */
export function flagsOf(
	{ ms = Infinity, group }: Pick<ReadEvent, 'ms' | 'group'>,
	{ groups = 0, latestAt = -Infinity }: EventSummary,
): Flags {
	return { isFirstOfGroup: (groups & groupBit(group)) === 0, isLatest: ms >= latestAt };
}

/**
 * Adds the flags to events of one piece, which are sorted by date. Also returns the summary with them. A date
 * that is only planned makes no event older that happens before it.
 */
export function flagEvents<Event extends ReadEvent>(
	sorted: readonly Event[],
	summary: EventSummary,
	nowMs: number,
): { events: Array<Event & Flags>; summary: EventSummary } {
	let { groups = 0 } = summary;
	const happened = withoutPlanned(sorted, nowMs).map(({ ms = -Infinity }) => ms);
	const latestAt = Math.max(summary.latestAt ?? -Infinity, ...happened);
	const events = sorted.map((each) => {
		const flags = flagsOf(each, { groups, latestAt });
		groups |= groupBit(each.group);
		return { ...each, ...flags };
	});
	return { events, summary: { groups, latestAt: latestAt === -Infinity ? undefined : latestAt } };
}
