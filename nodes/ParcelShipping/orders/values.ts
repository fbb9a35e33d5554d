import type { FieldType } from 'n8n-workflow';

import { toDay } from '../days';
import { foldText } from '../lists';
import { parseJson } from '../records';
import { findCountryCode } from './countries';
import { A_PHONE, cleanPhone, readPhone } from './phone';

// Which values a field of the form accepts, and what they mean.

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

const foldMethods = (text: string) => foldText(text).replace(/[\s_-]/g, '');

/** The usual names of cash on delivery. */
const CASH_ON_DELIVERY = foldMethods(
	'COD, Cash on Delivery, Dobirka, Dobierka, Nachnahme, Za pobraniem, Utanvet',
);

/**
 * Rewrites a text that means cash on delivery or not. Any other payment method means no only if the
 * user has listed the ones that mean yes: a shipment that should be paid on delivery and is not costs
 * the shop the whole order.
 */
export function cleanPaymentMethod(value: unknown, codMethods: string): unknown {
	if (isNumberOfMethod(value, codMethods)) return isCashOnDeliveryMethod(String(value), codMethods);
	const choice = cleanYesNo(value);
	if (typeof value !== 'string' || typeof choice !== 'string' || isAmount(value)) return choice;
	if (isCashOnDeliveryMethod(value, codMethods)) return true;
	return !isEmpty(value) && codMethods.replace(/[\s,_-]/g, '') !== '' ? false : value.trim();
}

const isWholeNumber = (value: unknown) => /^\s*\d+\s*$/.test(String(value));

/** With numbers in the list, each number is a method, also 1 and 0. */
const isNumberOfMethod = (value: unknown, codMethods: string) =>
	isWholeNumber(value) && codMethods.split(',').some(isWholeNumber);

/** Whether the user has listed the payment method as cash on delivery, or it is one of the usual names. */
export function isCashOnDeliveryMethod(value: unknown, codMethods: string): boolean {
	if (typeof value !== 'string' || isEmpty(value)) return false;
	const method = foldMethods(value);
	// A dash is no method. A method may contain commas itself.
	if (method === '') return false;
	return `,${CASH_ON_DELIVERY},${foldMethods(codMethods)},`.includes(`,${method},`);
}

interface ValueFacts {
	/** More payment methods that mean cash on delivery, separated by commas. */
	codMethods: string;
	/** Of the workflow. */
	timezone: string;
	/** The country of the phone number. */
	country: unknown;
}

interface Kind {
	/** In n8n's mapper, text by default. */
	mapperType?: FieldType;
	expected: string;
	/** The value to send, or undefined if it would have to be guessed. */
	read(value: unknown, facts: ValueFacts): string | number | boolean | object | undefined;
	/** Rewrites a value whose meaning is certain, `trim` by default. Others stay and are refused. */
	clean?(value: unknown, facts: ValueFacts): unknown;
}

const AMOUNT: Kind = {
	mapperType: 'number',
	expected: 'a number of 0 or more with a decimal point and no spaces, e.g. 1200.50',
	read: readAmount,
	clean: cleanAmount,
};

/** What each kind of field accepts. A value that would have to be guessed is refused. */
const kindsByName = {
	text: {
		expected: 'text. Leading zeros and long numbers are only kept in text',
		read: readText,
	},
	phone: {
		expected: A_PHONE,
		read: (value) => readPhone(readText(value) ?? ''),
		clean: (value, { country }) => {
			const text = readText(value);
			return text === undefined ? value : cleanPhone(text.trim(), country);
		},
	},
	country: {
		expected: 'a country code of two letters, e.g. CZ, or the name of the country',
		read: (value) => findCountryCode(readText(value) ?? ''),
		clean: (value) => (typeof value === 'string' && findCountryCode(value)) || trim(value),
	},
	currency: {
		expected: 'a currency code of three letters, e.g. CZK',
		// Codes are the same in small letters.
		read: textMatching(/^[A-Z]{3}$/),
		clean: (value) => (typeof value === 'string' ? value.trim().toUpperCase() : value),
	},
	email: {
		expected: 'an email address, e.g. jana@example.com',
		read: textMatching(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/),
	},
	amount: AMOUNT,
	money: { ...AMOUNT, read: (value) => (bothMeanings(value) ? undefined : readAmount(value)) },
	count: {
		mapperType: 'number',
		expected: 'a whole number of 1 or more',
		read: readCount,
	},
	codChoice: {
		mapperType: 'boolean',
		expected:
			"true or false, or a payment method. The option 'Cash on Delivery Methods' lists those that mean cash on delivery",
		read: readYesNo,
		clean: (value, { codMethods }) => cleanPaymentMethod(value, codMethods),
	},
	yesNo: {
		mapperType: 'boolean',
		expected: 'true or false',
		read: readYesNo,
		clean: cleanYesNo,
	},
	age: {
		expected: 'true or false, or an age such as 18',
		read: (value) => readYesNo(value) ?? textMatching(/^\d{2}$/)(value),
		clean: cleanYesNo,
	},
	day: {
		mapperType: 'dateTime',
		expected: 'a day as yyyy-mm-dd, e.g. 2026-01-14',
		read: (value, { timezone }) => toDay(value, timezone),
		clean: cleanDay,
	},
	shopId: {
		expected: 'the ID as text or as a number',
		// As the shop has it, because that is how it is sent back to the shop.
		read: (value) => (readText(value) === undefined ? undefined : (value as string | number)),
		clean: (value) => value,
	},
	list: {
		expected: 'codes separated by commas, or a JSON list',
		read: readCodesOrJson,
	},
} as const satisfies Record<string, Kind>;

