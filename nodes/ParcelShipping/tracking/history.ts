import { hash } from 'crypto';
import { DateTime } from 'luxon';

import { countOf } from '../lists';
import { DAY_MS } from '../records';
import {
	categoryNameOf,
	type EventGroup,
	eventGroupOf,
	eventGroups,
	periodTypes,
	type PeriodType,
	placeOf,
} from './eventGroups';
import type { Watched } from './watch';

// Each response has the whole history of a shipment. So everything that the trigger says about an event is read from the
// response. Only which events are known is remembered, and since when events count.

/** An event as the provider sends it, whatever its fields contain. */
export type SentEvent = Record<string, unknown>;

export interface HistoryEvent {
	event: SentEvent;
	id: string;
	/** The local time to the second, so that it can be compared as text. '' without a date. */
	at: string;
	group: EventGroup | null;
	isKnown: boolean;
	isFirstOfGroup: boolean;
	isLatest: boolean;
}

/** What a poll compares all histories with, as local times. */
export interface Moment {
	zone: string;
	/** Events get their IDs with the zone of the first poll, so that none looks new when another zone becomes known. */
	idZone: string;
	now: string;
	/** What is dated later is only planned. */
	soon: string;
	hourAgo: string;
	twoDaysAgo: string;
	/** A period that began by then is over, and after how many days. */
	periods: Record<PeriodType, { began: string; days: number }>;
}

const toLocal = (moment: DateTime) => moment.toFormat("yyyy-MM-dd'T'HH:mm:ss");

export const localAt = (ms: number, zone: string) => toLocal(DateTime.fromMillis(ms, { zone }));

export function momentOf(
	nowMs: number,
	zones: Pick<Moment, 'zone' | 'idZone'>,
	days: Record<PeriodType, number>,
	hoursAhead = 1,
): Moment {
	const ago = (hours: number) => localAt(nowMs - hours * 3_600_000, zones.zone);
	const period = (count: number) => ({ began: ago(24 * count), days: count });
	return {
		...zones,
		now: ago(0),
		soon: ago(-hoursAhead),
		hourAgo: ago(1),
		twoDaysAgo: ago(48),
		periods: {
			noMovement: period(days.noMovement),
			waitingForPickup: period(days.waitingForPickup),
		},
	};
}

/** As providers write dates: with any number of decimals, with or without a time and an offset. */
const DATE =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:[.,]\d*)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** '' if it is no date. Some providers send 0001-01-01 for a missing one. */
export function localTime(date: unknown, zone: string): string {
	const [text = '', day = '', time = '00:00', seconds = ':00', offset] =
		(typeof date === 'string' && DATE.exec(date.trim())) || [];
	if (day < '1970') return '';
	// Without Luxon, which would take seconds for the events of ten thousand shipments.
	if (!offset) return `${day}T${time}${seconds}`;
	const moment = DateTime.fromISO(text.replace(' ', 'T'), { zone });
	return moment.isValid ? toLocal(moment) : '';
}

/** ISO 8601 with the offset of the zone: of a time that occurs twice in autumn, the first one. */
export function withOffset(local: string, zone: string): string | null {
	const moment = DateTime.fromISO(local, { zone });
	if (!moment.isValid) return null;
	const first = DateTime.min(moment, ...moment.getPossibleOffsets());
	return first.toISO({ suppressMilliseconds: true });
}

const dayText = (days: number) => new Date(days * DAY_MS).toISOString().slice(0, 10);

const textOf = (value: unknown) =>
	(typeof value === 'object' && value ? JSON.stringify(value) : String(value ?? '')).trim();

/** The number of the piece that the event names; '' if it names none. */
export const pieceNumberOf = ({ item }: SentEvent) => textOf(item);

type Numbered = Pick<Watched, 'carrier' | 'number'>;

/** What the history of a shipment depends on. */
type Remembered = Pick<Watched, 'addedOn' | 'marks' | 'latest'> & Numbered;

/**
 * The same for the same event in every response, on every server. Without texts and flags, because carriers correct
 * them later.
 */
