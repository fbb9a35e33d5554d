import { foldText } from '../lists';

// What a value means, whichever field it is for.

export const trim = (value: unknown) => (typeof value === 'string' ? value.trim() : value);

export const isEmpty = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** An expression may give a number for a text field. It is accepted if no digit can be lost. */
export function readText(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value !== 'number' || Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined;
	const text = String(value);
	return /^-?[\d.]+$/.test(text) ? text : undefined;
}

export function readYesNo(value: unknown): boolean | undefined {
	return typeof value === 'boolean' ? value : undefined;
}

const YES = ['true', 'yes', 'y', '1', 'on', 'ano', 'ja', 'tak'];
const NO = ['false', 'no', 'n', '0', 'off', 'ne', 'nie', 'nein'];

export function cleanYesNo(value: unknown): unknown {
	// A database gives 1 and 0.
	if (typeof value !== 'string' && typeof value !== 'number') return value;
	const word = foldText(String(value));
	if (YES.includes(word)) return true;
	return NO.includes(word) ? false : trim(value);
}
