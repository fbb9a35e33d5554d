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

export interface JoinedNames {
	/** Without the parts, which the service does not know. */
	values: Values;
	joined: Cleaned;
	problems: Problem[];
}

/**
 * Joins first and last names, which shops have in separate fields. If the full name is given, too, it
 * is used, and the parts must be in it.
 */
export function joinNames(given: Values): JoinedNames {
	const values: Record<string, unknown> = { ...given };
	const joined: Cleaned = {};
	const problems: Problem[] = [];
	for (const prefix of ['rec', 'sender'] as const) {
		const fields: NamePart[] = [`${prefix}FirstName`, `${prefix}LastName`];
		const present = fields.filter((field) => !isEmpty(given[field]));
		for (const field of fields) delete values[field];
		if (present.length === 0) continue;

		const { problem, name } = joinParts(`${prefix}Name`, present, given);
		if (problem) {
			problems.push(problem);
			delete values[`${prefix}Name`];
		} else if (name !== undefined) {
			values[`${prefix}Name`] = name;
			joined[`${prefix}Name`] = [present.map((field) => given[field]), name];
		}
	}
	return { values, joined, problems };
}

function joinParts(
	nameField: 'recName' | 'senderName',
	present: readonly NamePart[],
	given: Values,
): { problem?: Problem; name?: string } {
	const parts = present.map((field) => kinds.text.read(given[field]));
	const unreadable = present.find((_, index) => parts[index] === undefined);
	if (unreadable) {
		const { caption } = mappedFields[unreadable];
		const found = showValue(given[unreadable]);
		// Recipient Name is not missing: it could not be joined.
		const message = `Invalid ${caption}: ${found}`;
		return {
			problem: { field: nameField, caption, found, expected: kinds.text.expected, message },
		};
	}
	const name = parts.map((part) => String(part).trim()).join(' ');
	const full = given[nameField];
	if (isEmpty(full)) return { name };
	const words = wordsOf(String(full));
	if (wordsOf(name).every((word) => words.includes(word))) return {};

	const { caption } = creationFields[nameField];
	const captions = present.map((field) => `'${mappedFields[field].caption}'`).join(' and ');
	const found = `${showValue(full)}, but ${captions} ${present.length > 1 ? 'are' : 'is'} ${showValue(name)}`;
	return {
		problem: {
			field: nameField,
			caption,
			found,
			expected: `the same name as in ${captions}, or only one of them`,
			message: `${caption} is ${found}`,
		},
	};
}

const isEmpty = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);
