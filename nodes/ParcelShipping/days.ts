import { DateTime } from 'luxon';

const STARTS_WITH_DAY = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/;

/**
 * The calendar day of a value, as yyyy-mm-dd. A value with a time zone is converted to `timezone`.
 * From a value without one, the day is used as written.
 */
export function toDay(value: unknown, timezone: string): string | undefined {
	const date = toDateTime(value, timezone);
	return date?.isValid ? date.toFormat('yyyy-MM-dd') : undefined;
}

function toDateTime(value: unknown, timezone: string): DateTime | undefined {
	if (DateTime.isDateTime(value)) return value.setZone(timezone);
	if (value instanceof Date) return DateTime.fromJSDate(value, { zone: timezone });
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	// Luxon alone would also accept "2026" and "2026-W47", which are not days.
	if (!STARTS_WITH_DAY.test(text)) return undefined;
	return DateTime.fromISO(text.replace(' ', 'T').replace(/ (?=[+-]|Z$)/, ''), { zone: timezone });
}
