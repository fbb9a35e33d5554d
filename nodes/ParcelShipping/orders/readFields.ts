import { foldText } from '../lists';
import type { ShipmentCreation } from '../transport/contract';
import { COD_TERMS, mayBeForgotten } from './cashOnDelivery';
import { captions, sentFieldNames, mappedFields, type MappedFieldName } from './fields';
import type { CreationOptions } from './creationOptions';
import { bothMeanings, currencyIn, kinds } from './kinds';
import { type Cleaned, invalid, type Order, type Problem, problemOf, showValue } from './order';
import { phoneInsteadOf } from './phone';
import { isEmpty, readText, trim } from './values';

/** What is sent for an order, as far as it could be read. */
export type Body = Partial<ShipmentCreation>;

/** The values of fields, by the service's own field names. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * With an order of a shop (`isFromShop`), amount and currency are left out if nothing is collected.
 * `phoneCountry` is the country of the address that the phone is from, if that is not the delivery address.
 */
interface FieldFacts extends Pick<CreationOptions, 'codMethods' | 'timezone'> {
	isFromShop?: boolean;
	phoneCountry?: string | undefined;
}

// In the order of the form, in which a country comes before its phone and 'cod' before its amount.
const namesToRead = ['shopOrderId', ...sentFieldNames] as const;

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
	const isNotCollected = () =>
		body.cod === false && (facts.isFromShop || !mayBeForgotten(given.cod, facts.codMethods));
	for (const name of namesToRead) {
		if (isCodTerm(name) && isNotCollected()) {
			// A shop has an amount for paid orders as well.
			if (!facts.isFromShop && !isEmpty(given[name])) cleaned[name] = [given[name], null];
			continue;
		}
		const { kind } = mappedFields[name];
		const { clean = trim, read } = kinds[kind];
		const countryField = kind === 'phone' ? name.replace('Phone', 'Country') : '';
		const ownCountry = name === 'recPhone' ? facts.phoneCountry : undefined;
		const country = ownCountry ?? body[countryField];
		const ofField = { ...facts, country };
		let value = values[name];
		if (!isEmpty(value)) {
			value = clean(value, ofField);
			if (!Object.is(value, values[name])) cleaned[name] = [given[name], value];
		}
		if (isEmpty(value)) value = impliedValue(name, given, body);
		if (isEmpty(value)) continue;
		const sent = read(value, ofField);
		// A phone that only lacks the prefix of a country that could not be read is no problem itself.
		const isCountryWrong = problems.some(({ field }) => field === countryField);
		const onlyLacksPrefix = !ownCountry && isCountryWrong && isDigits(value);
		if (sent !== undefined) body[name] = sent;
		else if (!onlyLacksPrefix) problems.push(problemOfValue(name, given[name], value, country));
	}
	const ofCurrency = currencyProblems(given, body);
	// Shops write 0 or nothing, and their currency, if nothing is collected. Carriers may refuse both.
	const hasNoAmount = body.codPrice === 0 || (body.cod === false && body.codPrice === undefined);
	if (!body.cod && hasNoAmount) for (const name of COD_TERMS) delete body[name];
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
		const message = `${captions[field]} is ${showValue(currency)}, but ${captions[amount]} is ${showValue(given[amount])}`;
		const expected = `${written}, or '${captions[AMOUNTS[field][0]]}' in ${currency}`;
		return [problemOf(field, message, expected)];
	});
}

const isCodTerm = (name: string) => COD_TERMS.some((term) => term === name);

const isDigits = (value: unknown) => /^\d+$/.test(String(value));

/** A value that could not be cleaned up, with what helps beyond what its field expects. */
function problemOfValue(
	name: MappedFieldName,
	given: unknown,
	cleaned: unknown,
	country: unknown,
): Problem {
	const { kind } = mappedFields[name];
	const { expected } = kinds[kind];
	const shown = showValue(cleaned);
	if (kind === 'codChoice' && typeof cleaned === 'string') {
		const message = `It is not certain whether ${shown} is cash on delivery`;
		const advice = `true or false. If ${shown} means cash on delivery, add it to the option 'Cash on Delivery Methods'. Once that has a method, every other one means no`;
		return problemOf(name, message, advice);
	}
	const meanings = kind === 'money' && bothMeanings(cleaned);
	if (meanings) {
		return invalid(name, given, `${meanings.join(' or ')}, because ${shown} may be either`);
	}
	if (kind === 'country') return invalid(name, given, `${expected}, or the name of the country`);
	return invalid(name, given, kind === 'phone' ? phoneInsteadOf(cleaned, country) : expected);
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
		if (unreadable) {
			// Recipient Name is not missing: it could not be joined.
			problems.push({ ...invalid(unreadable, given[unreadable], kinds.text.expected), field });
			values[field] = undefined;
		} else if (isEmpty(full)) {
			values[field] = name;
			joined[field] = [parts.map((part) => given[part]), name];
		} else if (!wordsOf(name).every((word) => wordsOf(full).includes(word))) {
			const listed = parts.map((part) => `'${captions[part]}'`).join(' and ');
			const message = `${captions[field]} is ${showValue(full)}, but ${listed} ${parts.length > 1 ? 'are' : 'is'} ${showValue(name)}`;
			problems.push(
				problemOf(field, message, `the same name as in ${listed}, or only one of them`),
			);
			values[field] = undefined;
		}
	}
	return { values, joined, problems };
}
