import type { ShipmentCreation } from '../transport/endpoints';
import { captions, type MappedFieldName, mappedFieldNames, mappedFields } from './fields';
import { invalid, type Order, type Problem, problemOf, showValue } from './order';
import { currencyIn, isEmpty, kinds, type ValueFacts } from './values';

/** What is sent for an order, as far as it could be read. */
export type Body = Partial<ShipmentCreation>;

/** The values of fields, by the provider's own field names. */
export type Values = Readonly<Record<string, unknown>>;

/** What a shop has for paid orders as well, and what is only sent for those that are collected. */
const OF_CASH_ON_DELIVERY: readonly MappedFieldName[] = ['codPrice', 'codCurrency'];

/**
 * Reads the values of the form into a request body, in the order of the form: a country comes before its phone, 'cod' before
 * its amount, and an amount before its currency. A value that cannot be sent is a problem, which shows it as it was given.
 */
export function readFields(
	given: Values,
	facts: ValueFacts,
): { body: Body & Pick<Order, 'shopOrderId'>; problems: Problem[] } {
	const body: Record<string, unknown> = {};
	const problems: Problem[] = [];
	for (const name of mappedFieldNames) {
		if (OF_CASH_ON_DELIVERY.includes(name) && body.cod !== true) continue;
		const { kind } = mappedFields[name];
		// The customer pays the value of the shipment if nothing else is set.
		const toCollect = isEmpty(given.codPrice) ? 'price' : 'codPrice';
		const ofCurrency = name === 'insuranceCurrency' ? 'insurancePrice' : toCollect;
		const amount = kind === 'currency' ? ofCurrency : undefined;
		const written = amount && currencyIn(given[amount]);
		const implied = name === 'codPrice' ? body.price : written;
		const value = isEmpty(given[name]) ? implied : given[name];
		// Customers write a dash where a shop asks for a phone.
		if (isEmpty(value) || (kind === 'phone' && value === '-')) continue;
		const country = body[name.replace('Phone', 'Country')];
		const sent = kinds[kind].read(value, { ...facts, country });
		if (sent !== undefined) body[name] = sent;
		else problems.push(invalid(name, value, kinds[kind].expected(value, country)));
		if (amount === undefined || !written || !sent || written === sent) continue;
		// For example "48,50 €" in CZK.
		const message = `${captions[name]} is ${showValue(sent)}, but ${captions[amount]} is ${showValue(given[amount])}`;
		problems.push(problemOf(name, message, `${written}, or an amount in ${showValue(sent)}`));
	}
	return { body, problems };
}
