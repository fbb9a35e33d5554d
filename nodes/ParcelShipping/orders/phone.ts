import { type NumberingPlan, numberingPlans } from './numberingPlans.generated';

const plans = Object.values(numberingPlans);

/** The numbering plan of a number with its plus sign and prefix. No calling code begins with another one. */
const planOf = (phone: string) => plans.find(({ code }) => phone.startsWith(code, 1));

const hasLengthOf = ({ digits: [min, max] }: NumberingPlan, { length }: string) =>
	length >= min && length <= max;

/** A number that can be called from anywhere, if it has as many digits as numbers of its country. */
export function readPhone(text: string): string | undefined {
	const phone = /^\+[1-9]\d{5,14}$/.exec(text)?.[0];
	const plan = phone && planOf(phone);
	if (!plan) return phone;
	const national = phone.slice(plan.code.length + 1);
	// Two zeros come from a number such as +39 (0) 02 1234: in Italy, the zero belongs to the number.
	return hasLengthOf(plan, national) && !national.startsWith('00') ? phone : undefined;
}

/** The slash of 0171/1234567. One after more digits may be between two numbers, or before an extension. */
const AFTER_AREA_CODE = /^((?:(?:\+|00)\d{2})?(?:[\s().-]*\d){1,5}[\s)]*)\/(?=(?:[\s-]*\d){5})/;

/** A number of an order of a shop, with the country of the address that it is from. */
const WITH_COUNTRY = /^(.*) \(([A-Z]{2})\)$/;

/** Removes only what people put between digits, and adds the prefix to a national number. */
export function cleanPhone(given: string, countryOfField: unknown): string {
	const [, text = given, country = countryOfField] = WITH_COUNTRY.exec(given) ?? [];
	const number = text.replace(AFTER_AREA_CODE, '$1 ');
	// With the invisible marks that are copied from a contact.
	if (!/^[+\d\s().\p{Pd}\p{Cf}]+$/u.test(number)) return given;
	const digits = number.replace(/[^+\d]/g, '').replace(/^00/, '+');
	if (!digits.startsWith('+')) return toInternationalNumber(digits, country) ?? digits;
	const plan = planOf(digits);
	return plan ? `+${plan.code}${withoutTrunk(digits.slice(plan.code.length + 1), plan)}` : digits;
}

/** Without what is only dialed inside the country, such as the zero of +49 0151. */
const withoutTrunk = (national: string, { trunk = '' }: NumberingPlan) =>
	national.replace(new RegExp(`^(?:${trunk})`), '');

/** A national number with its calling code; undefined if that would be a guess. */
function toInternationalNumber(digits: string, country: unknown): string | undefined {
	const plan = numberingPlans[String(country)];
	if (!plan) return undefined;
	const { code, start = '' } = plan;
	const canBegin = (national: string) => new RegExp(`^(?:${start})`).test(national);
	const national = withoutTrunk(digits, plan);
	// For example a Slovak number with the Czech prefix.
	const isOfAnotherCountry = hasLengthOf(plan, national) && !canBegin(national);
	const rest = digits.slice(code.length);
	const mayHaveCode =
		digits === national && digits.startsWith(code) && hasLengthOf(plan, rest) && canBegin(rest);
	// In Italy and San Marino, the zero belongs to the number.
	const hasForeignTrunk = national.startsWith('0') && !['39', '378'].includes(code);
	return hasForeignTrunk || isOfAnotherCountry || mayHaveCode ? undefined : `+${code}${national}`;
}

const A_PHONE = 'one phone number with its calling code, e.g. +420777123456';

/** What is expected instead of a number that was refused, or of none. */
export function phoneInsteadOf(value: unknown, country?: unknown): string {
	const phone = cleanPhone(String(value ?? '').trim(), country);
	if (/^\d+$/.test(phone))
		return `${A_PHONE}. The calling code is not clear from the country of the address. Add it, or only the plus sign if the number already begins with it`;
	const plan = planOf(phone);
	const count = phone.length - 1 - (plan?.code.length ?? 0);
	if (!plan || !/^\+\d+$/.test(phone) || hasLengthOf(plan, phone.slice(-count))) return A_PHONE;
	const length = [...new Set(plan.digits)].join(' to ');
	return `a number with ${length} digits after the calling code +${plan.code}, not ${count}. Check it in the order, or ask the customer`;
}
