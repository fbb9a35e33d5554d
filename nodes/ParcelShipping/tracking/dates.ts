import { DateTime, IANAZone } from 'luxon';

const HAS_OFFSET = /(Z|[+-]\d{2}(:?\d{2})?)$/i;

const STARTS_WITH_DAY = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/;

/**
 * The moment of one of the service's dates; `undefined` if it is not a date. Without an offset, it is a
 * local time in `zone`.
 *
 * A local time that occurs twice in autumn is the first of the two. A time that is skipped in spring moves
 * forward by the skipped hour. Luxon alone would choose the former by the current season.
 */
export function momentOf(date: unknown, zone: string): DateTime<true> | undefined {
	if (typeof date !== 'string') return undefined;
	const text = date.trim();
	if (!STARTS_WITH_DAY.test(text)) return undefined;
	const moment = DateTime.fromISO(text.replace(' ', 'T'), { zone });
	if (!moment.isValid) return undefined;
	if (hasOffset(text)) return moment;
	const [first, second] = moment.getPossibleOffsets() as Array<DateTime<true>>;
	if (!first || !second) return moment;
	return first < second ? first : second;
}

function hasOffset(text: string): boolean {
	return text.includes(':') && HAS_OFFSET.test(text);
}

/** Whether this is a date whose moment depends on the time zone. */
export function isLocalDate(date: unknown): boolean {
	return typeof date === 'string' && STARTS_WITH_DAY.test(date.trim()) && !hasOffset(date.trim());
}

/** A date without an offset. */
const WITHOUT_OFFSET = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:[.,]\d*)?$/;

/**
 * The local time in `zone` to the second: the same text for the same moment, with or without an offset
 * and with any number of decimals. Dates without an offset are read without Luxon, which would take
 * seconds for the events of ten thousand shipments.
 */
export function normalizeDate(date: unknown, zone: string): unknown {
	if (typeof date !== 'string') return date;
	const [, day, time, seconds = ':00'] = WITHOUT_OFFSET.exec(date.trim()) ?? [];
	if (day !== undefined) return `${day}T${time}${seconds}`;
	const moment = date.includes(':') ? momentOf(date, zone) : undefined;
	return moment ? moment.toFormat("yyyy-MM-dd'T'HH:mm:ss") : date;
}

/** Dates with an offset that every JavaScript engine reads alike. */
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

const MAX_OFFSETS = 10_000;

/** Offsets by zone and ten minutes: they change at such moments only. */
const offsets = new Map<string, number>();

/**
 * The moment of a date to the second, or `undefined` if it is not a date. Like `momentOf`, but much
 * faster for many dates, since Luxon is asked once for each ten minutes.
 */
export function secondOf(date: unknown, zone: string): number | undefined {
	if (typeof date !== 'string') return undefined;
	const text = date.trim();
	if (WITH_OFFSET.test(text)) return toSecond(Date.parse(text));
	const [, day, time, seconds = ':00'] = WITHOUT_OFFSET.exec(text) ?? [];
	if (day === undefined || time === undefined) {
		const moment = momentOf(date, zone)?.toMillis();
		return moment === undefined ? undefined : toSecond(moment);
	}
	const localMs = Date.parse(`${day}T${time}${seconds}Z`);
	const key = `${zone} ${day}T${time.slice(0, 4)}`;
	let offset = offsets.get(key);
	if (offset === undefined) {
		const moment = momentOf(`${day}T${time}${seconds}`, zone)?.toMillis();
		if (moment === undefined) return undefined;
		if (offsets.size >= MAX_OFFSETS) offsets.clear();
		offset = localMs - moment;
		offsets.set(key, offset);
	}
	return Number.isNaN(localMs) ? undefined : localMs - offset;
}

function toSecond(ms: number): number | undefined {
	return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000) * 1000;
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

/** The day in `zone` that was `days` days ago, as yyyy-mm-dd. */
export function dayBefore(nowMs: number, days: number, zone: string): string {
	return DateTime.fromMillis(nowMs, { zone }).minus({ days }).toFormat('yyyy-MM-dd');
}

export function isZone(name: string): boolean {
	return IANAZone.isValidZone(name);
}

/** Sorts by the moment, because a service may mix dates with and without an offset. No date is last. */
export function sortByDate<Dated extends { event: { date?: unknown } }>(
	found: readonly Dated[],
	zone: string,
): Dated[] {
	const dated = found.map((each) => {
		const { date } = each.event;
		const [, fraction = ''] = /[.,](\d{1,3})/.exec(String(date)) ?? [];
		return { each, ms: (secondOf(date, zone) ?? Infinity) + Number(fraction.padEnd(3, '0')) };
	});
	return dated.sort((a, b) => (a.ms < b.ms ? -1 : a.ms > b.ms ? 1 : 0)).map(({ each }) => each);
}
