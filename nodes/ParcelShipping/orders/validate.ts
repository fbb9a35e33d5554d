import { COD_TERMS } from './cashOnDelivery';
import { captions, type SentFieldName, mappedFields, requiredFieldNames } from './fields';
import { kinds } from './kinds';
import { invalid, type Problem, problemOf } from './order';
import type { Body } from './readFields';

/** Without a pickup point, no shipment can be delivered without these. */
const DELIVERY_ADDRESS: readonly SentFieldName[] = ['recStreet', 'recCity', 'recZip', 'recCountry'];

/**
 * The problems of an order regardless of the service. A field whose value was refused already, in
 * `refused`, is not missing. The service requires a recipient address and leaves the details to the
 * carriers. So only what no delivery can do without is required here, and the carrier refuses the rest.
 */
export function validateOrder(body: Body, refused: ReadonlySet<string>): Problem[] {
	// Without an amount of its own, cash on delivery is that of the price.
	const isRefused = (name: SentFieldName) =>
		refused.has(name) || (name === 'codPrice' && refused.has('price'));
	const lacks = (name: SentFieldName) => body[name] === undefined && !isRefused(name);
	const needed: SentFieldName[] = [
		...requiredFieldNames,
		...(lacks('recCompany') ? ['recName' as const] : []),
		...(lacks('branchId') ? DELIVERY_ADDRESS : []),
		...(body.cod ? COD_TERMS : []),
	];
	const missing = needed.filter(lacks).map((name): Problem => {
		const { kind, description, example } = mappedFields[name];
		const meaning = `${description.charAt(0).toLowerCase()}${description.slice(1)}`;
		// Only the field itself can say which text is expected.
		let expected = kind === 'text' ? `the ${meaning}, e.g. ${example}` : kinds[kind].expected;
		if (name === 'recName')
			expected = `the ${meaning}, or 'Recipient First Name' and 'Recipient Last Name', or 'Recipient Company'`;
		return invalid(name, undefined, expected);
	});
	if (body.cod) {
		// May be a wrong mapping, with which the order would ship for free.
		if (body.codPrice !== 0) return missing;
		const expected = `more than 0, or '${captions.cod}' set to false if the order is paid`;
		return [...missing, problemOf('codPrice', `${captions.codPrice} is 0`, expected)];
	}
	if (!body.codPrice || refused.has('cod')) return missing;
	const state = body.cod === undefined ? 'not set' : 'off';
	const message = `${captions.cod} is ${state}, although '${captions.codPrice}' is set`;
	return [...missing, problemOf('cod', message, `true, or '${captions.codPrice}' left empty`)];
}
