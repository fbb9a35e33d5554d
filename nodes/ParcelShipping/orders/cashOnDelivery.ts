import { foldText } from '../lists';
import type { CreationOptions } from './creationOptions';
import { cleanYesNo, isEmpty } from './values';

const foldMethods = (text: string) => foldText(text).replace(/[\s_-]/g, '');

/** The usual names of cash on delivery. */
const CASH_ON_DELIVERY = foldMethods(
	'COD, Cash on Delivery, Dobirka, Dobierka, Nachnahme, Za pobraniem, Utanvet',
);

/**
 * Rewrites a text that means cash on delivery or not. Any other payment method means no only if the
 * user has listed the ones that mean yes: a shipment that should be paid on delivery and is not costs
 * the shop the whole order.
 */
export function cleanPaymentMethod(
	value: unknown,
	{ codMethods }: Pick<CreationOptions, 'codMethods'>,
): unknown {
	if (isNumberOfMethod(value, codMethods)) return isCashOnDeliveryMethod(String(value), codMethods);
	const choice = cleanYesNo(value);
	if (typeof value !== 'string' || typeof choice !== 'string') return choice;
	if (isCashOnDeliveryMethod(value, codMethods)) return true;
	return !isEmpty(value) && codMethods.replace(/[\s,_-]/g, '') !== '' ? false : value.trim();
}

const isWholeNumber = (value: unknown) => /^\s*\d+\s*$/.test(String(value));

/** With numbers in the list, each number is a method, also 1 and 0. */
const isNumberOfMethod = (value: unknown, codMethods: string) =>
	isWholeNumber(value) && codMethods.split(',').some(isWholeNumber);

/** Whether the user has listed the payment method as cash on delivery, or it is one of the usual names. */
export function isCashOnDeliveryMethod(value: unknown, codMethods: string): boolean {
	if (typeof value !== 'string' || isEmpty(value)) return false;
	const method = foldMethods(value);
	// A dash is no method. A method may contain commas itself.
	if (method === '') return false;
	return `,${CASH_ON_DELIVERY},${foldMethods(codMethods)},`.includes(`,${method},`);
}

/** What is only sent with cash on delivery. */
export const COD_TERMS = ['codPrice', 'codCurrency'] as const;

/**
 * Whether a value that means no may be a switch that nobody has turned on, so that the order is refused if it has an
 * amount. Not a text such as "no" or "0", which a list has for each order that is paid.
 */
export function mayBeForgotten(cod: unknown, codMethods: string): boolean {
	return cod === 0 ? !isNumberOfMethod(cod, codMethods) : /^\s*false\s*$/i.test(String(cod));
}
