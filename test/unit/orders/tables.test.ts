// Tables of the nodes are compared with sources that others maintain: Google's libphonenumber, and the
// Unicode CLDR, partly as Node.js has it. Where a table differs on purpose, the reason is here.
import aliases from 'cldr-core/supplemental/aliases.json';
import codeMappings from 'cldr-core/supplemental/codeMappings.json';
import territoryInfo from 'cldr-core/supplemental/territoryInfo.json';
import examples from 'libphonenumber-js/mobile/examples';
import metadata from 'libphonenumber-js/max/metadata';
import { type CountryCode, parsePhoneNumber } from 'libphonenumber-js/max';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

import {
	findCountryCode,
	THREE_LETTER_CODES,
} from '../../../nodes/ParcelShipping/orders/countries';
import { sentFieldNames, mappedFields } from '../../../nodes/ParcelShipping/orders/fields';
import { currencyIn } from '../../../nodes/ParcelShipping/orders/values';
import { NUMBERING_PLANS } from '../../../nodes/ParcelShipping/orders/phone';
import { readFields } from '../../../nodes/ParcelShipping/orders/readFields';

/** A number has at most 15 digits, whatever a country assigns to the extensions of a company. */
const E164_DIGITS = 15;

/** Lengths that only numbers have which no courier calls. */
const NOT_CALLED: Readonly<Record<string, { lengths: number[]; reason: string }>> = {
	NL: { lengths: [11], reason: 'Machines: 0970' },
	PL: { lengths: [7], reason: 'Service numbers with an area code, such as 22 191 15' },
	RO: { lengths: [6], reason: 'Service numbers with an area code, such as 021 9 and three digits' },
	SK: {
		lengths: [6, 7],
		reason: 'Service numbers with an area code, such as 02 16 and more digits',
	},
};

const TRUNKS: Readonly<Record<string, { trunk: string; reason: string }>> = {
	LT: { trunk: '[08](?=\\d{8}$)', reason: '8 until 2025, which is still common' },
};

/** What only numbers begin with that people have, if those of a neighbor are as long. */
const BEGINNINGS: Readonly<Record<string, string>> = {
	...{ CZ: '[2-7]', SK: '[2-59]' },
	// Where a number may begin with its own calling code: mobile numbers have nine digits or more.
	IT: '0|3\\d{8}',
};

type Lines = [fixed: [string, number[]?], mobile: [string, number[]?]];

/** libphonenumber writes 0 for what a country does not have. */
function planInSource(country: CountryCode) {
	const plan: unknown[] = metadata.countries[country] ?? [];
	const [code, prefix, lines] = [String(plan[0]), plan[5] || undefined, plan[11] as Lines];
	const lengths = lines.slice(0, 2).flatMap(([, ofType = plan[3] as number[]]) => ofType);
	const called = lengths
		.filter((length) => !NOT_CALLED[country]?.lengths.includes(length))
		.filter((length) => length + code.length <= E164_DIGITS);
	const trunk = TRUNKS[country]?.trunk ?? prefix;
	const start = BEGINNINGS[country];
	const digits = [Math.min(...called), Math.max(...called)];
	return { code, digits, ...(trunk ? { trunk } : {}), ...(start ? { start } : {}) };
}

const countries = Object.keys(NUMBERING_PLANS) as CountryCode[];

test.each(countries)('phone numbers of %s have its calling code, lengths and prefix', (country) => {
	expect(NUMBERING_PLANS[country]).toEqual(planInSource(country));
});

test.each(countries)('a mobile number of %s as people write it there can be called', (country) => {
	const phone = parsePhoneNumber(examples[country], country);
	const given = { recCountry: country, recPhone: phone.formatNational() };
	expect(
		readFields(given, { codMethods: '', timezone: 'UTC', amountDecides: false }),
	).toMatchObject({
		body: { recPhone: phone.number },
	});
});

/** Not reserved, of today, and not of an area that is no country. */
const isCountry = (code: string) =>
	new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined &&
	new Intl.Locale(`und-${code}`).region === code &&
	!'AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' ').includes(code);

test('three-letter codes of countries mean the same country as in the Unicode CLDR', () => {
	const mappings: Record<string, object> = codeMappings.supplemental.codeMappings;
	const inSource = Object.entries(mappings)
		.filter(([code]) => /^[A-Z]{2}$/.test(code) && isCountry(code))
		// XKK is an invention of the CLDR. Everybody else uses XKX for Kosovo.
		.map(
			([code, { _alpha3 }]: [string, { _alpha3?: string }]) =>
				`${code === 'XK' ? 'XKX' : _alpha3} ${code}`,
		);
	expect(THREE_LETTER_CODES.match(/\w{3} \w{2}/g)?.sort()).toEqual(inSource.sort());
	const found = inSource.map(
		(codes) => `${codes.slice(0, 3)} ${findCountryCode(codes.slice(0, 3))}`,
	);
	expect(found).toEqual(inSource);
});

