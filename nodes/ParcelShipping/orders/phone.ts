interface NumberingPlan {
	code: string;
	/** The smallest and the largest number of digits after the calling code. */
	digits: readonly [min: number, max: number];
	/** What numbers begin with inside the country, as a pattern. In Italy, the zero belongs to the number. */
	trunk?: string;
	/**
	 * What fixed and mobile numbers begin with after the trunk, as a pattern, where those of a neighbor are
	 * as long: a Slovak 905 123 456 would become a Czech number. In Italy, 39 also begins mobile numbers.
	 * Checked if the calling code is missing.
	 */
	start?: string;
}

/**
 * Numbering plans of Europe and North America. The numbers of digits are those of mobile and fixed lines
 * in Google's libphonenumber (`PhoneNumberMetadata.xml`, from the plans published by the ITU), without
 * service numbers and machines.
 */
export const NUMBERING_PLANS: Readonly<Record<string, NumberingPlan>> = {
	AD: { code: '376', digits: [6, 9] },
	AL: { code: '355', digits: [8, 9], trunk: '0' },
	AT: { code: '43', digits: [4, 13], trunk: '0' },
	BA: { code: '387', digits: [8, 9], trunk: '0' },
	BE: { code: '32', digits: [8, 9], trunk: '0' },
	BG: { code: '359', digits: [6, 9], trunk: '0' },
	CA: { code: '1', digits: [10, 10], trunk: '1' },
	CH: { code: '41', digits: [9, 9], trunk: '0' },
	CY: { code: '357', digits: [8, 8] },
	CZ: { code: '420', digits: [9, 9], start: '[2-7]' },
	DE: { code: '49', digits: [5, 13], trunk: '0' },
	DK: { code: '45', digits: [8, 8] },
	EE: { code: '372', digits: [7, 8] },
	ES: { code: '34', digits: [9, 9] },
	FI: { code: '358', digits: [5, 10], trunk: '0' },
	FO: { code: '298', digits: [6, 6] },
	FR: { code: '33', digits: [9, 9], trunk: '0' },
	GB: { code: '44', digits: [9, 10], trunk: '0' },
	GI: { code: '350', digits: [8, 8] },
	GR: { code: '30', digits: [10, 10] },
	HR: { code: '385', digits: [8, 9], trunk: '0' },
	HU: { code: '36', digits: [8, 9], trunk: '06' },
	IE: { code: '353', digits: [7, 10], trunk: '0' },
	IS: { code: '354', digits: [7, 9] },
	IT: { code: '39', digits: [6, 12], start: '0|3\\d{8}' },
	LI: { code: '423', digits: [7, 9], trunk: '0' },
	// 8 until 2025, which is still common. A number has eight more digits.
	LT: { code: '370', digits: [8, 8], trunk: '[08](?=\\d{8}$)' },
	LU: { code: '352', digits: [4, 11] },
	LV: { code: '371', digits: [8, 8] },
	MC: { code: '377', digits: [8, 9], trunk: '0' },
	MD: { code: '373', digits: [8, 8], trunk: '0' },
	ME: { code: '382', digits: [8, 8], trunk: '0' },
	MK: { code: '389', digits: [8, 8], trunk: '0' },
	MT: { code: '356', digits: [8, 8] },
	NL: { code: '31', digits: [9, 9], trunk: '0' },
	NO: { code: '47', digits: [8, 8] },
	PL: { code: '48', digits: [9, 9] },
	PT: { code: '351', digits: [9, 9] },
	RO: { code: '40', digits: [9, 9], trunk: '0' },
	RS: { code: '381', digits: [7, 12], trunk: '0' },
	SE: { code: '46', digits: [7, 9], trunk: '0' },
	SI: { code: '386', digits: [8, 8], trunk: '0' },
	SK: { code: '421', digits: [9, 9], trunk: '0', start: '[2-59]' },
	SM: { code: '378', digits: [8, 10] },
	TR: { code: '90', digits: [10, 10], trunk: '0' },
	UA: { code: '380', digits: [9, 9], trunk: '0' },
	US: { code: '1', digits: [10, 10], trunk: '1' },
	XK: { code: '383', digits: [8, 12], trunk: '0' },
};

const plans = Object.values(NUMBERING_PLANS);

/** The numbering plan of a number with its plus sign and prefix. No calling code begins with another one. */
const planOf = (phone: string) => plans.find(({ code }) => phone.startsWith(code, 1));

