import { addCallingCode, findCountryCode, toInternationalNumber } from './countries';
import {
	type CreationFieldName,
	creationFieldNames,
	creationFields,
	mappedFields,
	type NamePart,
} from './fields';
import { type FieldKind, kinds } from './kinds';
import { type Problem, showValue } from './validate';

/** How values of a shop are brought into the form of the service. */
export interface CleanUpSettings {
	cleanUp: boolean;
	/** `none`, `fromCountry` or a prefix such as +420. */
	phonePrefix: string;
	/** More payment methods that mean cash on delivery, separated by commas. */
	codMethods: string;
}

/** The values that were rewritten: what came and what is used instead. */
export type Cleaned = Partial<Record<CreationFieldName, [from: unknown, to: unknown]>>;

type Values = Readonly<Record<string, unknown>>;

/**
 * Rewrites values whose meaning is certain, such as a phone number with spaces. Everything else stays
 * as it is and is refused later.
 */
export function cleanValues(
	given: Values,
	settings: CleanUpSettings,
): { values: Values; cleaned: Cleaned } {
	if (!settings.cleanUp) return { values: given, cleaned: {} };
	const values: Record<string, unknown> = { ...given };
	const cleaned: Cleaned = {};
	const rewrite = (name: CreationFieldName, to: unknown) => {
		if (Object.is(values[name], to)) return;
		cleaned[name] = [given[name], to ?? null];
		values[name] = to;
	};
	for (const name of creationFieldNames) {
		const clean = cleaners[creationFields[name].kind];
		if (clean && name in given) rewrite(name, clean(given[name]));
	}
	for (const prefix of ['rec', 'sender', 'cover'] as const) {
		const name = `${prefix}Phone` as const;
		const country = values[`${prefix}Country`];
		rewrite(name, addPrefix(values[name], settings.phonePrefix, country));
	}
	const isCod = readPaymentMethod(values.cod, settings.codMethods);
	if (isCod !== undefined) rewrite('cod', isCod);
	// A mapping gives the total of every order as the amount. A switch that is off is another matter:
	// the user may have forgotten it, and the order is refused.
	if (isCod === false) {
		for (const name of ['codPrice', 'codCurrency'] as const) rewrite(name, undefined);
	}
	return { values, cleaned };
}

type Cleaner = (value: unknown) => unknown;

const cleaners: Partial<Record<FieldKind, Cleaner>> = {
	text: trim,
	email: trim,
	currency: trim,
	phone: cleanPhone,
	country: (value) => {
		const text = trim(value);
		return (typeof text === 'string' && findCountryCode(text)) || text;
	},
	amount: cleanAmount,
	count: trim,
	recordId: trim,
	yesNo: trim,
};

function trim(value: unknown): unknown {
	return typeof value === 'string' ? value.trim() : value;
}

/** Only what people put between digits is removed. */
function cleanPhone(value: unknown): unknown {
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text !== 'string') return value;
	if (!/^[+\d\s().\-\u2010-\u2015]+$/.test(text)) return text.trim();
	return text
		.replace(/\(0\)/, '')
		.replace(/[^+\d]/g, '')
		.replace(/^00/, '+');
}

function addPrefix(phone: unknown, phonePrefix: string, country: unknown): unknown {
	if (typeof phone !== 'string' || !/^\d+$/.test(phone)) return phone;
	if (phonePrefix === 'fromCountry') return toInternationalNumber(phone, country) ?? phone;
	const prefix = phonePrefix.replace(/^00/, '+').replace(/\s/g, '');
	return (/^\+\d+$/.test(prefix) && addCallingCode(phone, prefix)) || phone;
}

