import type { FieldType } from 'n8n-workflow';

import { foldText } from '../lists';
import { toDay } from '../parameterValues';
import { parseJson } from '../records';
import { findCountryCode } from './countries';
import { cleanPhone, phoneInsteadOf, readPhone } from './phone';

// Which values a field of the form accepts, and what they mean. A value that would have to be guessed is refused.

export const isEmpty = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** An expression may give a number for a text field. It is accepted if no digit can be lost. */
export function readText(value: unknown): string | undefined {
	if (typeof value === 'string') return value.trim();
	if (typeof value !== 'number' || Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined;
	const text = String(value);
	return /^-?[\d.]+$/.test(text) ? text : undefined;
}

const YES = ['true', 'yes', 'y', '1', 'on', 'ano', 'ja', 'tak'];
const NO = ['false', 'no', 'n', '0', 'off', 'ne', 'nie', 'nein'];

export function readYesNo(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	// A database gives 1 and 0.
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const word = foldText(String(value));
	if (YES.includes(word)) return true;
	return NO.includes(word) ? false : undefined;
}

const foldMethods = (text: string) => foldText(text).replace(/[\s_-]/g, '');

/** The usual names of cash on delivery, and those of the shops. */
const CASH_ON_DELIVERY = foldMethods(
	'COD, Cash on Delivery, Cash on Delivery (COD), Dobirka, Dobirkou, Na dobirku, Dobierka, Dobierkou, Na dobierku, Nachnahme, Za pobraniem, Utanvet',
);

/** Whether the user has listed the payment method as cash on delivery, or it is one of the usual names. */
export function isCashOnDeliveryMethod(value: unknown, codMethods: string): boolean {
	const method = foldMethods(readText(value) ?? '');
	// A dash is no method. A method may contain commas itself.
	if (method === '') return false;
	return `,${CASH_ON_DELIVERY},${foldMethods(codMethods)},`.includes(`,${method},`);
}

const isWholeNumber = (value: unknown) => /^\s*\d+\s*$/.test(String(value));

/**
 * Whether the value means cash on delivery. Any other payment method means no only if the user has listed the ones that
 * mean yes: a shipment that should be paid on delivery and is not costs the shop the whole order.
 */
function readPaymentMethod(value: unknown, codMethods: string): boolean | undefined {
	// With numbers in the list, each number is a method, also 1 and 0.
	const isNumberOfMethod = isWholeNumber(value) && codMethods.split(',').some(isWholeNumber);
	const choice = isNumberOfMethod ? undefined : readYesNo(value);
	if (choice !== undefined) return choice;
	if (isCashOnDeliveryMethod(value, codMethods)) return true;
	if (isNumberOfMethod) return false;
	if (typeof value !== 'string' || isAmount(value)) return undefined;
	return foldMethods(codMethods).replace(/,/g, '') === '' ? undefined : false;
}

export interface ValueFacts {
	/** More payment methods that mean cash on delivery, separated by commas. */
	codMethods: string;
	/** Of the workflow. */
	timezone: string;
	/** The country of the phone number. */
	country?: unknown;
}

interface Kind {
	/** Of a value that is refused, or in general. `country` is that of a phone number. */
	expected(value?: unknown, country?: unknown): string;
	/** The value to send, or undefined if it would have to be guessed. */
	read(value: unknown, facts: ValueFacts): string | number | boolean | object | undefined;
	/** In n8n's mapper. */
	mapperType: FieldType;
}

const kind = (
	expected: string | Kind['expected'],
	read: Kind['read'],
	mapperType: FieldType = 'string',
): Kind => ({
	expected: typeof expected === 'string' ? () => expected : expected,
	read,
	mapperType,
});

const AN_AMOUNT = 'a number of 0 or more that can mean only one amount, e.g. 1200.50';

export const kinds = {
	text: kind('text. Leading zeros and long numbers are only kept in text', readText),
	phone: kind(phoneInsteadOf, (value, { country }) =>
		readPhone(cleanPhone(readText(value)?.trim() ?? '', country)),
	),
	country: kind('a country code of two letters, e.g. CZ, or the name of the country', (value) =>
		findCountryCode(readText(value) ?? ''),
	),
	currency: kind(
		'a currency code of three letters, e.g. CZK',
		(value) => /^[A-Z]{3}$/.exec((readText(value) ?? '').toUpperCase())?.[0],
	),
	email: kind(
		'an email address, e.g. jana@example.com',
		(value) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.exec(readText(value) ?? '')?.[0],
	),
	amount: kind(AN_AMOUNT, readAmount, 'number'),
	money: kind(
		`${AN_AMOUNT} (not 1.290, which may be 1290 or 1.29)`,
		(value) => (isThousandsOrDecimals(value) ? undefined : readAmount(value)),
		'number',
	),
	count: kind('a whole number of 1 or more', readCount, 'number'),
	codChoice: kind(
		(value) =>
			isAmount(value)
				? "true or false. Map an amount to 'Cash on Delivery Amount' instead, which decides alone"
				: "true or false, or a payment method that means cash on delivery: add it to the option 'Cash on Delivery Methods'. Once that has a method, every other one means no",
		(value, { codMethods }) => readPaymentMethod(value, codMethods),
		'boolean',
	),
	yesNo: kind('true or false', readYesNo, 'boolean'),
	day: kind(
		'a day as yyyy-mm-dd, e.g. 2026-01-14',
		(value, { timezone }) => toDay(value, timezone),
		'dateTime',
	),
	// As the shop has it, because that is how it is sent back to the shop.
	shopId: kind('the ID as text or as a number', (value) =>
		readText(value) === undefined ? undefined : (value as string | number),
	),
	list: kind('codes separated by commas, or a JSON list', readCodesOrJson),
};

export type FieldKind = keyof typeof kinds;

/**
 * Codes as a list. JSON is sent as it is, because a provider may want more than a code, such as the
 * value to insure. n8n writes a list from an expression as JSON text.
 */
export function readCodesOrJson(value: unknown): object | undefined {
	if (typeof value === 'object' && value !== null) return value;
	if (typeof value !== 'string') return undefined;
	if (/^\s*[[{]/.test(value)) return parseJson(value) as object | undefined;
	const codes = value.split(',').map((code) => code.trim());
	return codes.filter((code) => code !== '');
}

function readCount(value: unknown): number | undefined {
	const number = isWholeNumber(value) ? Number(value) : value;
	return Number.isSafeInteger(number) && (number as number) >= 1 ? (number as number) : undefined;
}

/** The number of decimal digits that a JavaScript number always keeps. */
const MAX_DIGITS = 15;

/** An amount such as 1290.5, "1290.50", "1 290,50 Kč" or "1 290,-". */
function readAmount(value: unknown): number | undefined {
	// 0.1 + 0.2 is not exactly 0.3.
	if (typeof value === 'number')
		return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? Number(value.toFixed(6)) : undefined;
	const amount = toPlainAmount(splitAmount(value).amount);
	const digits = amount.replace('.', '').replace(/^0+/, '');
	return amount !== '' && digits.length <= MAX_DIGITS ? Number(amount) : undefined;
}

const GROUPED = /^\d{1,3}(?:[ \u00a0\u2009\u202f'’]\d{3})+(?=[.,]|$)/;

/** With a decimal point only, or empty. A single comma before three digits, as in "1,290", may be either and is refused. */
function toPlainAmount(text: string): string {
	const amount = text
		.replace(/[.,][-–—]$/, '')
		.replace(GROUPED, (group) => group.replace(/\D/g, ''));
	const [, whole = '', decimals = ''] =
		/^(\d+)(?:[.,](\d{1,2}))?$/.exec(amount) ??
		// Nothing is grouped after a zero.
		/^(\d+(?=\.)|0)[.,](\d+)$/.exec(amount) ??
		/^(\d{1,3}(?:,\d{3})+)\.(\d{1,2})$/.exec(amount) ??
		/^(\d{1,3}(?:\.\d{3})+),(\d{1,2})$/.exec(amount) ??
		/^(\d{1,3}(?:(?:,\d{3}){2,}|(?:\.\d{3}){2,}))$/.exec(amount) ??
		[];
	return whole.replace(/\D/g, '') + (decimals === '' ? '' : `.${decimals}`);
}

/** Text such as "1.290", which may be either as an amount of money. */
const isThousandsOrDecimals = (value: unknown) =>
	/^[1-9]\d{0,2}[.,]\d{3}$/.test(splitAmount(value).amount);

export const isZero = (value: unknown) => !isEmpty(value) && readAmount(value) === 0;

/** Such as "539,50 Kč". */
const isAmount = (value: unknown) => readAmount(value) !== undefined;

/** Signs of one currency only. That of others may be the sign of several countries, such as $. */
const CURRENCY_SIGNS: Readonly<Record<string, string>> = {
	Kč: 'CZK',
	'€': 'EUR',
	'£': 'GBP',
	'₴': 'UAH',
};

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The amount without the currency that is written with it. Not every three capitals are one, such as those of "12 F CFA". */
function splitAmount(value: unknown): { amount: string; currency?: string | undefined } {
	const text = readText(value) ?? '';
	const [sign] = /^(?:[A-Z]{3}|\p{Sc}|Kč)|(?:[A-Z]{3}|\p{Sc}|Kč)$/u.exec(text) ?? [];
	const isCode = /^[A-Z]{3}$/.test(sign ?? '');
	if (sign === undefined || (isCode && !CURRENCIES.has(sign))) return { amount: text };
	return {
		amount: text.replace(sign, '').trim(),
		currency: isCode ? sign : CURRENCY_SIGNS[sign],
	};
}

/** The currency that is written with an amount, such as "1 290 Kč". */
export const currencyIn = (amount: unknown) => splitAmount(amount).currency;
