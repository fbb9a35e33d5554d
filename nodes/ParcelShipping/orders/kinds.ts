import type { FieldType } from 'n8n-workflow';

export type FieldKind =
	| 'text'
	| 'phone'
	| 'country'
	| 'currency'
	| 'email'
	| 'amount'
	| 'count'
	| 'recordId'
	| 'yesNo'
	| 'list';

interface Kind {
	/** The type of the field in the form. */
	mapperType: FieldType;
	expected: string;
	/** The value to send, or undefined if it would have to be guessed. */
	read(value: unknown): string | number | boolean | object | undefined;
}

/** What each kind of field accepts. A value that would have to be guessed is refused. */
export const kinds: Readonly<Record<FieldKind, Kind>> = {
	text: {
		mapperType: 'string',
		expected: 'text. Leading zeros and long numbers are only kept in text',
		read: readText,
	},
	phone: {
		mapperType: 'string',
		expected: 'a plus sign, the country prefix and digits without spaces, e.g. +420777123456',
		read: textMatching(/^\+[1-9]\d{5,14}$/),
	},
	country: {
		mapperType: 'string',
		expected: 'a country code of two letters, e.g. CZ',
		read: codeMatching(/^[A-Z]{2}$/),
	},
	currency: {
		mapperType: 'string',
		expected: 'a currency code of three letters, e.g. CZK',
		read: codeMatching(/^[A-Z]{3}$/),
	},
	email: {
		mapperType: 'string',
		expected: 'an email address, e.g. jana@example.com',
		read: textMatching(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/),
	},
	amount: {
		mapperType: 'number',
		expected: 'a number of 0 or more with a decimal point and no spaces, e.g. 1200.50',
		read: readAmount,
	},
	count: {
		mapperType: 'number',
		expected: 'a whole number of 1 or more',
		read: readWholeNumber,
	},
	recordId: {
		mapperType: 'number',
		expected: "a whole number, the ID of an order in the service's own administration",
		read: readWholeNumber,
	},
	yesNo: {
		mapperType: 'boolean',
		expected:
			"true or false, or a payment method. The option 'Cash on Delivery Methods' lists those that mean cash on delivery",
		read: (value) => BOOLEANS.get(value),
	},
	list: {
		mapperType: 'string',
		expected: 'codes separated by commas, or a JSON list',
		read: readCodes,
	},
};

const BOOLEANS = new Map<unknown, boolean>([
	[true, true],
	[false, false],
	// An expression inside a text gives a text.
	['true', true],
	['false', false],
]);

/** An expression may give a number for a text field. It is accepted if no digit can be lost. */
function readText(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
	if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined;
	const text = String(value);
	return text.includes('e') ? undefined : text;
}

function textMatching(pattern: RegExp): (value: unknown) => string | undefined {
	return (value) => {
		const text = readText(value);
		return text !== undefined && pattern.test(text) ? text : undefined;
	};
}

/** Codes are the same in small letters. */
function codeMatching(pattern: RegExp): (value: unknown) => string | undefined {
	const read = textMatching(pattern);
	return (value) => read(typeof value === 'string' ? value.trim().toUpperCase() : value);
}

/**
 * Codes as a list. JSON is sent as it is, because a service may want more than a code, such as the
 * value to insure. n8n writes a list from an expression as JSON text.
 */
function readCodes(value: unknown): object | undefined {
	if (typeof value === 'object' && value !== null) return value;
	if (typeof value !== 'string') return undefined;
	if (/^\s*[[{]/.test(value)) return parseJson(value) as object | undefined;
	const codes = value.split(',').map((code) => code.trim());
	return codes.filter((code) => code !== '');
}

/** The value of a JSON text, or undefined if it is not JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

const PLAIN_DECIMAL = /^\d+(?:\.\d+)?$/;

/** The number of decimal digits that a JavaScript number always keeps. */
const MAX_DIGITS = 15;

function readAmount(value: unknown): number | undefined {
	if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
	if (typeof value !== 'string' || !PLAIN_DECIMAL.test(value)) return undefined;
	const digits = value.replace('.', '').replace(/^0+/, '');
	return digits.length <= MAX_DIGITS ? Number(value) : undefined;
}

function readWholeNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	return Number.isSafeInteger(number) && (number as number) >= 1 ? (number as number) : undefined;
}
