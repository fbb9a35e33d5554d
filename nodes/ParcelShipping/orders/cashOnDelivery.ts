import { foldText } from '../lists';
import type { CreationOptions } from './form';
import { cleanYesNo, isEmpty, trim } from './values';

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
	// With numbers in the list, 1 and 0 are methods as well.
	const text = trim(typeof value === 'number' ? String(value) : value);
	if (isWholeNumber(text) && codMethods.split(',').some(isWholeNumber))
		return isCashOnDeliveryMethod(text, codMethods);
	const choice = cleanYesNo(value);
	if (typeof value !== 'string' || typeof choice !== 'string') return choice;
	if (isCashOnDeliveryMethod(value, codMethods)) return true;
	return !isEmpty(value) && codMethods.replace(/[\s,_-]/g, '') !== '' ? false : value.trim();
}

const isWholeNumber = (value: unknown) => /^\s*\d+\s*$/.test(String(value));

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
 * Whether an amount or its currency is ignored, because a payment method, or the shop, means that nothing is collected.
 * `false` or 0 may be a forgotten switch, so that the order is refused if it has an amount.
 */
export function isNotCollected(
	field: string,
	givenCod: unknown,
	{ cod, isFromShop }: { cod: unknown; isFromShop: boolean | undefined },
): boolean {
	if (cod !== false || !COD_TERMS.some((term) => term === field)) return false;
	return isFromShop === true || !/^\s*(false|0)\s*$/i.test(String(givenCod));
}
