import { foldText } from '../lists';

/**
 * The languages of shops, and the other official languages of the countries in `phone.ts` (Unicode CLDR,
 * `territoryInfo.json`). `Intl` only knows the most common language of a country.
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

/**
 * ISO 3166 codes of three letters and of two. `Intl` does not have the former. XKX is not in the
 * standard, but in general use for Kosovo.
 */
export const THREE_LETTER_CODES = `
	ABW AW, AFG AF, AGO AO, AIA AI, ALA AX, ALB AL, AND AD, ARE AE, ARG AR, ARM AM, ASM AS, ATA AQ
	ATF TF, ATG AG, AUS AU, AUT AT, AZE AZ, BDI BI, BEL BE, BEN BJ, BES BQ, BFA BF, BGD BD, BGR BG
	BHR BH, BHS BS, BIH BA, BLM BL, BLR BY, BLZ BZ, BMU BM, BOL BO, BRA BR, BRB BB, BRN BN, BTN BT
	BVT BV, BWA BW, CAF CF, CAN CA, CCK CC, CHE CH, CHL CL, CHN CN, CIV CI, CMR CM, COD CD, COG CG
	COK CK, COL CO, COM KM, CPV CV, CRI CR, CUB CU, CUW CW, CXR CX, CYM KY, CYP CY, CZE CZ, DEU DE
	DJI DJ, DMA DM, DNK DK, DOM DO, DZA DZ, ECU EC, EGY EG, ERI ER, ESH EH, ESP ES, EST EE, ETH ET
	FIN FI, FJI FJ, FLK FK, FRA FR, FRO FO, FSM FM, GAB GA, GBR GB, GEO GE, GGY GG, GHA GH, GIB GI
	GIN GN, GLP GP, GMB GM, GNB GW, GNQ GQ, GRC GR, GRD GD, GRL GL, GTM GT, GUF GF, GUM GU, GUY GY
	HKG HK, HMD HM, HND HN, HRV HR, HTI HT, HUN HU, IDN ID, IMN IM, IND IN, IOT IO, IRL IE, IRN IR
	IRQ IQ, ISL IS, ISR IL, ITA IT, JAM JM, JEY JE, JOR JO, JPN JP, KAZ KZ, KEN KE, KGZ KG, KHM KH
	KIR KI, KNA KN, KOR KR, KWT KW, LAO LA, LBN LB, LBR LR, LBY LY, LCA LC, LIE LI, LKA LK, LSO LS
	LTU LT, LUX LU, LVA LV, MAC MO, MAF MF, MAR MA, MCO MC, MDA MD, MDG MG, MDV MV, MEX MX, MHL MH
	MKD MK, MLI ML, MLT MT, MMR MM, MNE ME, MNG MN, MNP MP, MOZ MZ, MRT MR, MSR MS, MTQ MQ, MUS MU
	MWI MW, MYS MY, MYT YT, NAM NA, NCL NC, NER NE, NFK NF, NGA NG, NIC NI, NIU NU, NLD NL, NOR NO
	NPL NP, NRU NR, NZL NZ, OMN OM, PAK PK, PAN PA, PCN PN, PER PE, PHL PH, PLW PW, PNG PG, POL PL
	PRI PR, PRK KP, PRT PT, PRY PY, PSE PS, PYF PF, QAT QA, REU RE, ROU RO, RUS RU, RWA RW, SAU SA
	SDN SD, SEN SN, SGP SG, SGS GS, SHN SH, SJM SJ, SLB SB, SLE SL, SLV SV, SMR SM, SOM SO, SPM PM
	SRB RS, SSD SS, STP ST, SUR SR, SVK SK, SVN SI, SWE SE, SWZ SZ, SXM SX, SYC SC, SYR SY, TCA TC
	TCD TD, TGO TG, THA TH, TJK TJ, TKL TK, TKM TM, TLS TL, TON TO, TTO TT, TUN TN, TUR TR, TUV TV
	TWN TW, TZA TZ, UGA UG, UKR UA, UMI UM, URY UY, USA US, UZB UZ, VAT VA, VCT VC, VEN VE, VGB VG
	VIR VI, VNM VN, VUT VU, WLF WF, WSM WS, XKX XK, YEM YE, ZAF ZA, ZMB ZM, ZWE ZW
`;

/** Two-letter codes by themselves and by three-letter codes. */
const codes = new Map(
	[...THREE_LETTER_CODES.matchAll(/(\w{3}) (\w{2})/g)].flatMap(([, three = '', two = '']) => [
		[three, two] as const,
		[two, two] as const,
	]),
);

/** Two-letter codes by names without case and accents, made once when one is looked up. */
let codesByName: Map<string, string> | undefined;

/**
 * The two-letter code of a country, from its name in one of its own languages or one of the usual shops, or
 * from another code. A code of no country today, or of several, is none.
 */
export function findCountryCode(text: string): string | undefined {
	return codes.get(text.trim().toUpperCase()) ?? (codesByName ??= readNames()).get(foldText(text));
}

function readNames(): Map<string, string> {
	const names = new Map<string, string>();
	const addNames = (language: string, countries: Iterable<string>) => {
		const inLanguage = new Intl.DisplayNames([language, 'en'], { type: 'region' });
		for (const code of countries) names.set(foldText(inLanguage.of(code) ?? code), code);
	};
	const countries = new Set(codes.values());
	for (const code of countries)
		addNames(new Intl.Locale(`und-${code}`).maximize().language, [code]);
	for (const language of LANGUAGES) addNames(language, countries);
	for (const [name, code] of Object.entries(COUNTRY_ALIASES)) names.set(foldText(name), code);
	return names;
}
