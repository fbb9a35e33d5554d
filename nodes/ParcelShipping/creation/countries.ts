/** Names and codes of countries by their lower-case names, made once when a name is looked up. */
let codesByName: Map<string, string> | undefined;

/** The two-letter code of a country, from its name in English or in its own language. */
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
	return names;
}

/** The code that is used today: GB for UK. */
function canonicalCode(code: string): string {
	return new Intl.Locale(`und-${code}`).region ?? code.toUpperCase();
}

function normalize(name: string): string {
	return name.trim().toLowerCase();
}

/** Calling codes of Europe and North America, and the zero that national numbers begin with, if any. */
const CALLING_CODES: Readonly<Record<string, [code: string, trunk?: string]>> = {
	AL: ['355', '0'],
	AT: ['43', '0'],
	BA: ['387', '0'],
	BE: ['32', '0'],
	BG: ['359', '0'],
	CA: ['1'],
	CH: ['41', '0'],
	CY: ['357'],
	CZ: ['420'],
	DE: ['49', '0'],
	DK: ['45'],
	EE: ['372'],
	ES: ['34'],
	FI: ['358', '0'],
	FR: ['33', '0'],
	GB: ['44', '0'],
	GR: ['30'],
	HR: ['385', '0'],
	HU: ['36', '06'],
	IE: ['353', '0'],
	IS: ['354'],
	LI: ['423'],
	LT: ['370', '0'],
	LU: ['352'],
	LV: ['371'],
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
	UA: ['380', '0'],
	US: ['1'],
};

/** A national number with the calling code of its country. In Italy, a leading zero may belong to it. */
export function toInternationalNumber(national: string, country: unknown): string | undefined {
	const entry = CALLING_CODES[String(country ?? '').toUpperCase()];
	if (!entry) return undefined;
	const [code, trunk = ''] = entry;
	return `+${code}${national.startsWith(trunk) ? national.slice(trunk.length) : national}`;
}
