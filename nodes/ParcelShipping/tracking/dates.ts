import { DateTime, IANAZone } from 'luxon';

const HAS_ZONE = /(Z|[+-]\d{2}(:?\d{2})?)$/i;

const BEGINS_WITH_DAY = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/;

/**
 * The moment that the service's date without a zone means in `zone`; `undefined` for what is no date.
 *
 * A time that the clocks show twice in autumn is the first of the two, and one that they skip in
 * spring is moved on by the hour that was skipped. Luxon alone would decide the first case by
 * whether it is summer or winter now.
 */
export function momentOf(date: unknown, zone: string): DateTime<true> | undefined {
	if (typeof date !== 'string') return undefined;
	const text = date.trim();
	if (!BEGINS_WITH_DAY.test(text)) return undefined;
	const read = DateTime.fromISO(text.replace(' ', 'T'), { zone });
	if (!read.isValid) return undefined;
	if (text.includes(':') && HAS_ZONE.test(text)) return read;
	const [first, second] = read.getPossibleOffsets() as Array<DateTime<true>>;
	if (!first || !second) return read;
	return first < second ? first : second;
}

/** ISO 8601 with the offset that `zone` has at that moment, or null where the service gave no date. */
export function dateTimeOf(date: unknown, zone: string): string | null {
	return momentOf(date, zone)?.toISO({ suppressMilliseconds: true }) ?? null;
}

/** The day, as yyyy-mm-dd, that people in `zone` had `days` days before. */
export function dayBefore(nowMs: number, days: number, zone: string): string {
	return DateTime.fromMillis(nowMs, { zone }).minus({ days }).toFormat('yyyy-MM-dd');
}

export function isZone(name: string): boolean {
	return IANAZone.isValidZone(name);
}

/** Sorts by what the service wrote: dates of one service have one form. Without a date comes last. */
export function byDate(a: { date?: unknown }, b: { date?: unknown }): number {
	const left = sortKey(a.date);
	const right = sortKey(b.date);
	return left < right ? -1 : left > right ? 1 : 0;
}

function sortKey(date: unknown): string {
	return typeof date === 'string' && BEGINS_WITH_DAY.test(date) ? date : '~';
}