export type FieldKind = keyof typeof kindsByName;

export const kinds: Readonly<Record<FieldKind, Kind>> = kindsByName;

function textMatching(pattern: RegExp) {
	return (value: unknown) => pattern.exec(readText(value) ?? '')?.[0];
}

/** Another day than the one that is written, because the time is in another zone. */
function cleanDay(value: unknown, { timezone }: ValueFacts): unknown {
	const day = toDay(value, timezone);
	return day === undefined || String(value).trim().startsWith(day) ? trim(value) : day;
}

/**
 * Codes as a list. JSON is sent as it is, because a service may want more than a code, such as the
 * value to insure. n8n writes a list from an expression as JSON text.
 */
export function readCodesOrJson(value: unknown): object | undefined {
	if (typeof value === 'object' && value !== null) return value;
	if (typeof value !== 'string') return undefined;
	if (/^\s*[[{]/.test(value)) return parseJson(value) as object | undefined;
	const codes = value.split(',').map((code) => code.trim());
	return codes.filter((code) => code !== '');
}

/** The number of decimal digits that a JavaScript number always keeps. */
const MAX_DIGITS = 15;

function readAmount(value: unknown): number | undefined {
	// 0.1 + 0.2 is not exactly 0.3.
	if (typeof value === 'number')
		return Number.isFinite(value) && value >= 0 ? Number(value.toFixed(6)) : undefined;
	if (typeof value !== 'string' || !/^\d+(?:\.\d+)?$/.test(value)) return undefined;
	const digits = value.replace('.', '').replace(/^0+/, '');
	return digits.length <= MAX_DIGITS ? Number(value) : undefined;
}

/** What text such as "1.290" can mean as an amount of money: thousands, or decimals. */
export function bothMeanings(value: unknown): [thousands: string, decimals: string] | undefined {
	if (typeof value !== 'string') return undefined;
	const [, thousands = '', rest = ''] =
		/^([1-9]\d{0,2})[.,](\d{3})$/.exec(withoutCurrency(value)) ?? [];
	if (thousands === '') return undefined;
	return [`${thousands}${rest}`, String(Number(`${thousands}.${rest}`))];
}

export const isZero = (value: unknown) => readAmount(cleanAmount(value)) === 0;

/** Such as "539,50 Kč". */
export const isAmount = (value: unknown) => readAmount(cleanAmount(value)) !== undefined;

function readCount(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	return Number.isSafeInteger(number) && (number as number) >= 1 ? (number as number) : undefined;
}

const CURRENCY = /^(?:[A-Z]{3}|\p{Sc}|Kč)|(?:[A-Z]{3}|\p{Sc}|Kč)$/gu;
const CURRENCY_SIGNS: Readonly<Record<string, string>> = {
	Kč: 'CZK',
	'€': 'EUR',
	'£': 'GBP',
	'₴': 'UAH',
};

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Not every three capitals are a currency, such as those of "12 F CFA". */
const isCurrency = (text: string) => !/^[A-Z]{3}$/.test(text) || CURRENCIES.has(text);

const withoutCurrency = (amount: string) =>
	amount
		.trim()
		.replace(CURRENCY, (found) => (isCurrency(found) ? '' : found))
		.trim();

/** The currency that is written with an amount, such as "1 290 Kč". */
export function currencyIn(amount: unknown): string | undefined {
	if (typeof amount !== 'string') return undefined;
	const [, code] = /(?:^|[\d\s])([A-Z]{3}|\p{Sc}|Kč)(?:$|[\d\s])/u.exec(amount.trim()) ?? [];
	// A sign such as $ may be the currency of several countries.
	if (code === undefined || !isCurrency(code)) return undefined;
	return CURRENCY_SIGNS[code] ?? (/[A-Z]{3}/.test(code) ? code : undefined);
}

const GROUPED = /^\d{1,3}(?:[ \u00a0\u2009\u202f'’]\d{3})+(?=[.,]|$)/;

/**
 * Rewrites an amount such as "1 290,50 Kč" or "1 290,-". A single comma or point before three digits, as in "1,290",
 * may be either and stays.
 */
function cleanAmount(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const digits = withoutCurrency(value)
		.replace(/[.,][-–—]$/, '')
		.replace(GROUPED, (group) => group.replace(/\D/g, ''));
	const [, whole = '', decimals = ''] =
		/^(\d+)(?:[.,](\d{1,2}))?$/.exec(digits) ??
		// Nothing is grouped after a zero.
		/^(0)[.,](\d+)$/.exec(digits) ??
		/^(\d{1,3}(?:,\d{3})+)\.(\d{1,2})$/.exec(digits) ??
		/^(\d{1,3}(?:\.\d{3})+),(\d{1,2})$/.exec(digits) ??
		/^(\d{1,3}(?:(?:,\d{3}){2,}|(?:\.\d{3}){2,}))$/.exec(digits) ??
		[];
	if (whole === '') return value.trim();
	return whole.replace(/\D/g, '') + (decimals === '' ? '' : `.${decimals}`);
}
