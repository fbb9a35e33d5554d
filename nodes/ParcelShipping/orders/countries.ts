/**
 * Calling codes of Europe and North America, and what national numbers begin with inside the country,
 * as a pattern. In Italy, the leading zero belongs to the number.
 */
export const CALLING_CODES: Readonly<Record<string, [code: string, trunk?: string]>> = {
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
