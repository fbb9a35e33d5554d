import { DateTime } from 'luxon';

import { ItemError } from '../transport/errors';

const BEGINS_WITH_DAY = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/;

/**
 * The calendar day, as yyyy-mm-dd. What names a moment (it has a zone) becomes the day that people
 * in `timezone` have at that moment; what has no zone is the day that is written.
 */
export function readDay(value: unknown, label: string, timezone: string): string | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const date = asDateTime(value, timezone);
	if (date?.isValid) return date.toFormat('yyyy-MM-dd');
	throw new ItemError(
		`${label} is not a date: ${JSON.stringify(value)}`,
		'Choose it with the date picker, or write it as yyyy-mm-dd, for example 2026-11-20. An expression such as {{ $now.minus({ days: 7 }) }} works as well.',
		{ field: label },
	);
}

function asDateTime(value: unknown, timezone: string): DateTime | undefined {
	if (DateTime.isDateTime(value)) return value.setZone(timezone);
	if (value instanceof Date) return DateTime.fromJSDate(value, { zone: timezone });
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	// Luxon alone would also take "2026" or "2026-W47", which nobody means as a day.
	if (!BEGINS_WITH_DAY.test(text)) return undefined;
	return DateTime.fromISO(text.replace(' ', 'T').replace(/ (?=[+-]|Z$)/, ''), { zone: timezone });
}

/** Refuses a range that ends before it begins: the service would answer with nothing, and no word. */
export function refuseReversedDays(days: {
	createdFrom?: string | null;
	createdTo?: string | null;
}): void {
	const { createdFrom, createdTo } = days;
	if (!createdFrom || !createdTo || createdFrom <= createdTo) return;
	throw new ItemError(
		`Created From (${createdFrom}) is later than Created To (${createdTo})`,
		'Exchange the two dates, or remove one of the filters.',
		{ field: 'Created From' },
	);
}
