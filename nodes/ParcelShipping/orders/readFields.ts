import { foldText } from '../lists';
import type { ShipmentCreation } from '../transport/contract';
import { NUMBERING_PLANS } from './countries';
import { captions, type CreationFieldName, creationFieldNames, creationFields } from './fields';
import type { CreationOptions } from './form';
import {
	bothMeanings,
	codeInNumber,
	currencyIn,
	type FieldKind,
	isEmpty,
	kinds,
	planOf,
	readText,
	trim,
} from './kinds';
import { type Cleaned, type Order, type Problem, problemOf, showValue } from './order';

/** What is sent for an order, as far as it could be read. */
export type Body = Partial<ShipmentCreation>;

/** The values of fields, by the service's own field names. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * With an order of a shop (`isFromShop`), amount and currency are left out if nothing is collected.
 * `phoneCountry` is the country of the phone if it is not that of the address.
 */
interface FieldFacts extends Pick<CreationOptions, 'codMethods' | 'timezone'> {
	isFromShop?: boolean;
	phoneCountry?: string | undefined;
}

export const COD_TERMS: readonly CreationFieldName[] = ['codPrice', 'codCurrency'];

// In the order of the form, in which a country comes before its phone and 'cod' before its amount.
const namesToRead = ['shopOrderId', ...creationFieldNames] as const;

/**
 * Cleans up the values of the form and reads them into a request body. A value that cannot be sent is a
 * problem, which shows it as it was given. The ID of the order in the shop is not sent.
 */
export function readFields(
	given: Values,
	facts: FieldFacts,
): { body: Body & Pick<Order, 'shopOrderId'>; cleaned: Cleaned; problems: Problem[] } {
	const { values, joined: cleaned, problems } = joinNames(given);
	const body: Record<string, unknown> = {};
	const isCountryWrong = (phone: string) =>
		problems.some(({ field }) => field === phone.replace('Phone', 'Country'));
	for (const name of namesToRead) {
		const { kind } = creationFields[name];
		const { clean = trim, read, expected } = kinds[kind];
		const ownCountry = name === 'recPhone' ? facts.phoneCountry : undefined;
		const isCodTerm = COD_TERMS.some((term) => term === name);
		let value = values[name];
		const country = ownCountry ?? body[name.replace('Phone', 'Country')];
		if (!isEmpty(value)) {
			value = clean(value, { ...facts, country });
			// `false` or 0 with an amount may be a forgotten switch, so the order is refused. A payment method
			// that means no is certain, so the amount is ignored.
			const isSwitch = /^\s*(false|0)\s*$/i.test(String(given.cod));
			const isMethod = cleaned.cod?.[1] === false && !isSwitch;
			if (isCodTerm && isMethod) value = undefined;
			if (!Object.is(value, values[name])) cleaned[name] = [given[name], value ?? null];
		}
		if (facts.isFromShop && isCodTerm && body.cod === false) value = undefined;
		if (isEmpty(value)) value = impliedValue(name, given, body);
		if (isEmpty(value)) continue;
		const sent = read(value);
		if (sent !== undefined) body[name] = sent;
		// A phone that only lacks the prefix of a country that could not be read is no problem itself.
		else if (kind !== 'phone' || ownCountry || !isCountryWrong(name) || !isDigits(value)) {
			const problem = problemOf(name, showValue(given[name]), expected);
			problems.push({ ...problem, ...adviceOnValue(kind, value, country) });
		}
	}
	const ofCurrency = currencyProblems(given, body);
	// Shops write 0, and their currency, if nothing is collected. Carriers may refuse both.
	if (!body.cod && body.codPrice === 0) for (const name of COD_TERMS) delete body[name];
	return { body, cleaned, problems: [...problems, ...ofCurrency] };
}

/** Each currency with the amounts that it may be of. The first one that is given counts. */
const AMOUNTS = {
	codCurrency: ['codPrice', 'price'],
	insuranceCurrency: ['insurancePrice'],
} as const;

const amountOf = (field: keyof typeof AMOUNTS, given: Values) =>
	AMOUNTS[field].find((name) => !isEmpty(given[name]));

/** The customer pays the price, and an amount is in the currency written with it, if nothing else is set. */
function impliedValue(name: string, given: Values, body: Values): unknown {
	const { cod, price } = body;
	if (name === 'codPrice') return cod === true ? price : undefined;
	if (name !== 'insuranceCurrency' && (name !== 'codCurrency' || cod !== true)) return undefined;
	const amount = amountOf(name, given);
	return amount && currencyIn(given[amount]);
}

