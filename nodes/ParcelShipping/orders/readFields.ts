import type { ShipmentCreation } from '../transport/contract';
import { captions, type MappedFieldName, mappedFieldNames, mappedFields } from './fields';
import { invalid, type Order, type Problem, problemOf, showValue } from './order';
import { currencyIn, isEmpty, kinds } from './values';

/** What is sent for an order, as far as it could be read. */
export type Body = Partial<ShipmentCreation>;

/** The values of fields, by the provider's own field names. */
export type Values = Readonly<Record<string, unknown>>;

/** What a shop has for paid orders as well, and what is only sent for those that are collected. */
const OF_CASH_ON_DELIVERY: readonly MappedFieldName[] = ['codPrice', 'codCurrency'];

/**
 * Reads the values of the form into a request body, in the order of the form: a country comes before its phone, and 'cod'
 * before its amount. A value that cannot be sent is a problem, which shows it as it was given.
 */
export function readFields(
	given: Values,
	facts: { codMethods: string; timezone: string },
): { body: Body & Pick<Order, 'shopOrderId'>; problems: Problem[] } {
	const body: Record<string, unknown> = {};
	const problems: Problem[] = [];
	const isRefused = (name: string) => problems.some(({ field }) => field === name);
	for (const name of mappedFieldNames) {
		if (OF_CASH_ON_DELIVERY.includes(name) && body.cod !== true) continue;
		const value = isEmpty(given[name]) ? impliedValue(name, given, body) : given[name];
		const { kind } = mappedFields[name];
		// Customers write a dash where a shop asks for a phone.
		if (isEmpty(value) || (kind === 'phone' && value === '-')) continue;
		const countryField = kind === 'phone' ? name.replace('Phone', 'Country') : '';
		const country = body[countryField];
		const sent = kinds[kind].read(value, { ...facts, country });
		// A phone that only lacks the prefix of a country that could not be read is no problem itself.
		const onlyLacksPrefix = isRefused(countryField) && /^[\d ]+$/.test(String(value));
		if (sent !== undefined) body[name] = sent;
		else if (!onlyLacksPrefix)
			problems.push(invalid(name, value, kinds[kind].expected(value, country)));
	}
	return { body, problems: [...problems, ...currencyProblems(given, body)] };
}

/** Each currency with the amounts that it may be of. The first one that is given counts. */
const AMOUNTS = {
	codCurrency: ['codPrice', 'price'],
	insuranceCurrency: ['insurancePrice'],
} as const;

const amountOf = (field: keyof typeof AMOUNTS, given: Values) =>
	AMOUNTS[field].find((name) => !isEmpty(given[name]));

/** The customer pays the price, and an amount is in the currency written with it, if nothing else is set. */
function impliedValue(name: MappedFieldName, given: Values, { price }: Values): unknown {
	if (name === 'codPrice') return price;
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