test('a former code of countries is no guess at one of today', () => {
	const { territoryAlias } = aliases.supplemental.metadata.alias;
	const former = Object.keys(territoryAlias).filter((code) => /^[A-Z]{2}$/.test(code));
	expect(former).toEqual(expect.arrayContaining(['CS', 'SU', 'UK', 'YU']));
	const found = former.filter((code) => findCountryCode(code) !== undefined);
	expect([found, findCountryCode('UK')]).toEqual([['UK'], 'GB']);
});

test('a sign of a currency means this currency', () => {
	const codesOf: Record<string, Set<string>> = {};
	for (const currency of Intl.supportedValuesOf('currency')) {
		const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
		for (const language of ['en', 'cs']) {
			const parts = new Intl.NumberFormat(language, style).formatToParts(1);
			const sign = parts.find(({ type }) => type === 'currency')?.value ?? '';
			if (/^(\p{Sc}|Kč)$/u.test(sign)) (codesOf[sign] ??= new Set()).add(currency);
		}
	}
	// £ is also the sign of islands, where it is worth as much, of South Sudan and of Syria.
	codesOf['£'] = new Set(['GBP']);
	const expected = Object.entries(codesOf).map(([sign, codes]) => {
		const isCertain = codes.size === 1 && ['Kč', '€', '£', '₴'].includes(sign);
		return [sign, isCertain ? [...codes][0] : undefined];
	});
	expect(Object.keys(codesOf).map((sign) => [sign, currencyIn(`12 ${sign}`)])).toEqual(expected);
});

test('the name of a country in each of its official languages means this country', () => {
	const info = territoryInfo.supplemental.territoryInfo;
	const names = countries.flatMap((country) =>
		Object.entries<{ _populationPercent: string; _officialStatus?: string }>(
			info[country].languagePopulation,
		)
			.filter(([, { _officialStatus: status }]) => status === 'official')
			.map(([language]) => {
				const tags = [language.replace('_', '-'), 'en'];
				return [country, new Intl.DisplayNames(tags, { type: 'region' }).of(country)];
			}),
	);
	expect(names).toContainEqual(['BE', 'Belgique']);
	expect(names.map(([, name = '']) => [findCountryCode(name), name])).toEqual(names);
});

test.each(countries)('a zero after the prefix of %s does not begin a number', (country) => {
	const [code, , pattern] = metadata.countries[country] as unknown as string[];
	const { trunk } = NUMBERING_PLANS[country] ?? {};
	const numbers = Array.from({ length: 9 }, (_, length) => `0${'1234567890'.slice(0, length + 3)}`);
	const real = numbers.filter((number) => new RegExp(`^(?:${pattern})$`).test(number));
	expect([code, trunk === '0' ? real : []]).toEqual([NUMBERING_PLANS[country]?.code, []]);
});

const contract = parse(
	readFileSync(path.join(__dirname, '../../../contract/openapi.yaml'), 'utf8'),
);
const { properties } = contract.components.schemas.ShipmentCreation;

test('an order can have the fields that the contract has, and no other ones', () => {
	// What the node sets itself.
	const derived = ['serviceType', 'piecesCount', 'senderEnabled', 'coverEnabled'];
	expect([...sentFieldNames, ...derived].sort()).toEqual(Object.keys(properties).sort());
});

test.each(sentFieldNames)('what is sent as %s has a type that the contract allows', (name) => {
	const given = { cod: 'yes', [name]: mappedFields[name].example };
	const { body } = readFields(given, { codMethods: '', timezone: 'UTC', amountDecides: false });
	const sent = typeof body[name];
	const allowed = [properties[name].type ?? 'object'].flat();
	expect(allowed.map((type) => type.replace('integer', 'number'))).toContain(sent);
});

test('the form asks for weights and lengths in the units of the service', () => {
	const names = Intl.supportedValuesOf('unit').map((unit) => {
		const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
		return new Intl.NumberFormat('en', style).formatToParts(2).at(-1)?.value ?? '';
	});
	const unitsIn = (text = '') =>
		text.match(/[a-z]+/g)?.filter((word) => names.includes(word)) ?? [];
	const inForm = Object.entries(mappedFields).flatMap(([name, { description }]) =>
		unitsIn(description).length > 0 ? [[name, unitsIn(description)]] : [],
	);
	expect(inForm.map(([name]) => name)).toEqual(['weight', 'width', 'height', 'length']);
	expect(inForm).toEqual(
		inForm.map(([name]) => [name, unitsIn(properties[name as string].description)]),
	);
});

test.each([
	['12 CZK', 'CZK'],
	['XOF 12', 'XOF'],
	['12 F CFA', undefined],
	['12 PCS', undefined],
])('the currency of %j is %j: not every three capitals are one', (amount, currency) => {
	expect(currencyIn(amount)).toBe(currency);
});