/** A currency that contradicts the one written with its amount, as in "48,50 €". */
function currencyProblems(given: Values, body: Body): Problem[] {
	return (['codCurrency', 'insuranceCurrency'] as const).flatMap((field) => {
		const currency = body[field];
		const amount = amountOf(field, given);
		const written = amount && currencyIn(given[amount]);
		const isUnused = field === 'codCurrency' && !body.cod;
		if (isUnused || !currency || !written || written === currency) return [];
		const found = `${showValue(currency)}, but ${captions[amount]} is ${showValue(given[amount])}`;
		const expected = `${written}, or '${captions[AMOUNTS[field][0]]}' in ${currency}`;
		return [problemOf(field, found, expected, `${captions[field]} is ${found}`)];
	});
}

const isDigits = (value: unknown) => /^\d+$/.test(String(value));

/** What helps with a value that could not be cleaned up, beyond what its field expects. */
function adviceOnValue(kind: FieldKind, value: unknown, country: unknown): Partial<Problem> {
	const { expected } = kinds[kind];
	const shown = showValue(value);
	if (kind === 'codChoice' && typeof value === 'string') {
		return {
			message: `It is not certain whether ${shown} is cash on delivery`,
			expected: `true or false. If ${shown} means cash on delivery, add it to the option 'Cash on Delivery Methods'. Once that has a method, every other one means no`,
		};
	}
	const meanings = kind === 'money' && bothMeanings(value);
	if (meanings) return { expected: `${meanings.join(' or ')}, because ${shown} may be either` };
	if (kind === 'country') return { expected: `${expected}, or the name of the country` };
	if (kind !== 'phone') return {};
	const phone = String(value);
	const plan = /^\+\d+$/.test(phone) && planOf(phone);
	if (plan) {
		const { code, digits } = plan;
		const length = [...new Set(digits)].join(' to ');
		return {
			expected: `a number with ${length} digits after the prefix +${code}, not ${phone.length - 1 - code.length}. Check it in the order, or ask the customer`,
		};
	}
	if (!isDigits(value)) return {};
	const ofCountry = NUMBERING_PLANS[String(country)];
	const code = ofCountry && codeInNumber(phone, ofCountry);
	if (code)
		return {
			expected: `${expected}. It may already begin with the prefix ${code}. If so, add only a plus sign. If not, add +${code}`,
		};
	return {
		expected: `${expected}. The prefix is not certain from the country of the address. Add it to the number, and check the country`,
	};
}

/**
 * Joins first and last names, which shops have in separate fields and the service does not know. If the
 * full name is given, too, it is used, and the parts must be in it.
 */
function joinNames(given: Values): { values: Values; joined: Cleaned; problems: Problem[] } {
	const values: Record<string, unknown> = { ...given };
	const joined: Cleaned = {};
	const problems: Problem[] = [];
	const wordsOf = (text: unknown): string[] => foldText(String(text)).match(/[^\s,]+/g) ?? [];
	for (const prefix of ['rec', 'sender'] as const) {
		const field = `${prefix}Name` as const;
		const full = given[field];
		const parts = ([`${prefix}FirstName`, `${prefix}LastName`] as const).filter(
			(part) => !isEmpty(given[part]),
		);
		if (parts.length === 0) continue;
		const name = parts.map((part) => String(given[part]).trim()).join(' ');
		const unreadable = parts.find((part) => readText(given[part]) === undefined);
		const caption = captions[unreadable ?? field];
		if (unreadable) {
			const { expected } = kinds.text;
			const found = showValue(given[unreadable]);
			// Recipient Name is not missing: it could not be joined.
			problems.push({ field, caption, found, expected, message: `Invalid ${caption}: ${found}` });
			values[field] = undefined;
		} else if (isEmpty(full)) {
			values[field] = name;
			joined[field] = [parts.map((part) => given[part]), name];
		} else if (!wordsOf(name).every((word) => wordsOf(full).includes(word))) {
			const listed = parts.map((part) => `'${captions[part]}'`).join(' and ');
			const found = `${showValue(full)}, but ${listed} ${parts.length > 1 ? 'are' : 'is'} ${showValue(name)}`;
			const expected = `the same name as in ${listed}, or only one of them`;
			problems.push(problemOf(field, found, expected, `${caption} is ${found}`));
			values[field] = undefined;
		}
	}
	return { values, joined, problems };
}
