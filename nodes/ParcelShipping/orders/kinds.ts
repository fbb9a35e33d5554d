import { DateTime } from 'luxon';
import type { FieldType } from 'n8n-workflow';

import { foldText } from '../lists';
import { parseJson } from '../records';
import type { CreationOptions } from './form';
import { findCountryCode, NUMBERING_PLANS, type NumberingPlan } from './countries';

interface CleanUpFacts extends Pick<CreationOptions, 'codMethods' | 'timezone'> {
	/** The country of the phone number. */
	country: unknown;
}

interface Kind {
	mapperType: FieldType;
	expected: string;
	/** The value to send, or undefined if it would have to be guessed. */
	read(value: unknown): string | number | boolean | object | undefined;
	/** Rewrites a value whose meaning is certain, `trim` by default. Others stay and are refused. */
	clean?(value: unknown, facts: CleanUpFacts): unknown;
}

export const trim = (value: unknown) => (typeof value === 'string' ? value.trim() : value);

const AMOUNT: Kind = {
	mapperType: 'number',
	expected: 'a number of 0 or more with a decimal point and no spaces, e.g. 1200.50',
	read: readAmount,
	clean: cleanAmount,
};

/** What each kind of field accepts. A value that would have to be guessed is refused. */
const kindsByName = {
	text: {
		mapperType: 'string',
		expected: 'text. Leading zeros and long numbers are only kept in text',
		read: readText,
	},
	phone: {
		mapperType: 'string',
		expected: 'one phone number with its country prefix, e.g. +420777123456',
		read: readPhone,
		clean: cleanPhone,
	},
	country: {
		mapperType: 'string',
		expected: 'a country code of two letters, e.g. CZ',
		read: (value) => findCountryCode(readText(value) ?? ''),
		clean: (value) => (typeof value === 'string' && findCountryCode(value)) || trim(value),
	},
	currency: {
		mapperType: 'string',
		expected: 'a currency code of three letters, e.g. CZK',
		// Codes are the same in small letters.
		read: textMatching(/^[A-Z]{3}$/),
		clean: (value) => (typeof value === 'string' ? value.trim().toUpperCase() : value),
	},
	email: {
		mapperType: 'string',
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
		clean: cleanPaymentMethod,
	},
	yesNo: {
		mapperType: 'boolean',
		expected: 'true or false',
		read: readYesNo,
		clean: cleanYesNo,
	},
	age: {
		mapperType: 'string',
		expected: 'true or false, or an age such as 18',
		read: (value) => readYesNo(value) ?? textMatching(/^\d{2}$/)(value),
		clean: cleanYesNo,
	},
	day: {
		mapperType: 'dateTime',
		expected: 'a day as yyyy-mm-dd, e.g. 2026-01-14',
		read: dayAsWritten,
		clean: cleanDay,
	},
	shopId: {
		mapperType: 'string',
		expected: 'the ID as text or as a number',
		// As the shop has it, because that is how it is sent back to the shop.
		read: (value) => (readText(value) === undefined ? undefined : (value as string | number)),
		clean: (value) => value,
	},
	list: {
		mapperType: 'string',
		expected: 'codes separated by commas, or a JSON list',
		read: readCodesOrJson,
		clean: (value) => value,
	},
} as const satisfies Record<string, Kind>;

export type FieldKind = keyof typeof kindsByName;

export const kinds: Readonly<Record<FieldKind, Kind>> = kindsByName;

export const isEmpty = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** An expression may give a number for a text field. It is accepted if no digit can be lost. */
export function readText(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value !== 'number' || Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined;
	const text = String(value);
	return /^-?[\d.]+$/.test(text) ? text : undefined;
}

function readYesNo(value: unknown): boolean | undefined {
	return typeof value === 'boolean' ? value : undefined;
}

/** The day that a time in UTC has where the shop is. */
function cleanDay(value: unknown, { timezone }: CleanUpFacts): unknown {
	const text = trim(value);
	if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|\+00:?00)$/.test(text))
		return text;
	return DateTime.fromISO(text, { zone: timezone }).toISODate() ?? text;
}

function dayAsWritten(value: unknown): string | undefined {
	if (DateTime.isDateTime(value)) return value.toISODate() ?? undefined;
	const [, day = ''] =
		/^(\d{4}-\d{2}-\d{2})(?:[T ][\d:.]+(?:[+-]\d{2}:?\d{2})?)?$/.exec(String(value)) ?? [];
	return DateTime.fromISO(day).isValid ? day : undefined;
}

function textMatching(pattern: RegExp): Kind['read'] {
	return (value) => pattern.exec(readText(value) ?? '')?.[0];
}

const plans = Object.values(NUMBERING_PLANS);

/** The numbering plan of a number with its plus sign and prefix. No calling code begins with another one. */
export const planOf = (phone: string) => plans.find(({ code }) => phone.startsWith(code, 1));

function readPhone(value: unknown): string | undefined {
	const phone = /^\+[1-9]\d{5,14}$/.exec(readText(value) ?? '')?.[0];
	const plan = phone && planOf(phone);
	return plan && !hasLengthOf(plan, phone.slice(plan.code.length + 1)) ? undefined : phone;
}

const hasLengthOf = ({ digits: [min, max] }: NumberingPlan, { length }: string) =>
	length >= min && length <= max;

/**
 * Codes as a list. JSON is sent as it is, because a service may want more than a code, such as the
 * value to insure. n8n writes a list from an expression as JSON text.
 */