const CURRENCY = /^(?:[A-Z]{3}|\p{Sc}|Kč)\s*|\s*(?:[A-Z]{3}|\p{Sc}|Kč)$/gu;
const GROUPED = /^\d{1,3}(?:[ \u00a0\u202f']\d{3})+(?=[.,]|$)/;

/**
 * Reads an amount such as "1 290,50 Kč". A single comma or point before three digits, as in "1,290",
 * may be either and stays.
 */
function cleanAmount(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const text = value.trim().replace(CURRENCY, '');
	const digits = text.replace(GROUPED, (group) => group.replace(/\D/g, ''));
	const [, whole = '', decimals = ''] =
		/^(\d+)[.,](\d{1,2})$/.exec(digits) ??
		/^(\d{1,3}(?:,\d{3})+)\.(\d{1,2})$/.exec(digits) ??
		/^(\d{1,3}(?:\.\d{3})+),(\d{1,2})$/.exec(digits) ??
		/^(\d+)$/.exec(digits) ??
		[];
	if (whole === '') return value.trim();
	return whole.replace(/\D/g, '') + (decimals === '' ? '' : `.${decimals}`);
}

const YES = ['true', 'yes', 'y', '1', 'on', 'ano', 'áno', 'ja', 'tak', 'cod', 'cashondelivery'];
const NO = ['false', 'no', 'n', '0', 'off', 'ne', 'nie', 'nein'];
const CASH_ON_DELIVERY = ['dobírka', 'dobirka', 'dobierka', 'nachnahme', 'zapobraniem', 'utánvét'];

/**
 * Whether a text means cash on delivery; undefined if it is not certain. Any other payment method
 * means no only if the user has listed the ones that mean yes: a shipment that should be paid on
 * delivery and is not costs the shop the whole order.
 */
function readPaymentMethod(value: unknown, codMethods: string): boolean | undefined {
	if (typeof value !== 'string') return undefined;
	const normalize = (each: string) => each.toLowerCase().replace(/[\s_-]/g, '');
	const method = normalize(value);
	const listed = codMethods.split(',').map(normalize).filter(Boolean);
	if ([...YES, ...CASH_ON_DELIVERY, ...listed].includes(method)) return true;
	if (NO.includes(method)) return false;
	return method === '' || listed.length === 0 ? undefined : false;
}

/**
 * Joins first and last names, which shops have in separate fields, and removes the parts, which the
 * service does not know. If the full name is given, too, it is used, and the parts must be in it.
 */
export function joinNames(given: Values): { values: Values; joined: Cleaned; problems: Problem[] } {
	const values: Record<string, unknown> = { ...given };
	const joined: Cleaned = {};
	const problems: Problem[] = [];
	for (const prefix of ['rec', 'sender'] as const) {
		const field = `${prefix}Name` as const;
		const parts: NamePart[] = [`${prefix}FirstName`, `${prefix}LastName`];
		for (const part of parts) delete values[part];
		const present = parts.filter((part) => !isEmpty(given[part]));
		if (present.length === 0) continue;

		const name = present.map((part) => String(given[part]).trim()).join(' ');
		const problem = nameProblem(field, present, given);
		if (problem) {
			problems.push(problem);
			delete values[field];
		} else if (isEmpty(given[field])) {
			values[field] = name;
			joined[field] = [present.map((part) => given[part]), name];
		}
	}
	return { values, joined, problems };
}

/** Why the parts cannot be joined, or are not in the full name. */
function nameProblem(
	field: 'recName' | 'senderName',
	parts: readonly NamePart[],
	given: Values,
): Problem | undefined {
	const unreadable = parts.find((part) => kinds.text.read(given[part]) === undefined);
	if (unreadable) {
		const { caption } = mappedFields[unreadable];
		const found = showValue(given[unreadable]);
		// Recipient Name is not missing: it could not be joined.
		return {
			field,
			caption,
			found,
			expected: kinds.text.expected,
			message: `Invalid ${caption}: ${found}`,
		};
	}
	if (isEmpty(given[field])) return undefined;
	const words = wordsOf(given[field]);
	if (parts.flatMap((part) => wordsOf(given[part])).every((word) => words.includes(word))) {
		return undefined;
	}
	const { caption } = mappedFields[field];
	const captions = parts.map((part) => `'${mappedFields[part].caption}'`).join(' and ');
	const name = parts.map((part) => String(given[part]).trim()).join(' ');
	const found = `${showValue(given[field])}, but ${captions} ${parts.length > 1 ? 'are' : 'is'} ${showValue(name)}`;
	const expected = `the same name as in ${captions}, or only one of them`;
	return { field, caption, found, expected, message: `${caption} is ${found}` };
}

const isEmpty = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const wordsOf = (value: unknown) => String(value).toLowerCase().split(/\s+/).filter(Boolean);
