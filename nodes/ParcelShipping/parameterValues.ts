import { toDay } from './days';
import { ItemError } from './transport/errors';

// How values of the form are read, which an expression can give with another type. `caption` is that of the parameter.

/** The error of a parameter, by its caption, whose value cannot be used. */
export const invalidValue = (caption: string, value: unknown, advice: string) =>
	new ItemError(`Invalid ${caption}: ${JSON.stringify(value)}`, advice, { field: caption });

/** An expression can give a text, for example from a CSV file. */
export function readBoolean(value: unknown, caption: string): boolean {
	const text = String(value ?? '')
		.trim()
		.toLowerCase();
	if (text === 'true') return true;
	if (text === 'false' || text === '') return false;
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

/** Any value of an option that is a number. An expression can give a text, or nothing. */
export function readNumber(value: unknown, caption: string, fallback: number): number {
	if (String(value ?? '').trim() === '') return fallback;
	const number = typeof value === 'string' ? Number(value) : value;
	if (typeof number === 'number' && Number.isFinite(number) && number >= 0) return number;
	const advice = 'Enter a number of 0 or more, or check the result of the expression.';
	throw invalidValue(caption, value, advice);
}

export const readOptionalText = (value: unknown) => String(value ?? '').trim() || undefined;

export function readWholeNumber(value: unknown, caption: string, least = 0): number | undefined {
	const text = readOptionalText(value);
	if (text === undefined) return undefined;
	const number = /^\d+$/.test(text) ? Number(text) : NaN;
	if (Number.isSafeInteger(number) && number >= least) return number;
	const advice = 'Enter a whole number, such as 50, or check the result of the expression.';
	throw invalidValue(caption, value, advice);
}

export function readDay(value: unknown, caption: string, timezone: string): string | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const day = toDay(value, timezone);
	if (day !== undefined) return day;
	throw invalidValue(
		caption,
		value,
		'Choose a date with the date picker, or enter it as yyyy-mm-dd, for example 2026-11-20. You can also use an expression such as {{ $now.minus({ days: 7 }) }}.',
	);
}

/** How far back to look for shipments whose label is to be printed, or that are to be handed over. */
export const DEFAULT_LOOKBACK_DAYS = 30;
