import { toDay } from '../days';
import { invalidValue } from '../itemParameter';

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