function idOf({ carrier, number }: Numbered, event: SentEvent, at: string): string {
	const { code, category, item, carrierCode } = event;
	const name = categoryNameOf(category) || category;
	const parts = [carrier, number, at || event.date, code, name, item, carrierCode];
	// As JSON, so that different parts never give the same text.
	return hash('sha256', JSON.stringify(parts.map(textOf)), 'base64url').slice(0, 22);
}

/** Depends on the beginning only, so that it stays the same if the user changes the days. */
const periodIdOf = (shipment: Numbered, type: PeriodType, since: string) =>
	idOf(shipment, { category: periodTypes[type].category }, since);

/**
 * The state keeps six characters of an ID, 36 bits, compared within one shipment only. For a shipment with ten known
 * events, one new event in seven billion is mistaken for a known one.
 */
export const markOf = (id: string) => id.slice(0, 6);

const marksIn = (marks: string) => new Set(marks.match(/.{6}/g));

/** In one second, a scan at a pickup point comes after one on the way, and a final one after both. */
function rankOf({ group }: HistoryEvent): number {
	if (placeOf(group) === 'final') return 2;
	return group === 'readyForPickup' ? 1 : 0;
}

/** Oldest first. Those without a date are last. */
export function byDate(a: Pick<HistoryEvent, 'at'>, b: Pick<HistoryEvent, 'at'>): number {
	const [x, y] = [a.at || '9999', b.at || '9999'];
	if (x === y) return 0;
	return x < y ? -1 : 1;
}

/** The events of a response, oldest first and each once. Those of the trigger itself are in `readPeriods`. */
export function readEvents(
	events: readonly SentEvent[],
	shipment: Remembered,
	moment: Moment,
): HistoryEvent[] {
	const known = marksIn(shipment.marks);
	const byId = new Map<string, HistoryEvent>();
	for (const event of events) {
		const at = localTime(event.date, moment.zone);
		const isSameZone = moment.zone === moment.idZone;
		const id = idOf(shipment, event, isSameZone ? at : localTime(event.date, moment.idZone));
		const isKnown = known.has(markOf(id));
		const flags = { isKnown, isFirstOfGroup: true, isLatest: true };
		// A carrier may repeat an event with another text. The first text counts.
		if (!byId.has(id)) byId.set(id, { event, id, at, group: eventGroupOf(event), ...flags });
	}
	const history = [...byId.values()].sort((a, b) => byDate(a, b) || rankOf(a) - rankOf(b));
	const latest = latestOf(happenedBy(history, moment), shipment);
	const groups = new Set(history.filter(({ isKnown }) => isKnown).map(({ group }) => group));
	for (const each of history.filter(({ isKnown }) => !isKnown)) {
		each.isFirstOfGroup = each.group === null || !groups.has(each.group);
		each.isLatest = each.at === '' || each.at >= latest;
		groups.add(each.group);
	}
	return history;
}

/** Without planned events: what is dated more than an hour ahead has not happened. */
export const happenedBy = (history: readonly HistoryEvent[], { soon }: Pick<Moment, 'soon'>) =>
	history.filter(({ at }) => at !== '' && at <= soon);

/** Also counts events that the response lacks. */
export function latestOf(
	happened: readonly HistoryEvent[],
	{ latest }: Pick<Remembered, 'latest'>,
): string {
	const at = happened.at(-1)?.at ?? '';
	return at > latest ? at : latest;
}

/** Only the category, because the shipment may be announced to the carrier hours after it was canceled. */
const isCreation = ({ event, at }: HistoryEvent) =>
	categoryNameOf(event.category) === 'created' && at !== '';

/**
 * Whether the shipment has ended, and was not created again since then. Scans may come after a delivery, so only the
 * last of creation and final events counts. A final event without a date counts as the last one.
 */
export function isOver(history: readonly HistoryEvent[], { soon }: Pick<Moment, 'soon'>): boolean {
	const last = history
		.filter(({ at }) => at <= soon)
		.findLast((each) => isCreation(each) || placeOf(each.group) === 'final');
	return last !== undefined && !isCreation(last);
}

