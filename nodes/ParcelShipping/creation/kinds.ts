import type { FieldType } from 'n8n-workflow';

import type { FieldKind } from './field';

interface Kind {
	/** The widget in the form. */
	mapperType: FieldType;
	expected: string;
	/** The value as it is sent; undefined where it would have to be guessed. */
	read(value: unknown): string | number | boolean | undefined;
}

/** What a field takes. Nothing is rewritten: a value fits as it is, or it is refused. */
export const kinds: Readonly<Record<FieldKind, Kind>> = {
	text: {
		mapperType: 'string',
		expected: 'text; digits that matter, such as leading zeros, only stay in text',
		read: readText,
	},
	phone: {
		mapperType: 'string',
		expected: 'a plus sign, the country prefix and digits without spaces, e.g. +420777123456',
		read: textLike(/^\+[1-9]\d{5,14}$/),
	},
	country: {
		mapperType: 'string',
		expected: 'a country code of two capital letters, e.g. CZ',
		read: textLike(/^[A-Z]{2}$/),
	},
	currency: {
		mapperType: 'string',
		expected: 'a currency code of three capital letters, e.g. CZK',
		read: textLike(/^[A-Z]{3}$/),
	},
	email: {
		mapperType: 'string',
		expected: 'an e-mail address, e.g. jana@example.com',
		read: textLike(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/),
	},
	amount: {
		mapperType: 'number',
		expected: 'a number from 0 up with a decimal point and no spaces, e.g. 1200.50',
		read: readAmount,
	},
	count: {
		mapperType: 'number',
		expected: 'a whole number from 1 up',
		read: readWholeNumber,
	},
	recordId: {
		mapperType: 'number',
		expected: "a whole number, the ID of an order in the service's own administration",
		read: readWholeNumber,
	},
	yesNo: {
		mapperType: 'boolean',
		expected: 'true or false',
		read: (value) => BOOLEANS.get(value),
	},
};

const BOOLEANS = new Map<unknown, boolean>([
	[true, true],
	[false, false],
	// What an expression inside text gives.
	['true', true],
	['false', false],
]);

/** An expression may give a number where text is meant; it is taken while no digit can be lost. */
function readText(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
	if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined;
	const text = String(value);
	return text.includes('e') ? undefined : text;
}

function textLike(form: RegExp): (value: unknown) => string | undefined {
	return (value) => {
		const text = readText(value);
		return text !== undefined && form.test(text) ? text : undefined;
	};
}

const PLAIN_DECIMAL = /^\d+(?:\.\d+)?$/;

/** As many decimal digits as a JavaScript number surely keeps. */
const KEPT_DIGITS = 15;

function readAmount(value: unknown): number | undefined {
	if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
	if (typeof value !== 'string' || !PLAIN_DECIMAL.test(value)) return undefined;
	const digits = value.replace('.', '').replace(/^0+/, '');
	return digits.length <= KEPT_DIGITS ? Number(value) : undefined;
}

function readWholeNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	return Number.isSafeInteger(number) && (number as number) >= 1 ? (number as number) : undefined;
}