/** What a phone field accepts. */
export const A_PHONE = 'one phone number with its country prefix, e.g. +420777123456';

export function readPhone(text: string): string | undefined {
	const phone = /^\+[1-9]\d{5,14}$/.exec(text)?.[0];
	const plan = phone && planOf(phone);
	return plan && !hasLengthOf(plan, phone.slice(plan.code.length + 1)) ? undefined : phone;
}

const hasLengthOf = ({ digits: [min, max] }: NumberingPlan, { length }: string) =>
	length >= min && length <= max;

/** The slash of 0171/1234567. One after more digits may be between two numbers, or before an extension. */
const AFTER_AREA_CODE = /^((?:(?:\+|00)\d{2})?(?:[\s().-]*\d){1,5}[\s)]*)\/(?=(?:[\s-]*\d){5})/;

/** In Italy and San Marino, the zero belongs to the number. */
const keepsZero = (plan?: NumberingPlan) => ['39', '378'].includes(plan?.code ?? '');

/** Removes only what people put between digits, and adds the prefix to a national number. */
export function cleanPhone(text: string, country: unknown): string {
	const number = text.replace(AFTER_AREA_CODE, '$1 ');
	// With the invisible marks that are copied from a contact.
	if (!/^[+\d\s().\p{Pd}\p{Cf}]+$/u.test(number)) return text;
	const join = (parts: string) => parts.replace(/[^+\d]/g, '').replace(/^00/, '+');
	const whole = join(number);
	const isInternational = whole.startsWith('+');
	const plan = isInternational ? planOf(whole) : NUMBERING_PLANS[String(country)];
	// For example +39 (0) 02 1234 5678: which zero counts is unclear.
	if (plan && keepsZero(plan) && /^0{2}/.test(whole.replace(`+${plan.code}`, ''))) return text;
	const phone = keepsZero(plan) ? whole : join(number.replace('(0)', ''));
	if (!isInternational) return toInternationalNumber(phone, plan) ?? phone;
	return plan ? `+${plan.code}${withoutTrunk(phone.slice(plan.code.length + 1), plan)}` : phone;
}

/** Without what is only dialed inside the country, such as the zero of +49 0151. */
const withoutTrunk = (national: string, { trunk = '' }: NumberingPlan) =>
	national.replace(new RegExp(`^(?:${trunk})`), '');

const hasStart = ({ start = '' }: NumberingPlan, digits: string) =>
	new RegExp(`^(?:${start})`).test(digits);

/** The calling code, if a number without a plus sign may already begin with it. */
function codeInNumber(national: string, plan: NumberingPlan): string | undefined {
	const rest = national.slice(plan.code.length);
	const mayContainCode =
		withoutTrunk(national, plan) === national &&
		national.startsWith(plan.code) &&
		hasLengthOf(plan, rest) &&
		hasStart(plan, rest);
	return mayContainCode ? plan.code : undefined;
}

/** A national number with its calling code; undefined if that would be a guess. */
function toInternationalNumber(national: string, plan: NumberingPlan | undefined) {
	if (!plan) return undefined;
	const significant = withoutTrunk(national, plan);
	// For example a Slovak number with the Czech prefix.
	const isOfAnotherCountry =
		(significant.startsWith('0') && !keepsZero(plan)) ||
		(hasLengthOf(plan, significant) && !hasStart(plan, significant));
	const isGuess = isOfAnotherCountry || codeInNumber(national, plan) !== undefined;
	return isGuess ? undefined : `+${plan.code}${significant}`;
}

/** What is expected instead of a number that was refused after it was cleaned up. */
export function phoneInsteadOf(value: unknown, country: unknown): string {
	const phone = String(value);
	const plan = /^\+\d+$/.test(phone) && planOf(phone);
	if (plan) {
		const { code, digits } = plan;
		const length = [...new Set(digits)].join(' to ');
		return `a number with ${length} digits after the prefix +${code}, not ${phone.length - 1 - code.length}. Check it in the order, or ask the customer`;
	}
	if (!/^\d+$/.test(phone)) return A_PHONE;
	const ofCountry = NUMBERING_PLANS[String(country)];
	const code = ofCountry && codeInNumber(phone, ofCountry);
	return code
		? `${A_PHONE}. It may already begin with the prefix ${code}. If so, add only a plus sign. If not, add +${code}`
		: `${A_PHONE}. The prefix is not certain from the country of the address. Add it to the number, and check the country`;
}