/** *No Movement* and *Waiting for Pickup* that are over, as if the provider had reported them. */
export function readPeriods(
	history: readonly HistoryEvent[],
	shipment: Remembered,
	moment: Moment,
): HistoryEvent[] {
	const happened = happenedBy(history, moment);
	// A response that lacks the latest event does not say where the shipment is.
	const isShortened = (happened.at(-1)?.at ?? '') < shipment.latest;
	if (isShortened || isOver(history, moment)) return [];
	const leftAt = happened.findLastIndex(
		({ group }) => placeOf(group) !== undefined && group !== 'readyForPickup',
	);
	const arrival = happened.slice(leftAt + 1).find(({ group }) => group === 'readyForPickup');
	const begins: Array<[PeriodType, string | undefined]> = [
		['noMovement', happened.at(-1)?.at ?? `${dayText(shipment.addedOn)}T23:59:59`],
		['waitingForPickup', arrival?.at],
	];
	const known = marksIn(shipment.marks);
	return begins.flatMap(([type, since]) => {
		if (since === undefined || since > moment.periods[type].began) return [];
		const id = periodIdOf(shipment, type, since);
		const isKnown = known.has(markOf(id));
		const wasReported = ({ at }: HistoryEvent) =>
			at !== since && known.has(markOf(periodIdOf(shipment, type, at)));
		const isFirstOfGroup = isKnown || !happened.some(wasReported);
		const { at, event } = periodEventOf(shipment.number, type, since, moment);
		return [{ event, id, at, group: type, isKnown, isFirstOfGroup, isLatest: true }];
	});
}

/** What an event of this type would be like if it had just happened. */
export function exampleOf(type: string, { number }: Numbered, moment: Moment): HistoryEvent {
	const { event, at } =
		type in periodTypes
			? periodEventOf(number, type as PeriodType, moment.periods[type as PeriodType].began, moment)
			: groupEventOf(number, type as keyof typeof eventGroups, moment);
	const example = { ...event, name: `Example: ${event.name}` };
	const flags = { isKnown: false, isFirstOfGroup: true, isLatest: true };
	return { event: example, id: `example ${type}`, at, group: type as EventGroup, ...flags };
}

function groupEventOf(number: string, type: keyof typeof eventGroups, { now, zone }: Moment) {
	const [name] = eventGroups[type].form;
	const [category = ''] = Object.keys(eventGroups[type].categories);
	const event = {
		...{ date: withOffset(now, zone), category, code: '', name, nameSystem: name, type: 'Event' },
		...{ item: number, delivered: type === 'delivered', canceled: type === 'canceled' },
		carrierCode: null,
	};
	return { event, at: now };
}

function periodEventOf(number: string, type: PeriodType, since: string, { periods, zone }: Moment) {
	const { days } = periods[type];
	const { category, text } = periodTypes[type];
	const began = withOffset(since, zone) ?? since;
	const over = DateTime.fromISO(began, { zone }).plus({ hours: 24 * days });
	const event = {
		...{ date: over.toISO({ suppressMilliseconds: true }), category, code: '' },
		...{ name: `${text} for ${countOf(days, 'day')}`, nameSystem: category, type: 'Trigger' },
		...{ item: number, delivered: false, canceled: false, carrierCode: null },
		...{ since: began, days },
	};
	return { event, at: toLocal(over) };
}

/**
 * The unknown events that are new. Before the first response, `since` is the moment of the start: what is dated earlier
 * existed before, unless the shipment was created since then.
 */
export function newOnes(history: readonly HistoryEvent[], since = ''): HistoryEvent[] {
	const created = history.filter(isCreation);
	const isNewShipment = created.length > 0 && created.every(({ at }) => at >= since);
	const areAllNew = since === '' || isNewShipment;
	return history.filter(({ isKnown, at }) => !isKnown && (areAllNew || at >= since));
}

/** In how many minutes the shipment is requested again. Events often come one after the other. */
export function paceOf(
	history: readonly HistoryEvent[],
	{ addedOn }: Pick<Remembered, 'addedOn'>,
	moment: Moment,
): number {
	// Only a correction can follow.
	if (isOver(history, moment)) return 60;
	const latest = happenedBy(history, moment).at(-1)?.at ?? dayText(addedOn);
	if (latest > moment.hourAgo) return 0;
	return latest > moment.twoDaysAgo ? 10 : 30;
}
