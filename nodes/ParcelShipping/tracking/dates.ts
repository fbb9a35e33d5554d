import { DateTime } from 'luxon';

import { keepLatest } from '../lists';

export const MINUTE_MS = 60_000;

/** How far a date may be ahead of the beginning of the poll. Later ones are only planned. */
export const MAX_AHEAD_MS = 3_600_000;

/** Rounded down, so that no shipment is requested late. */
export function toMinute(ms: number): number {
	return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

/** Dates of events and moments of periods are whole seconds, as the service gives them. */
export function toSecond(ms: number): number {
	return Math.floor(ms / 1000) * 1000;
}

/** A date as services write it: with any number of decimals, with or without a time and an offset. */
const DATE =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:[.,](\d*))?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

function partsOf(date: unknown) {
	const [text, day, time, seconds = ':00', decimals = '', offset] =
		(typeof date === 'string' && DATE.exec(date.trim())) || [];
	// Some services send 0001-01-01 for a missing date.
	const isMissing = day === undefined || day < '1970';
	return { text, day, time, seconds, decimals, offset, isMissing };
}

/**
 * The moment of one of the service's dates; `undefined` if it is not a date. Without an offset, it is a local time in
 * `zone`: the first of the two if it occurs twice in autumn, where Luxon alone would choose by the current season.
 */
export function momentOf(date: unknown, zone: string): DateTime<true> | undefined {
	const { text = '', offset, isMissing } = partsOf(date);
	if (isMissing) return undefined;
	const moment = DateTime.fromISO(text.replace(' ', 'T'), { zone });
	if (!moment.isValid) return undefined;
	if (offset) return moment;
	return DateTime.min(...(moment.getPossibleOffsets() as Array<DateTime<true>>));
}

/**
 * The local time in `zone` to the second: the same text for the same moment, with or without an offset
 * and with any number of decimals. Dates without an offset are read without Luxon, which would take
 * seconds for the events of ten thousand shipments.
 */
export function normalizeDate(date: unknown, zone: string): unknown {
	const { day, time, seconds, offset, isMissing } = partsOf(date);
	if (time === undefined) return date;
	if (!offset || isMissing) return `${day}T${time}${seconds}`;
	return momentOf(date, zone)?.toFormat("yyyy-MM-dd'T'HH:mm:ss") ?? date;
}

const MAX_OFFSETS = 10_000;

/**
 * Offsets by zone and ten minutes: they change at such moments only. Kept until the process ends; without
 * them, Luxon computes them again.
 */
const offsets = new Map<string, number>();

/**
 * The moment of a date to the second, or `undefined` if it is not a date. Like `momentOf`, but much
 * faster for many dates, since Luxon is asked once for each ten minutes.
 */
export function secondOf(date: unknown, zone: string): number | undefined {
	const { day, time, seconds, offset, isMissing } = partsOf(date);
	if (isMissing) return undefined;
	const local = `${day}T${time}${seconds}`;
	const ms = Date.parse(`${local}${offset ?? 'Z'}`);
	// A day without a time, or an offset of hours only.
	if (Number.isNaN(ms)) return momentOf(date, zone)?.startOf('second').toMillis();
	if (offset) return ms;
	const key = `${zone} ${local.slice(0, -4)}`;
	const known = offsets.get(key);
	if (known !== undefined) return ms - known;
	const moment = momentOf(local, zone)?.toMillis();
	if (moment === undefined) return undefined;
	keepLatest(offsets, key, ms - moment, MAX_OFFSETS);
	return moment;
}

const TO_SECOND = { suppressMilliseconds: true };

/** ISO 8601 with the offset of `zone` at that moment, or null if the service gave no date. */
export function dateTimeOf(date: unknown, zone: string): string | null {
	return momentOf(date, zone)?.toISO(TO_SECOND) ?? null;
}

/** ISO 8601 with the offset of `zone` at that moment. */
export function dateTimeAt(ms: number, zone: string): string {
	return DateTime.fromMillis(ms, { zone }).toISO(TO_SECOND) ?? '';
}

/** Sorts by the moment, because a service may mix dates with and without an offset. No date is last. */
export function sortByDate<Dated extends { event: { date?: unknown } }>(
	events: readonly Dated[],
	zone: string,
): Dated[] {
	const dated = events.map((each) => {
		const { date } = each.event;
		const { decimals } = partsOf(date);
		return { each, ms: (secondOf(date, zone) ?? Infinity) + Number(`0.${decimals}`) * 1000 };
	});
	return dated.sort((a, b) => (a.ms < b.ms ? -1 : a.ms > b.ms ? 1 : 0)).map(({ each }) => each);
}
