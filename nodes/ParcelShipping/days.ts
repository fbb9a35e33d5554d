import { DateTime } from 'luxon';

const STARTS_WITH_DAY = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/;

const ENDS_WITH_UTC = /T.*(?:Z|[+-]00(?::?00)?)$/i;

/**
 * The calendar day of a value, as yyyy-mm-dd. A moment, or a time in UTC, is converted to `timezone`. From other texts,
 * also with the offset of a place, the day is used as written.
 */
export function toDay(value: unknown, timezone: string): string | undefined {
	if (typeof value === 'string') return dayOfText(value.trim(), timezone);
	if (DateTime.isDateTime(value)) return formatDay(value.setZone(timezone));
	return value instanceof Date
		? formatDay(DateTime.fromJSDate(value, { zone: timezone }))
		: undefined;
}

function dayOfText(text: string, timezone: string): string | undefined {
	// Luxon alone would also accept "2026" and "2026-W47", which are not days.
	if (!STARTS_WITH_DAY.test(text)) return undefined;
	const iso = text
		.replace(' ', 'T')
		.replace(/T(?=\d:)/, 'T0')
		.replace(/ (?=[+-]|Z$)/i, '');
	const day = formatDay(DateTime.fromISO(iso, { zone: timezone }));
	return day === undefined || ENDS_WITH_UTC.test(iso) ? day : text.slice(0, 10);
}

const formatDay = (date: DateTime) => (date.isValid ? date.toFormat('yyyy-MM-dd') : undefined);
