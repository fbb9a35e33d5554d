import { foldText } from '../lists';
import { countryCodes } from './countryCodes.generated';

/**
 * The languages of shops, and the other official languages of the countries of which phone numbers are known (Unicode
 * CLDR, `territoryInfo.json`). `Intl` only knows the most common language of a country.
 */
const LANGUAGES = [
	...['cs', 'sk', 'pl', 'de', 'hu', 'sl', 'hr', 'ro', 'it', 'fr', 'en'],
	...['bs-Cyrl', 'ga', 'gsw', 'lb', 'nn', 'ru', 'sr', 'sr-Latn', 'sv', 'tr'],
];

/** Names and codes that are common in shops, although `Intl` or the standard has another one. */
const COUNTRY_ALIASES: Readonly<Record<string, string>> = {
	'Bosnia and Herzegovina': 'BA',
	'Czech Republic': 'CZ',
	'Česká republika': 'CZ',
	'Great Britain': 'GB',
	Holland: 'NL',
	'The Netherlands': 'NL',
	'Slovak Republic': 'SK',
	'Slovenská republika': 'SK',
	Turkey: 'TR',
	UK: 'GB',
	'United States of America': 'US',
};

const twoLetterCodes = new Set(Object.values(countryCodes));

/** Two-letter codes by names without case and accents, made once when one is looked up. */
let codesByName: Map<string, string> | undefined;

/**
 * The two-letter code of a country, from its name in one of its own languages or one of the usual shops, or
 * from another code. A code of no country today, or of several, is none.
 */
export function findCountryCode(text: string): string | undefined {
	const code = text.trim().toUpperCase();
	if (twoLetterCodes.has(code)) return code;
	return countryCodes[code] ?? (codesByName ??= readNames()).get(foldText(text));
}

function readNames(): Map<string, string> {
	const names = new Map<string, string>();
	const addNames = (language: string, codes: Iterable<string>) => {
		const inLanguage = new Intl.DisplayNames([language, 'en'], { type: 'region' });
		for (const code of codes) names.set(foldText(inLanguage.of(code) ?? code), code);
	};
	for (const code of twoLetterCodes)
		addNames(new Intl.Locale(`und-${code}`).maximize().language, [code]);
	for (const language of LANGUAGES) addNames(language, twoLetterCodes);
	for (const [name, code] of Object.entries(COUNTRY_ALIASES)) names.set(foldText(name), code);
	return names;
}
