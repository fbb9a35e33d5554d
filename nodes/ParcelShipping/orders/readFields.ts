import type { ShipmentCreation } from '../transport/endpoints';
import { captions, mappedFields, type MappedFieldName, sentFieldNames } from './fields';
import { type Cleaned, invalid, type Order, type Problem, problemOf, showValue } from './order';
import { phoneInsteadOf } from './phone';
import { bothMeanings, currencyIn, isAmount, isEmpty, kinds, trim } from './values';

/** What is sent for an order, as far as it could be read. */
export type Body = Partial<ShipmentCreation>;

/** The values of fields, by the service's own field names. */
export type Values = Readonly<Record<string, unknown>>;

interface FieldFacts {
	codMethods: string;
	timezone: string;
	/** The amount says alone whether the recipient pays on delivery: more than 0 is collected, and nothing else. */
	amountDecides: boolean;
	/** The country of the address that the phone is from, if that is not the delivery address. */
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
	const body: Record<string, unknown> = {};
	const cleaned: Cleaned = {};
	const problems: Problem[] = [];
	for (const name of namesToRead) {
		if (name === 'cod' && facts.amountDecides) continue;
		// A shop has an amount and a currency for paid orders as well.
		const isForCollected = name === 'codPrice' || name === 'codCurrency';
		const isAmountToRead = name === 'codPrice' && facts.amountDecides;
		if (isForCollected && !isAmountToRead && body.cod !== true) continue;
		const { kind } = mappedFields[name];
		const { clean = trim, read } = kinds[kind];
		const countryField = kind === 'phone' ? name.replace('Phone', 'Country') : '';
		const ownCountry = name === 'recPhone' ? facts.phoneCountry : undefined;
		const country = ownCountry ?? body[countryField];
		const ofField = { ...facts, country };
		let value = given[name];
		if (!isEmpty(value)) {
			value = clean(value, ofField);
			if (!Object.is(value, given[name])) cleaned[name] = [given[name], value];
		}
		if (isEmpty(value)) value = impliedValue(name, given, body);
		const sent = isEmpty(value) ? undefined : read(value, ofField);
		if (sent !== undefined) body[name] = sent;
		else if (!isEmpty(value)) {
			// A phone that only lacks the prefix of a country that could not be read is no problem itself.
			const isCountryWrong = problems.some(({ field }) => field === countryField);
			const onlyLacksPrefix = !ownCountry && isCountryWrong && /^\d+$/.test(String(value));
			if (!onlyLacksPrefix) problems.push(problemOfValue(name, given[name], value, country));
			continue;
		}
		if (isAmountToRead) body.cod = Number(body.codPrice ?? 0) > 0;
		if (isAmountToRead && !body.cod) delete body.codPrice;
	}
	return { body, cleaned, problems: [...problems, ...currencyProblems(given, body)] };
}

/** Each currency with the amounts that it may be of. The first one that is given counts. */
const AMOUNTS = {
	codCurrency: ['codPrice', 'price'],
	insuranceCurrency: ['insurancePrice'],
} as const;

const amountOf = (field: keyof typeof AMOUNTS, given: Values) =>
	AMOUNTS[field].find((name) => !isEmpty(given[name]));

/** The customer pays the price, and an amount is in the currency written with it, if nothing else is set. */
function impliedValue(name: string, given: Values, { cod, price }: Values): unknown {
	if (name === 'codPrice') return cod === true ? price : undefined;
	if (name !== 'insuranceCurrency' && name !== 'codCurrency') return undefined;
	const amount = amountOf(name, given);
	return amount && currencyIn(given[amount]);
}

/** A currency that contradicts the one written with its amount, as in "48,50 €". */
function currencyProblems(given: Values, body: Body): Problem[] {
	return (['codCurrency', 'insuranceCurrency'] as const).flatMap((field) => {
		const currency = body[field];
		const amount = amountOf(field, given);
		const written = amount && currencyIn(given[amount]);
		if (!currency || !written || written === currency) return [];
		const message = `${captions[field]} is ${showValue(currency)}, but ${captions[amount]} is ${showValue(given[amount])}`;
		const expected = `${written}, or '${captions[AMOUNTS[field][0]]}' in ${currency}`;
		return [problemOf(field, message, expected)];
	});
}

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
	if (kind === 'codChoice' && isAmount(cleaned)) {
		const advice = `true or false. Map an amount to '${captions.codPrice}' instead, which decides alone`;
		return problemOf(name, `${captions.cod} is an amount: ${shown}`, advice);
	}
	if (kind === 'codChoice' && typeof cleaned === 'string') {
		const message = `It is not certain whether ${shown} is cash on delivery`;
		const advice = `true or false. If ${shown} means cash on delivery, add it to the option 'Cash on Delivery Methods'. Once that has a method, every other one means no`;
		return problemOf(name, message, advice);
	}
	const meanings = kind === 'money' && bothMeanings(cleaned);
	if (meanings) {
		return invalid(name, given, `${meanings.join(' or ')}, because ${shown} may be either`);
	}
	return invalid(name, given, kind === 'phone' ? phoneInsteadOf(cleaned, country) : expected);
}
