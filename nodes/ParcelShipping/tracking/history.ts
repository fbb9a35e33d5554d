import { hash } from 'crypto';
import { DateTime } from 'luxon';

import { countOf } from '../lists';
import { DAY_MS } from '../records';
import {
	categoryNameOf,
	type EventGroup,
	eventGroupOf,
	groupRows,
	periodTypes,
	type PeriodType,
	placeOf,
} from './eventGroups';
import type { Watched } from './watch';

// Each response has the whole history of a shipment. So everything that the trigger says about an event is read from the
// response. Only which events are known is remembered, and from when on events are new.

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
	/** What is dated later is only planned. */
	soon: string;
	hourAgo: string;
	twoDaysAgo: string;
	/** After how many days each period is over. */
	days: Partial<Record<PeriodType, number>>;
	/** A period that began by then is over. */
	beganBy: Record<PeriodType, string>;
}

const toLocal = (moment: DateTime) => moment.toFormat("yyyy-MM-dd'T'HH:mm:ss");

export const localAt = (ms: number, zone: string) => toLocal(DateTime.fromMillis(ms, { zone }));

export function momentOf(
	nowMs: number,
	zones: Pick<Moment, 'zone' | 'idZone'>,
	days: Moment['days'],
	hoursAhead = 1,
): Moment {
	const ago = (hours: number) => localAt(nowMs - hours * 3_600_000, zones.zone);
	const times = { soon: ago(-hoursAhead), hourAgo: ago(1), twoDaysAgo: ago(48) };
	const beganBy = Object.entries(days).map(([type, count]) => [type, ago(24 * count)]);
	return { ...zones, ...times, days, beganBy: Object.fromEntries(beganBy) as Moment['beganBy'] };
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

/** What the history of a shipment depends on. */
type Remembered = Pick<Watched, 'carrier' | 'number' | 'addedOn' | 'marks' | 'latest'>;

/** The same in every response, on every server. Without texts and flags, because carriers correct them later. */
function eventIdOf({ carrier, number }: Remembered, event: SentEvent, { idZone }: Moment): string {
	const { date, code, category, item, carrierCode } = event;
	const name = categoryNameOf(category) || category;
	const parts = [carrier, number, localTime(date, idZone) || date, code, name, item, carrierCode];
	// As JSON, so that different parts never give the same text.
	return hash('sha256', JSON.stringify(parts.map(textOf)), 'base64url').slice(0, 22);
}

/** Compared within one shipment, so that one new event in seven billion is mistaken for a known one. */
export const markOf = (id: string) => id.slice(0, 6);

const marksIn = (marks: string) => new Set(marks.match(/.{6}/g));

/** In one second, a scan at a pickup point comes after one on the way, and a final one after both. */
function rankOf({ group }: HistoryEvent): number {
	if (placeOf(group) === 'final') return 2;
	return group === 'readyForPickup' ? 1 : 0;
}

/** Oldest first. Those without a date are last. */
export function byDate(a: HistoryEvent, b: HistoryEvent): number {
	const [x, y] = [a.at || '9999', b.at || '9999'];
	if (x === y) return rankOf(a) - rankOf(b);
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
		const id = eventIdOf(shipment, event, moment);
		const isKnown = known.has(markOf(id));
		const flags = { isKnown, isFirstOfGroup: true, isLatest: true };
		// A carrier may repeat an event with another text. The first text counts.
		if (!byId.has(id)) byId.set(id, { event, id, at, group: eventGroupOf(event), ...flags });
	}
	const history = [...byId.values()].sort(byDate);
	const last = lastAt(happenedBy(history, moment));
	// The response may lack the latest known event.
	const latest = last > shipment.latest ? last : shipment.latest;
	const groups = new Set(history.filter(({ isKnown }) => isKnown).map(({ group }) => group));
	for (const each of history.filter(({ isKnown }) => !isKnown)) {
		each.isFirstOfGroup = each.group === null || !groups.has(each.group);
		each.isLatest = each.at === '' || each.at >= latest;
		groups.add(each.group);
	}
	return history;
}

/** Without planned events: what is dated more than an hour ahead has not happened. */
export const happenedBy = (history: readonly HistoryEvent[], { soon }: Moment) =>
	history.filter(({ at }) => at !== '' && at <= soon);

export const lastAt = (happened: readonly HistoryEvent[]) => happened.at(-1)?.at ?? '';

