import { THREE_LETTER_CODES } from '../../../nodes/ParcelShipping/orders/countries';
import type { CleanUpSettings } from '../../../nodes/ParcelShipping/orders/form';
import { findCountryCode } from '../../../nodes/ParcelShipping/orders/kinds';
import { readFields } from '../../../nodes/ParcelShipping/orders/validate';

const SETTINGS: CleanUpSettings = { cleanUp: true, phonePrefix: 'none', codMethods: '' };

const clean = (values: Record<string, unknown>, more: Partial<CleanUpSettings> = {}) =>
	readFields(values, { ...SETTINGS, ...more });

/** What is sent for a value, undefined if it is refused. */
const sent = (field: string, value: unknown, more: Partial<CleanUpSettings> = {}) =>
	(clean({ [field]: value }, more).body as Record<string, unknown>)[field];

describe('A value of a shop is brought into the form of the service', () => {
	test.each<[string, unknown, unknown]>([
		['recPhone', '+420 777 123 456', '+420777123456'],
		['recPhone', '+420 (777) 123-456', '+420777123456'],
		['recPhone', '+49 (0) 30 123456', '+4930123456'],
		['recPhone', '00420.777.123.456', '+420777123456'],
		['recPhone', '+420\u00a0777\u00a0123\u00a0456', '+420777123456'],
		['recCountry', 'cz', 'CZ'],
		['recCountry', 'Česko', 'CZ'],
		['recCountry', 'Czechia', 'CZ'],
		['recCountry', ' Deutschland ', 'DE'],
		['recCountry', 'United Kingdom', 'GB'],
		['recCountry', 'UK', 'GB'],
		['recCountry', 'Polska', 'PL'],
		['recCountry', 'CZE', 'CZ'],
		['recCountry', ' svk ', 'SK'],
		['recCountry', 'XKX', 'XK'],
		['price', '1200.50', 1200.5],
		['price', '1 200,50', 1200.5],
		['price', '1 200,50 Kč', 1200.5],
		['price', '1.200,50 €', 1200.5],
		['price', '1,200.50', 1200.5],
		['price', 'CZK 1290', 1290],
		['price', '1290,5', 1290.5],
		['recName', '  Jana Nováková ', 'Jana Nováková'],
		['recEmail', ' jana@example.com ', 'jana@example.com'],
		['pieceCount', ' 2 ', 2],
		['cod', 'cod', true],
		['cod', 'Cash on Delivery', true],
		['cod', 'cash_on_delivery', true],
		['cod', 'Dobírka', true],
		['cod', 'yes', true],
		['cod', 'No', false],
		['cod', true, true],
	])('%s %j', (field, value, expected) => {
		expect(sent(field, value)).toEqual(expected);
	});
});

describe('A value that is not certain is refused as before', () => {
	test.each<[string, unknown]>([
		['recPhone', '777 123 456'],
		['recPhone', '+420 777 123 456 / 602 111 222'],
		['recPhone', 'call me'],
		['recCountry', 'Czech'],
		['recCountry', 'ABC'],
		['recCountry', 'Georgia or so'],
		['price', '1,290'],
		['price', '1.290,5.0'],
		['price', '12 90'],
		['price', 'about 100'],
		['price', '-5'],
		['cod', 'stripe'],
		['cod', 'COD or card'],
		['pieceCount', 'two'],
	])('%s %j', (field, value) => {
		expect(sent(field, value)).toBeUndefined();
	});

	test('and shown as it was given', () => {
		const given = { recPhone: '777 123 456' };
		const { problems } = clean(given);
		expect(problems).toMatchObject([{ found: '"777 123 456"' }]);
	});
});

test('nothing is rewritten if Clean Up Values is off', () => {
	const given = { recPhone: '+420 777 123 456', price: '1 200,50' };
	const { cleaned, problems } = clean(given, { cleanUp: false });
	expect(cleaned).toEqual({});
	expect(problems.map(({ field }) => field)).toEqual(['price', 'recPhone']);
});

test('every rewritten value is reported with the original, and no other', () => {
	const given = { recPhone: '+420 777 123 456', recCity: 'Praha', recCountry: 'CZ', price: 5 };
	expect(clean(given).cleaned).toEqual({ recPhone: ['+420 777 123 456', '+420777123456'] });
	expect(given.recPhone).toBe('+420 777 123 456');
});

test('a value that is blank or only a dash in a phone field counts as no value', () => {
	const { body, cleaned, problems } = clean({ recCity: '  ', recPhone: '-' });
	expect([body, problems]).toEqual([{}, []]);
	expect(cleaned).toEqual({ recPhone: ['-', ''] });
});

