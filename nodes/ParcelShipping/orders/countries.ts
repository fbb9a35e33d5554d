import { foldText } from '../lists';

export interface NumberingPlan {
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

/**
 * The languages of shops, and the other official languages of the countries above (Unicode CLDR,
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