/** Only the category, because the shipment may be announced to the carrier hours after it was canceled. */
const isCreation = ({ event, at }: HistoryEvent) =>
	categoryNameOf(event.category) === 'created' && at !== '';

/** What the last of creation and final events says: scans may come after a delivery. */
export function isOver(history: readonly HistoryEvent[], { soon }: Moment): boolean {
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
	if (lastAt(happened) < shipment.latest || isOver(history, moment)) return [];
	const isArrival = ({ group }: HistoryEvent) => group === 'readyForPickup';
	const leftAt = happened.findLastIndex((each) => placeOf(each.group) && !isArrival(each));
	/** The event with which each period begins. */
	const begins: Record<PeriodType, SentEvent | undefined> = {
		noMovement: happened.at(-1)?.event ?? { date: `${dayText(shipment.addedOn)}T23:59:59` },
		waitingForPickup: happened.slice(leftAt + 1).find(isArrival)?.event,
	};
	const known = marksIn(shipment.marks);
	// Of the beginning only, so that it stays the same if the user changes the days.
	const periodIdOf = (type: PeriodType, { date }: SentEvent) =>
		eventIdOf(shipment, { date, category: periodTypes[type].categories[0] }, moment);
	return (Object.keys(begins) as PeriodType[]).flatMap((type) => {
		const { [type]: begin } = begins;
		const since = localTime(begin?.date, moment.zone);
		if (begin === undefined || since > moment.beganBy[type]) return [];
		const id = periodIdOf(type, begin);
		const isKnown = known.has(markOf(id));
		const wasReported = (each: HistoryEvent) =>
			each.at !== since && known.has(markOf(periodIdOf(type, each.event)));
		const isFirstOfGroup = isKnown || !happened.some(wasReported);
		const { event, at } = eventOf(type, shipment.number, since, moment);
		return [{ event, id, at, group: type, isKnown, isFirstOfGroup, isLatest: true }];
	});
}

/** What an event of this type would be like if it had happened an hour ago. */
export function exampleOf(type: EventGroup, number: string, moment: Moment): HistoryEvent {
	const since = (moment.beganBy[type as PeriodType] as string | undefined) ?? moment.hourAgo;
	const { event, at } = eventOf(type, number, since, moment);
	const example = { ...event, name: `Example: ${event.name}` };
	const flags = { isKnown: false, isFirstOfGroup: true, isLatest: true };
	return { event: example, id: `example ${type}`, at, group: type, ...flags };
}

/** An event that the provider has not reported. That of a period is dated when its days were over. */
function eventOf(type: EventGroup, number: string, beganAt: string, { zone, ...moment }: Moment) {
	const { form, categories } = groupRows[type];
	const [category] = categories;
	const days = moment.days[type as PeriodType];
	const since = withOffset(beganAt, zone) ?? beganAt;
	const over = DateTime.fromISO(since, { zone }).plus({ hours: 24 * (days ?? 0) });
	const date = over.toISO({ suppressMilliseconds: true });
	const name = days ? `${form[0]} for ${countOf(days, 'day')}` : form[0];
	const event = {
		...{ date, category, code: '', name, nameSystem: category, item: number, carrierCode: null },
		...{ delivered: type === 'delivered', canceled: type === 'canceled' },
		...(days ? { since, days } : {}),
	};
	return { event, at: toLocal(over) };
}

/** The unknown events from a moment on; all if the shipment was created from then on, or without a moment. */
export function newOnes(history: readonly HistoryEvent[], newFrom = ''): HistoryEvent[] {
	const created = history.filter(isCreation);
	const isNewShipment = created.length > 0 && created.every(({ at }) => at >= newFrom);
	const areAllNew = newFrom === '' || isNewShipment;
	return history.filter(({ isKnown, at }) => !isKnown && (areAllNew || at >= newFrom));
}

/** In how many minutes the shipment is requested again. Events often come one after the other. */
export function paceOf(history: readonly HistoryEvent[], shipment: Remembered, moment: Moment) {
	// Only a correction can follow.
	if (isOver(history, moment)) return 60;
	const latest = lastAt(happenedBy(history, moment)) || dayText(shipment.addedOn);
	if (latest > moment.hourAgo) return 0;
	return latest > moment.twoDaysAgo ? 10 : 30;
}