function readCodesOrJson(value: unknown): object | undefined {
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

function readCount(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	return Number.isSafeInteger(number) && (number as number) >= 1 ? (number as number) : undefined;
}

const CURRENCY = /^(?:[A-Z]{3}|\p{Sc}|Kč)\s*|\s*(?:[A-Z]{3}|\p{Sc}|Kč)$/gu;
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
	amount.trim().replace(CURRENCY, (found) => (isCurrency(found.trim()) ? '' : found));

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

const YES = ['true', 'yes', 'y', '1', 'on', 'ano', 'ja', 'tak'];
const NO = ['false', 'no', 'n', '0', 'off', 'ne', 'nie', 'nein'];

const foldMethods = (text: string) => foldText(text).replace(/[\s_-]/g, '');

/** The usual names of cash on delivery. */
const CASH_ON_DELIVERY = foldMethods(
	'COD, Cash on Delivery, Dobirka, Dobierka, Nachnahme, Za pobraniem, Utanvet',
);

function cleanYesNo(value: unknown): unknown {
	// A database gives 1 and 0.
	if (typeof value !== 'string' && typeof value !== 'number') return value;
	const word = foldText(String(value));
	if (YES.includes(word)) return true;
	return NO.includes(word) ? false : trim(value);
}

/**
 * Rewrites a text that means cash on delivery or not. Any other payment method means no only if the
 * user has listed the ones that mean yes: a shipment that should be paid on delivery and is not costs
 * the shop the whole order.
 */
export function cleanPaymentMethod(
	value: unknown,
	{ codMethods }: Pick<CreationOptions, 'codMethods'>,
): unknown {
	// With numbers in the list, 1 and 0 are methods as well.
	const text = trim(typeof value === 'number' ? String(value) : value);
	if (isWholeNumber(text) && codMethods.split(',').some(isWholeNumber))
		return isCashOnDeliveryMethod(text, codMethods);
	const choice = cleanYesNo(value);
	if (typeof value !== 'string' || typeof choice !== 'string') return choice;
	if (isCashOnDeliveryMethod(value, codMethods)) return true;
	return !isEmpty(value) && codMethods.replace(/[\s,_-]/g, '') !== '' ? false : value.trim();
}

const isWholeNumber = (value: unknown) => /^\s*\d+\s*$/.test(String(value));

/** Whether the user has listed the payment method as cash on delivery, or it is one of the usual names. */
export function isCashOnDeliveryMethod(value: unknown, codMethods: string): boolean {
	if (typeof value !== 'string' || isEmpty(value)) return false;
	const method = foldMethods(value);
	// A dash is no method. A method may contain commas itself.
	if (method === '') return false;
	return `,${CASH_ON_DELIVERY},${foldMethods(codMethods)},`.includes(`,${method},`);
}

/** The slash of 0171/1234567. One after more digits may be between two numbers, or before an extension. */
const AFTER_AREA_CODE = /^((?:(?:\+|00)\d{2})?(?:[\s().-]*\d){1,5}[\s)]*)\/(?=(?:[\s-]*\d){5})/;

/** In Italy and San Marino, the zero belongs to the number. */
const keepsZero = (plan?: NumberingPlan) => ['39', '378'].includes(plan?.code ?? '');

/** Removes only what people put between digits, and adds the prefix to a national number. */
function cleanPhone(value: unknown, { country }: CleanUpFacts): unknown {
	const text = typeof value === 'number' ? String(value) : trim(value);
	if (typeof text !== 'string') return text;
	const number = text.replace(AFTER_AREA_CODE, '$1 ');
	// With the invisible marks that are copied from a contact.
	if (!/^[+\d\s().\p{Pd}\p{Cf}]+$/u.test(number)) return text;
	const join = (parts: string) => parts.replace(/[^+\d]/g, '').replace(/^00/, '+');
	const whole = join(number);
	const isInternational = whole.startsWith('+');
	const plan = isInternational ? planOf(whole) : NUMBERING_PLANS[String(country)];
	const phone = keepsZero(plan) ? whole : join(number.replace('(0)', ''));
	if (!isInternational) return toInternationalNumber(phone, plan) ?? phone;
	return plan ? `+${plan.code}${withoutTrunk(phone.slice(plan.code.length + 1), plan)}` : phone;
}

/** Without what is only dialed inside the country, such as the zero of +49 0151. */
const withoutTrunk = (national: string, { trunk = '' }: NumberingPlan) =>
	national.replace(new RegExp(`^(?:${trunk})`), '');

const hasStart = ({ start = '' }: NumberingPlan, digits: string) =>
	new RegExp(`^(?:${start})`).test(digits);

/** The calling code, if a number without a plus sign may already begin with it. */
export function codeInNumber(national: string, plan: NumberingPlan): string | undefined {
	const rest = national.slice(plan.code.length);
	const mayContainCode =
		withoutTrunk(national, plan) === national &&
		national.startsWith(plan.code) &&
		hasLengthOf(plan, rest) &&
		hasStart(plan, rest);
	return mayContainCode ? plan.code : undefined;
}

/** A national number with its calling code; undefined if that would be a guess. */
function toInternationalNumber(national: string, plan: NumberingPlan | undefined) {
	if (!plan) return undefined;
	const significant = withoutTrunk(national, plan);
	// For example a Slovak number with the Czech prefix.
	const isOfAnotherCountry =
		(significant.startsWith('0') && !keepsZero(plan)) ||
		(hasLengthOf(plan, significant) && !hasStart(plan, significant));
	const isGuess = isOfAnotherCountry || codeInNumber(national, plan) !== undefined;
	return isGuess ? undefined : `+${plan.code}${significant}`;
}
