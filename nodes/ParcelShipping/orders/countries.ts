import { THREE_LETTER_CODES } from './countryCodes';

/** Two-letter codes by lower-case names and three-letter codes, made once when one is looked up. */
let codesByName: Map<string, string> | undefined;

/** The two-letter code of a country, from its name in English or its own language, or another code. */
export function findCountryCode(text: string): string | undefined {
	if (/^[A-Za-z]{2}$/.test(text)) return canonicalCode(text);
	codesByName ??= readNames();
	return codesByName.get(normalize(text));
}

function readNames(): Map<string, string> {
	const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
	const names = new Map<string, string>();
	for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
		if (canonicalCode(code) !== code) continue;
		const english = new Intl.DisplayNames('en', { type: 'region' }).of(code);
		if (english === undefined || english === code) continue;
		const { language } = new Intl.Locale(`und-${code}`).maximize();
		const own = new Intl.DisplayNames([language, 'en'], { type: 'region' }).of(code);
		for (const name of [english, own ?? english]) names.set(normalize(name), code);
	}
	for (const [, three = '', two = ''] of THREE_LETTER_CODES.matchAll(/(\w{3}) (\w{2})/g)) {
		names.set(normalize(three), two);
	}
	return names;
}

/** The codes that are used today, because finding one takes longer than all other checks of an order. */
const canonicalCodes = new Map<string, string>();

/** The code that is used today: GB for UK. */
function canonicalCode(code: string): string {
	const upperCase = code.toUpperCase();
	const known = canonicalCodes.get(upperCase);
	if (known !== undefined) return known;
	const canonical = new Intl.Locale(`und-${upperCase}`).region ?? upperCase;
	canonicalCodes.set(upperCase, canonical);
	return canonical;
}

function normalize(name: string): string {
	return name.trim().toLowerCase();
}

/**
 * Calling codes of Europe and North America, and what national numbers begin with inside the country,
 * as a pattern. In Italy, the leading zero belongs to the number.
 */
const CALLING_CODES: Readonly<Record<string, [code: string, trunk?: string]>> = {
	AD: ['376'],
	AL: ['355', '0'],
	AT: ['43', '0'],
	BA: ['387', '0'],
	BE: ['32', '0'],
	BG: ['359', '0'],
	CA: ['1', '1'],
	CH: ['41', '0'],
	CY: ['357'],
	CZ: ['420'],
	DE: ['49', '0'],
	DK: ['45'],
	EE: ['372'],
	ES: ['34'],
	FI: ['358', '0'],
	FO: ['298'],
	FR: ['33', '0'],
	GB: ['44', '0'],
	GI: ['350'],
	GR: ['30'],
	HR: ['385', '0'],
	HU: ['36', '06'],
	IE: ['353', '0'],
	IS: ['354'],
	IT: ['39'],
	LI: ['423'],
	// 8 until 2025, which is still common. A number has eight more digits.
	LT: ['370', '[08](?=\\d{8}$)'],
	LU: ['352'],
	LV: ['371'],
	MC: ['377'],
	MD: ['373', '0'],
	ME: ['382', '0'],
	MK: ['389', '0'],
	MT: ['356'],
	NL: ['31', '0'],
	NO: ['47'],
	PL: ['48'],
	PT: ['351'],
	RO: ['40', '0'],
	RS: ['381', '0'],
	SE: ['46', '0'],
	SI: ['386', '0'],
	SK: ['421', '0'],
	SM: ['378'],
	TR: ['90', '0'],
	UA: ['380', '0'],
	US: ['1', '1'],
	XK: ['383', '0'],
};

/** Calling codes of countries whose numbers begin with no zero but the one inside the country. */
const WITHOUT_ZERO = new Set(
	Object.values(CALLING_CODES)
		.map(([code]) => code)
		.filter((code) => code !== '39' && code !== '378'),
);

/** From this length on, a number that begins with the calling code may already contain it. */
const MIN_INTERNATIONAL_LENGTH = 10;

/** A national number with the calling code of its country; undefined if that would be a guess. */
export function toInternationalNumber(national: string, country: unknown): string | undefined {
	const entry = CALLING_CODES[String(country ?? '').toUpperCase()];
	return entry && joinNumber(national, ...entry);
}

/** The same with a given prefix, such as +420. */
export function addCallingCode(national: string, prefix: string): string | undefined {
	const code = prefix.slice(1);
	const entry = Object.values(CALLING_CODES).find(([known]) => known === code);
	return joinNumber(national, ...(entry ?? [code]));
}

function joinNumber(national: string, code: string, trunk = ''): string | undefined {
	const significant = national.replace(new RegExp(`^(?:${trunk})`), '');
	const mayContainCode =
		significant === national &&
		national.startsWith(code) &&
		national.length >= MIN_INTERNATIONAL_LENGTH;
	// For example a Slovak number with the Czech prefix.
	const isOfAnotherCountry = significant.startsWith('0') && WITHOUT_ZERO.has(code);
	return mayContainCode || isOfAnotherCountry ? undefined : `+${code}${significant}`;
}