describe('A national phone number is completed', () => {
	test.each([
		['777 123 456', 'CZ', '+420777123456'],
		['0905 123 456', 'SK', '+421905123456'],
		['030 123456', 'DE', '+4930123456'],
		['06 30 123 4567', 'HU', '+36301234567'],
		['601 234 567', 'Polska', '+48601234567'],
		['48 123 45 67', 'PL', '+48481234567'],
		['8 612 34567', 'LT', '+37061234567'],
		['06 6982', 'IT', '+39066982'],
		['(212) 555-1234', 'US', '+12125551234'],
		['1-212-555-1234', 'US', '+12125551234'],
	])('%s from the country %s', (recPhone, recCountry, expected) => {
		const { body, cleaned } = clean({ recPhone, recCountry }, { phonePrefix: 'fromCountry' });
		expect(body.recPhone).toBe(expected);
		expect(cleaned.recPhone).toEqual([recPhone, expected]);
	});

	test('with a prefix that the user gives', () => {
		expect(sent('recPhone', '777123456', { phonePrefix: '+420' })).toBe('+420777123456');
		expect(sent('recPhone', '777123456', { phonePrefix: '00420' })).toBe('+420777123456');
	});

	test('with a prefix that the user gives, without the zero that the number has at home', () => {
		expect(sent('recPhone', '0905 123 456', { phonePrefix: '+421' })).toBe('+421905123456');
		expect(sent('recPhone', '0707 123 456', { phonePrefix: '+225' })).toBe('+2250707123456');
	});

	test.each([
		['420 777 123 456', 'CZ', 'fromCountry'],
		['420 777 123 456', 'CZ', '+420'],
		['4930123456', 'DE', 'fromCountry'],
		['0905 123 456', 'CZ', 'fromCountry'],
		['0905 123 456', 'SK', '+420'],
	])('but %s in %s with %s is refused: it has the code or is of another country', (...given) => {
		const [recPhone, recCountry, phonePrefix] = given;
		const { body, problems } = clean({ recPhone, recCountry }, { phonePrefix });
		expect(body).not.toHaveProperty('recPhone');
		expect(problems).toMatchObject([{ field: 'recPhone' }]);
	});

	test('but not one that has a prefix, or whose country is not known', () => {
		expect(sent('recPhone', '+421905123456', { phonePrefix: '+420' })).toBe('+421905123456');
		expect(sent('recPhone', '777123456', { phonePrefix: 'fromCountry' })).toBeUndefined();
	});

	test('for the country of its own address', () => {
		const given = { recCountry: 'CZ', recPhone: '777123456', senderCountry: 'SK' };
		const { body } = clean({ ...given, senderPhone: '0905123456' }, { phonePrefix: 'fromCountry' });
		expect(body).toMatchObject({ recPhone: '+420777123456', senderPhone: '+421905123456' });
	});
});

describe('A payment method that is mapped to Cash on Delivery', () => {
	const order = { codPrice: 1290, codCurrency: 'CZK' };

	test('means no, without its amount, if the user listed those that mean yes', () => {
		const { body, cleaned } = clean({ ...order, cod: 'stripe' }, { codMethods: 'cash_courier' });
		expect(body).toEqual({ cod: false });
		expect(cleaned).toEqual({
			cod: ['stripe', false],
			codPrice: [1290, null],
			codCurrency: ['CZK', null],
		});
	});

	test('means yes if the user listed it, however it is spelled', () => {
		const { body } = clean(
			{ ...order, cod: 'Cash-Courier' },
			{ codMethods: 'collect, cash_courier' },
		);
		expect(body).toEqual({ ...order, cod: true });
	});

	test.each(['', '  ', '-'])('leaves an amount in place if it is empty (%j)', (cod) => {
		const { body } = clean({ ...order, cod }, { codMethods: 'cash_courier' });
		expect(body).toMatchObject(order);
		expect(body).not.toHaveProperty('cod');
	});

	test('leaves an amount in place if a switch is off, so that the order is refused', () => {
		expect(clean({ ...order, cod: false })).toEqual({
			body: { ...order, cod: false },
			cleaned: {},
			problems: [],
		});
	});
});

test('every country has a three-letter code', () => {
	const names = new Intl.DisplayNames('en', { type: 'region' });
	// Reserved codes and codes of areas that are no countries.
	const noCountries = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' ');
	const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
	const countries = letters
		.flatMap((first) => letters.map((second) => first + second))
		.filter((code) => names.of(code) !== code && new Intl.Locale(`und-${code}`).region === code)
		.filter((code) => !noCountries.includes(code));
	const pairs = [...THREE_LETTER_CODES.matchAll(/(\w{3}) (\w{2})/g)];
	expect(pairs.map(([, , two]) => two).sort()).toEqual(countries);
	expect(new Set(pairs.map(([, three]) => three)).size).toBe(countries.length);
	for (const [, three, two] of pairs) expect(findCountryCode(String(three))).toBe(two);
});
