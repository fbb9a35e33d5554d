// How orders are read, compared with sources that others maintain: Google's libphonenumber, and the Unicode CLDR.
import aliases from 'cldr-core/supplemental/aliases.json';
import territoryInfo from 'cldr-core/supplemental/territoryInfo.json';
import examples from 'libphonenumber-js/mobile/examples';
import metadata from 'libphonenumber-js/max/metadata';
import { type CountryCode, parsePhoneNumber } from 'libphonenumber-js/max';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

import { findCountryCode } from '../../../nodes/ParcelShipping/orders/countries';
import { sentFieldNames, mappedFields } from '../../../nodes/ParcelShipping/orders/fields';
import { currencyIn, type FieldKind } from '../../../nodes/ParcelShipping/orders/values';
import { numberingPlans } from '../../../nodes/ParcelShipping/orders/numberingPlans.generated';
import { readFields } from '../../../nodes/ParcelShipping/orders/readOrders';

const countries = Object.keys(numberingPlans) as CountryCode[];

test.each(countries)('a mobile number of %s as people write it there can be called', (country) => {
	const phone = parsePhoneNumber(examples[country], country);
	const given = { recCountry: country, recPhone: phone.formatNational() };
	expect(readFields(given, { codMethods: '', timezone: 'UTC' })).toMatchObject({
		body: { recPhone: phone.number },
	});
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
	const { trunk } = numberingPlans[country] ?? {};
	const numbers = Array.from({ length: 9 }, (_, length) => `0${'1234567890'.slice(0, length + 3)}`);
	const real = numbers.filter((number) => new RegExp(`^(?:${pattern})$`).test(number));
	expect([code, trunk === '0' ? real : []]).toEqual([numberingPlans[country]?.code, []]);
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

const EXAMPLES: Readonly<Record<FieldKind, unknown>> = {
	...{ text: 'text', email: 'jana@example.com', country: 'CZ', phone: '+420777123456' },
	...{ amount: '1.5', money: '1200.50', currency: 'CZK', count: '2', codChoice: 'yes' },
	...{ yesNo: 'true', day: '2026-01-14', shopId: 7, list: 'SMS' },
};

test.each(sentFieldNames)('what is sent as %s has a type that the contract allows', (name) => {
	const given = { cod: 'yes', [name]: EXAMPLES[mappedFields[name].kind] };
	const { body } = readFields(given, { codMethods: '', timezone: 'UTC' });
	const allowed = [properties[name].type ?? 'object'].flat();
	expect(allowed.map((type) => type.replace('integer', 'number'))).toContain(typeof body[name]);
});
