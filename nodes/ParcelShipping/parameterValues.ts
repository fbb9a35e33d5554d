import { DateTime } from 'luxon';

import { ItemError } from './transport/errors';

// How values of the form are read, which an expression can give with another type. `caption` is that of the parameter.

/** The error of a parameter, by its caption, whose value cannot be used. */
export const invalidValue = (caption: string, value: unknown, advice: string) =>
	new ItemError(`Invalid ${caption}: ${JSON.stringify(value)}`, advice, { field: caption });

export const readOptionalText = (value: unknown) => String(value ?? '').trim() || undefined;

/** An expression can give a text, for example from a CSV file. */
export function readBoolean(value: unknown, caption: string): boolean {
	const text = readOptionalText(value)?.toLowerCase();
	if (text === 'true') return true;
	if (text === 'false' || text === undefined) return false;
	const advice = 'It must be true or false. Check the result of the expression.';
	throw invalidValue(caption, value, advice);
}

/** An expression can give a value that the form does not offer. */
export function readChoice<Choice extends string>(
	caption: string,
	value: unknown,
	valid: readonly Choice[],
): Choice {
	const choice = valid.find((each) => each === value);
	if (choice !== undefined) return choice;
	throw invalidValue(caption, value, `Choose one of: ${valid.join(', ')}.`);
}

/** Undefined without a value. */
export function readNumber(
	value: unknown,
	caption: string,
	{ least = 0, most = Number.MAX_SAFE_INTEGER, isWhole = true } = {},
): number | undefined {
	const text = readOptionalText(value);
	if (text === undefined) return undefined;
	const number = (isWhole ? /^\d+$/ : /^\d+(?:\.\d+)?$/).test(text) ? Number(text) : NaN;
	if (number >= least && number <= most) return number;
	const kind = isWhole ? 'a whole number' : 'a number';
	const range = most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of ${least} or more`;
	const advice = `Enter ${kind} ${range}, or check the result of the expression.`;
	throw invalidValue(caption, value, advice);
}

export function readDay(value: unknown, caption: string, timezone: string): string | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const day = toDay(value, timezone);
	if (day !== undefined) return day;
	const advice =
		'Choose a date with the date picker, or enter it as yyyy-mm-dd, for example 2026-11-20. You can also use an expression such as {{ $now.minus({ days: 7 }) }}.';
	throw invalidValue(caption, value, advice);
}

/**
 * The calendar day of a value, as yyyy-mm-dd. A moment, or a time in UTC, is converted to `timezone`. From other texts,
 * also with the offset of a place, the day is used as written.
 */
export function toDay(value: unknown, timezone: string): string | undefined {
	let date = value instanceof Date ? DateTime.fromJSDate(value) : value;
	if (typeof value === 'string') {
		const text = value.trim().replace(' ', 'T');
		const [day = ''] = /^\d{4}-\d{2}-\d{2}(?=$|T\d)/.exec(text) ?? [];
		const isUtc = day !== '' && text.includes(':') && /(?:Z|[+-]00(?::?00)?)$/i.test(text);
		date = DateTime.fromISO(isUtc ? text : day, { zone: timezone });
	}
	if (!DateTime.isDateTime(date) || !date.isValid) return undefined;
	return date.setZone(timezone).toFormat('yyyy-MM-dd');
}

/** How far back to look for shipments whose label is to be printed, or that are to be handed over. */
export const DEFAULT_LOOKBACK_DAYS = 30;
