import { DateTime } from 'luxon';

import { mappedFields, sentFieldNames } from '../../../nodes/ParcelShipping/orders/fields';
import { readFields } from '../../../nodes/ParcelShipping/orders/readFields';

const clean = (values: Record<string, unknown>, codMethods = '') =>
	readFields(values, {
		...{ codMethods, timezone: 'Europe/Prague' },
		amountDecides: 'codPrice' in values,
	});

/** What is sent for a value, undefined if it is refused. */
const sent = (field: string, value: unknown) =>
	(clean({ [field]: value }).body as Record<string, unknown>)[field];

test('values as people write them are rewritten, and reported with the original', () => {
	const given = {
		recPhone: '+420 777 123 456',
		recCountry: 'Česko',
		price: '1 290,50 Kč',
		recCity: 'Praha',
	};
	const { body, cleaned, problems } = clean(given);
	expect(body).toEqual({
		recPhone: '+420777123456',
		recCountry: 'CZ',
		price: 1290.5,
		recCity: 'Praha',
	});
	// Every rewritten value is reported, and no other.
	expect(cleaned).toEqual({
		recPhone: ['+420 777 123 456', '+420777123456'],
		recCountry: ['Česko', 'CZ'],
		price: ['1 290,50 Kč', '1290.50'],
	});
	expect([problems, given.recCountry]).toEqual([[], 'Česko']);
});

test.each<[field: string, expected: unknown, values: unknown[]]>([
	[
		'recPhone',
		'+420777123456',
		['+420\u00a0777 123 456', '+420 (777) 123-456', '00420.777.123.456'],
	],
	// Invisible marks that are copied with a number from a contact.
	['recPhone', '+420777123456', ['\u202a+420 777 123 456\u202c', '\u200b+420777123456']],
	['recPhone', '+4930123456', ['+49 (0) 30 123456', '+49 030 123456', '0049 030 123456']],
	['recPhone', '+436601234567', ['+43 0660 1234567']],
	['recPhone', '+36201234567', ['+36 06 20 123 4567', '+36 (06) 20/123 4567']],
	['recPhone', '+37061234567', ['+370 8 612 34567']],
	['recPhone', '+39066982', ['+39 06 6982', '+39 (0)6 6982', '0039 (0)6 6982']],
	['recPhone', '+491711234567', ['+49 171/1234567', '+49 (0)171 / 1234567', '0049171/123 4567']],
	['recCountry', 'CZ', [' cz ', 'Česko', 'Cesko', 'C\u030cesko', 'Czechia', 'CZE']],
	['recCountry', 'GB', ['United Kingdom', 'UK']],
	['recCountry', 'GB', ['Great Britain']],
	['recCountry', 'CZ', ['Czech Republic', 'Česká republika']],
	['recCountry', 'SK', ['Slovak Republic', 'Slovenská republika', 'SLOVENSKÁ REPUBLIKA']],
	['recCountry', 'NL', ['The Netherlands', 'Holland']],
	['recCountry', 'BE', ['België', 'Belgique', 'Belgien']],
	['recCountry', 'RS', ['Србија', 'Srbija']],
	['recCountry', 'PL', ['Polsko', 'Poľsko', 'Lengyelország', 'Poljska', 'Polonia']],
	['recCountry', 'DE', ['Německo', 'Niemcy', 'Germania', 'Allemagne', 'Njemačka']],
	['recCountry', 'XK', ['XKX']],
	['price', 1200.5, ['1200.50', '1 200,50', '1 200,50 Kč', '1.200,50 €', '1,200.50']],
	['price', 1290, ['CZK 1290', "1'290.00", '1’290.00', '1290,-', '1 290,- Kč', 'CHF 1’290.–']],
	['price', 1234567, ['1.234.567', '1,234,567', '1.234.567,00']],
	// A number, or what no thousands can be, is certain.
	['price', 1.29, [1.29, '1.29']],
	['price', 0.125, ['0.125']],
	['weight', 1.25, ['1.250', 1.25]],
	['weight', 0.5, ['0,500', '0.500', '0,5']],
	['cod', true, ['cod', 'Cash on Delivery', 'cash_on_delivery', 'Dobírka', 'yes']],
	['cod', true, ['dobirka', 'Dobierka', 'Nachnahme', 'za pobraniem', 'Utánvét']],
	['smsNotification', true, ['y', 'on', '1', 'ano', 'áno', 'ja', 'tak']],
	['smsNotification', false, ['no', 'n', 'off', '0', 'ne', 'nie', 'nein', 'false', false]],
	['ageCheck', '18', ['18', 18, ' 18 ']],
	['width', 30.5, ['30,5', 30.5]],
	['pickupDate', '2026-01-14', ['2026-01-14', ' 2026-01-14 ', '2026-01-14T00:00:00']],
	// In UTC, the day begins an hour later than in the time zone of the workflow.
	['pickupDate', '2026-01-14', ['2026-01-14T08:00:00.000Z', '2026-01-13T23:30:00Z']],
	['pickupDate', '2026-01-14', ['2026-01-13T23:30:00+00:00', '2026-01-13T23:30:00.000+0000']],
	['pickupDate', '2026-01-14', ['2026-01-14 00:30:00+01:00', '2026-01-14T19:00:00-05:00']],
	['pickupDate', '2026-01-14', [DateTime.fromISO('2026-01-13T23:30:00-05:00', { setZone: true })]],
])('%s becomes %j if it is one of %j', (field, expected, values) => {
	expect(values.map((value) => sent(field, value))).toEqual(values.map(() => expected));
});

test.each<[field: string, values: string[]]>([
	['recPhone', ['777 123 456', '+420 777 123 456 / 602 111 222', 'call me']],
	['recPhone', ['+420777123456/602111222', '+49 171/1234567/8', '+49 30 123456/78']],
	['recCountry', ['Czech', 'ABC', 'Georgia or so', 'EN', 'xx', 'JA', 'CS', 'YU']],
	['insurancePrice', ['1.290', '12.500']],
	['weight', ['1,290']],
	[
		'price',
		[
			'1,290',
			'1.290',
			' 1.290 ',
			'1.290 €',
			'1.290,5.0',
			'12 90',
			'about 100',
			'-5',
			'12 PCS',
			'12 F CFA',
		],
	],
	['cod', ['stripe', 'COD or card', '-']],
	['smsNotification', ['maybe', 'cod']],
	['ageCheck', ['18+', '180']],
	['pickupDate', ['14. 1. 2026', '2026-02-30', '2026', '2026-W47', '2026-01-14T25:00:00Z']],
])('%s is refused and shown as it was given if it is not certain: %j', (field, values) => {
	const problems = values.flatMap((value) => clean({ [field]: value }).problems);
	const message = (value: string) => expect.stringContaining(`"${value}"`);
	expect(problems).toMatchObject(values.map((value) => ({ field, message: message(value) })));
	expect(values.map((value) => sent(field, value))).toEqual(values.map(() => undefined));
});

test('only a day that its time zone changes is reported as rewritten', () => {
	const rewritten = ['2026-01-13T23:30:00Z', '2026-01-14T00:00:00', '2026-01-14T08:00:00Z'].map(
		(pickupDate) => clean({ pickupDate }).cleaned,
	);
	expect(rewritten).toEqual([{ pickupDate: ['2026-01-13T23:30:00Z', '2026-01-14'] }, {}, {}]);
});

test('a value that is blank or only a dash in a phone field counts as no value', () => {
	const { body, cleaned, problems } = clean({ recCity: '  ', recPhone: '-' });
	expect([body, problems]).toEqual([{}, []]);
	expect(cleaned).toEqual({ recPhone: ['-', ''] });
});

test.each<[string, Record<string, unknown>, unknown, unknown]>([
	['the price', { price: '1290.50', codCurrency: 'CZK' }, 1290.5, 'CZK'],
	['the price, with its currency', { price: '1 290,50 Kč' }, 1290.5, 'CZK'],
	['the price, with its code', { price: 'EUR 12' }, 12, 'EUR'],
	['the price, with a sign of several countries', { price: '12 $' }, 12, undefined],
	['mapped, with its currency', { price: 5, codPrice: '12 €' }, 12, 'EUR'],
	['mapped, with a currency of its own', { price: 5, codPrice: 7, codCurrency: 'czk' }, 7, 'CZK'],
])('the amount of cash on delivery is %s', (_, values, codPrice, codCurrency) => {
	expect(clean({ cod: 'cod', ...values }).body).toMatchObject({ cod: true, codPrice });
	expect(clean({ cod: 'cod', ...values }).body.codCurrency).toBe(codCurrency);
	expect(clean({ cod: false, price: values.price }).body.codPrice).toBeUndefined();
	expect(clean({ cod: 'cod', ...values }).problems).toEqual([]);
});

test.each<[given: Record<string, unknown>, message: string, advice: string]>([
	[
		{ cod: true, price: '48,50 €', codCurrency: 'CZK' },
		'Cash on Delivery Currency is "CZK", but Shipment Value is "48,50 €"',
		"EUR, or 'Cash on Delivery Amount' in CZK",
	],
	[
		{ cod: true, price: 1200, codPrice: '48,50 €', codCurrency: 'CZK' },
		'Cash on Delivery Currency is "CZK", but Cash on Delivery Amount is "48,50 €"',
		"EUR, or 'Cash on Delivery Amount' in CZK",
	],
	[
		{ insurancePrice: 'EUR 50', insuranceCurrency: 'CZK' },
		'Insured Value Currency is "CZK", but Insured Value is "EUR 50"',
		"EUR, or 'Insured Value' in CZK",
	],
])('an amount is not sent in another currency than the one written with it: %j', (...args) => {
	const [given, message, expected] = args;
	expect(clean(given).problems).toMatchObject([{ message, expected }]);
});

test.each<[Record<string, unknown>]>([
	[{ cod: true, price: '48,50 €', codPrice: 1200, codCurrency: 'CZK' }],
	[{ cod: true, price: '48,50 €', codCurrency: 'eur' }],
	[{ cod: true, price: '48,50 $', codCurrency: 'CAD' }],
	[{ cod: false, price: '48,50 €' }],
	// Nothing is collected, so that the currency mapped for all orders does not matter.
	[{ cod: false, price: '48,50 €', codCurrency: 'CZK' }],
	[{ price: '48,50 €', codCurrency: 'CZK' }],
])('an amount without a currency, or in the same one, is accepted: %j', (given) => {
	expect(clean(given).problems).toEqual([]);
});

test('the currency that is written with the insured value is sent', () => {
	const insured = { insurancePrice: 50, insuranceCurrency: 'EUR' };
	expect(clean({ insurancePrice: '50 €' })).toMatchObject({ body: insured, problems: [] });
	expect(clean({ insurancePrice: 50 }).body).toEqual({ insurancePrice: 50 });
});

test('the remainder of a sum that an expression has computed is not sent', () => {
	const given = { price: 1189.8999999999999, weight: 0.1 + 0.2, width: 12.345678 };
	expect(clean(given).body).toEqual({ price: 1189.9, weight: 0.3, width: 12.345678 });
});

test('an amount that may be thousands or decimals is refused with both', () => {
	expect(clean({ price: '1.290' }).problems).toMatchObject([
		{
			message: 'Invalid Shipment Value: "1.290"',
			expected: '1290 or 1.29, because "1.290" may be either',
		},
	]);
});

test.each(['1.290 €', 'CZK 1,290'])(
	'the amount %j, with its currency, may be either as well',
	(price) => {
		const expected = expect.stringMatching(/^1290 or 1.29, because/);
		expect(clean({ price }).problems).toMatchObject([{ expected }]);
	},
);

test('a payment method and a phone without a certain prefix are refused with what helps', () => {
	expect(clean({ cod: 'bacs', recPhone: '777123456' }).problems).toMatchObject([
		{
			message: 'It is not certain whether "bacs" is cash on delivery',
			expected: expect.stringContaining("option 'Cash on Delivery Methods'"),
		},
		{ expected: expect.stringContaining('not certain from the country') },
	]);
});

test('nobody is asked to add a prefix that the number may already begin with', () => {
	const adviceOn = (recPhone: string) =>
		clean({ recPhone, recCountry: 'CZ' }).problems[0]?.expected;
	expect(adviceOn('420777123456')).toBe(
		'one phone number with its country prefix, e.g. +420777123456. It may already begin with the prefix 420. If so, add only a plus sign. If not, add +420',
	);
	expect(adviceOn('800123456')).toContain('not certain from the country');
});

test('a phone number is completed for the country of its own address', () => {
	const given = { recCountry: 'CZ', recPhone: '777123456', senderCountry: 'SK' };
	const { body } = clean({ ...given, senderPhone: '0905123456' });
	expect(body).toMatchObject({ recPhone: '+420777123456', senderPhone: '+421905123456' });
});

test('an Italian number with two zeros is refused, because one of them is a mistake', () => {
	const { body, problems } = clean({ recPhone: '+39 (0) 02 1234 5678', recCountry: 'IT' });
	expect([body.recPhone, problems.map(({ field }) => field)]).toEqual([undefined, ['recPhone']]);
});

test('a phone number of another address of the order is completed for the country there', () => {
	const phoneIn = (given: Record<string, unknown>) =>
		readFields(given, {
			...{ codMethods: '', timezone: 'UTC' },
			amountDecides: false,
			phoneCountry: 'DE',
		});
	const given = { recCountry: 'CZ', recPhone: '0151 23456789' };
	expect(phoneIn(given)).toMatchObject({ body: { recPhone: '+4915123456789' }, problems: [] });
	// It does not wait for a country that is wrong.
	expect(phoneIn({ recCountry: 'X', recPhone: '0' }).problems).toHaveLength(2);
});

test.each([
	['777 123 456', 'CZ', '+420777123456'],
	['06 30 123 4567', 'HU', '+36301234567'],
	['905 123 456', 'SK', '+421905123456'],
	['02 59 123 456', 'SK', '+421259123456'],
	['222 123 456', 'CZ', '+420222123456'],
	['48 123 45 67', 'PL', '+48481234567'],
	['06 6982', 'IT', '+39066982'],
	// 393 is a mobile operator. No number has eight digits and begins with 3.
	['393 123 4567', 'IT', '+393931234567'],
	['(0)6 6982', 'IT', '+39066982'],
	['0171/1234567', 'DE', '+491711234567'],
	['(0171) / 123 45 67', 'DE', '+491711234567'],
	['06-30/123-4567', 'HU', '+36301234567'],
	['0549 886377', 'SM', '+3780549886377'],
])('the phone number %s in %j becomes %s', (...given) => {
	const [recPhone, recCountry, expected] = given;
	const { body, cleaned } = clean({ recPhone, recCountry });
	expect(body.recPhone).toBe(expected);
	expect(cleaned.recPhone).toEqual([recPhone, expected]);
});

test.each([
	['420 777 123 456', 'CZ'],
	['0905 123 456', 'CZ'],
	['905 123 456', 'CZ'],
	['800 123 456', 'CZ'],
	['777 123 456', 'SK'],
	['0777 123 456', 'SK'],
	['777123456', ''],
	['08031234567', 'NG'],
	['49 30 1234567', 'DE'],
	['39 333 123 4567', 'IT'],
	['39 06 6982', 'IT'],
	['030 123456/78', 'DE'],
	['777123456/602111222', 'CZ'],
])('the phone number %s in %j is refused', (...given) => {
	const [recPhone, recCountry] = given;
	const { body, problems } = clean({ recPhone, recCountry });
	expect(body).not.toHaveProperty('recPhone');
	expect(problems).toMatchObject([{ field: 'recPhone' }]);
});

test('a country that nobody knows is refused, and says what is accepted', () => {
	const expected = expect.stringContaining(', or the name of the country');
	expect(clean({ recCountry: 'Czech' }).problems).toMatchObject([{ expected }]);
});

test.each([
	['1234', 'CZ', '9 digits after the prefix +420, not 4'],
	['+420 777 123 4567', '', '9 digits after the prefix +420, not 10'],
	['06 30 12', 'HU', '8 to 9 digits after the prefix +36, not 4'],
])('the phone number %s in %j is refused with the length that is expected', (...given) => {
	const [recPhone, recCountry, length] = given;
	const { problems } = clean({ recPhone, recCountry });
	expect(problems).toMatchObject([{ expected: expect.stringContaining(length) }]);
});

const PRICE = { price: 1290, codCurrency: 'CZK' };
const COLLECTED = { price: 1290, cod: true, codPrice: 1290, codCurrency: 'CZK' };
const PAID = { price: 1290, cod: false };

test.each<[cod: unknown, codMethods: string, body: object]>([
	// If the user listed the methods that mean yes, any other one means no.
	['stripe', 'cash_courier', PAID],
	['Cash-Courier', 'collect, cash_courier', COLLECTED],
	['', 'cash_courier', { price: 1290 }],
	['-', 'cod_card,', PAID],
	['Dobírka (hotově, kartou)', 'Dobírka (hotově, kartou)', COLLECTED],
	['Dobírka (hotově, kartou)', 'cod_card, Dobírka (hotově, kartou)', COLLECTED],
	['kartou', 'cod_card, Dobírka (hotově), na místě', PAID],
	['cod_card', 'cod_card, Dobírka (hotově, kartou)', COLLECTED],
	['Dobírka na prodejně', 'Dobirka na prodejne', COLLECTED],
	['Dobi\u0301rka u ridice', 'Dobírka u řidiče', COLLECTED],
	[false, '', PAID],
	[' False ', 'cash_courier', PAID],
	['0', '', PAID],
	['no', '', PAID],
	[1, '', COLLECTED],
	// In a shop whose payment methods are numbers, 1 is one of them.
	[1, '3, cod_card', PAID],
	['1', '3', PAID],
	['3', '1,3', COLLECTED],
	[3, '3', COLLECTED],
	[0, '3', PAID],
	[0, '0, 3', COLLECTED],
])('with the payment method %j and the cash-on-delivery methods %j, %j is sent', (...given) => {
	const [cod, codMethods, body] = given;
	expect(clean({ ...PRICE, cod }, codMethods)).toMatchObject({ body, problems: [] });
	expect(Object.keys(clean({ ...PRICE, cod }, codMethods).body)).toHaveLength(
		Object.keys(body).length,
	);
});

test.each<[codPrice: unknown, body: object]>([
	[539.5, { cod: true, codPrice: 539.5, codCurrency: 'CZK' }],
	['539,50 Kč', { cod: true, codPrice: 539.5, codCurrency: 'CZK' }],
	...[0, '0', '0,00 Kč', '', ' ', null, undefined].map((paid): [unknown, object] => [
		paid,
		{ cod: false },
	]),
])('a mapped amount of %j decides alone, whatever Cash on Delivery is', (codPrice, expected) => {
	for (const cod of [true, false, 'dobírka', 'bacs', undefined]) {
		const { body, problems } = clean({ price: 1290, codCurrency: 'CZK', cod, codPrice });
		expect({ body, problems }).toEqual({ body: { price: 1290, ...expected }, problems: [] });
	}
});

test('an amount that cannot be read is refused, and collects nothing', () => {
	const { body, problems } = clean({ price: 1290, cod: true, codPrice: '1.290' });
	expect(body).toEqual({ price: 1290 });
	expect(problems).toMatchObject([{ message: 'Invalid Cash on Delivery Amount: "1.290"' }]);
});

test.each(['539,50 Kč', 539.5, '1 290', '12.00'])(
	'the amount %j in Cash on Delivery belongs elsewhere, and is no payment method',
	(cod) => {
		for (const codMethods of ['', 'cash_courier']) {
			const { body, problems } = clean({ price: 1290, cod }, codMethods);
			expect(body).toEqual({ price: 1290 });
			expect(problems).toMatchObject([
				{
					message: expect.stringMatching(/^Cash on Delivery is an amount: /),
					expected: expect.stringContaining("to 'Cash on Delivery Amount' instead"),
				},
			]);
		}
	},
);

test('a shop has an amount for paid orders as well, which is not sent', () => {
	const paid = { cod: false, codPrice: 1290, codCurrency: 'CZK' };
	const facts = { codMethods: '', timezone: 'Europe/Prague', amountDecides: false };
	expect(readFields(paid, facts)).toEqual({ body: { cod: false }, cleaned: {}, problems: [] });
});

const readBody = (values: Record<string, unknown>) => {
	const { body, problems } = clean(values);
	return { body, problems };
};

test.each<[field: string, given: unknown, sent: unknown]>([
	['price', '1200.50', 1200.5],
	['price', 0, 0],
	['orderId', '501', 501],
	['cod', 'false', false],
	['cod', 1, true],
	['smsNotification', 0, false],
	['ageCheck', 1, true],
	['recCountry', 'sk', 'SK'],
	['insuranceCurrency', 'czk', 'CZK'],
	['services', 'SMS, INSURANCE', ['SMS', 'INSURANCE']],
	['services', '{"insurance":{"price":100}}', { insurance: { price: 100 } }],
	['services', [{ code: 'SMS' }], [{ code: 'SMS' }]],
	['recEmail', 'jana.novakova+shop@mail.example.co.uk', 'jana.novakova+shop@mail.example.co.uk'],
	['recEmail', 'žofie@příklad.cz', 'žofie@příklad.cz'],
	['recZip', 11000, '11000'],
	['packageNumberCustom', Number.MAX_SAFE_INTEGER, '9007199254740991'],
])('%s %j is sent as %j', (field, given, sent) => {
	expect(readBody({ [field]: given })).toEqual({ body: { [field]: sent }, problems: [] });
});

test.each<[field: string, values: unknown[]]>([
	['price', ['1.200', '1200 or so', '1e3', '0x10', '.5', '-1']],
	['price', [-0.01, Number.NaN, Number.POSITIVE_INFINITY, true, [12], '12345678901234.567']],
	['pieceCount', [0, 1.5, -2, '2.0', 'two']],
	['orderId', ['WEB-0501', 12.5, '12345678901234567890']],
	['cod', [2, -1, 0.5]],
	['recPhone', ['777123456', '+420-777-123', '+420 777 123 456 (home)', 420777123456]],
	['recCountry', ['C', 'Atlantis']],
	['insuranceCurrency', ['czkk', 'Kč']],
	['services', [5, '["SMS"']],
	['recEmail', ['jana.example.com', 'jana@', '@example.com', 'jana@localhost', 'jana@example.']],
	['recEmail', ['jana@@example.com', 'jana@example.com, petr@example.com']],
	['recZip', [Number.MAX_SAFE_INTEGER + 1, 1e-7, { zip: '11000' }, false]],
])('%s is not guessed from %p', (field, values) => {
	const text = expect.stringMatching(/./);
	const refused = { body: {}, problems: [{ field, caption: text, message: text, expected: text }] };
	expect(values.map((value) => readBody({ [field]: value }))).toEqual(values.map(() => refused));
});

test.each(sentFieldNames.filter((name) => mappedFields[name].kind === 'text'))(
	'%s that is text stays unchanged: leading zeros, any length, any script',
	(field) => {
		for (const text of ['0012345678901234567890', '12E45', 'Žofie Łódź 漢字 🎁', 'a\nb']) {
			expect(readBody({ [field]: text })).toEqual({ body: { [field]: text }, problems: [] });
		}
	},
);

test.each([undefined, null, '', '   '])('%p counts as no value', (nothing) => {
	const empty = Object.fromEntries(sentFieldNames.map((name) => [name, nothing]));
	expect(readBody(empty)).toEqual({ body: { cod: false }, problems: [] });
});

test('an error shows only the beginning of a long value', () => {
	const message = `Invalid Shipment Value: "${'9'.repeat(79)}…"`;
	expect(readBody({ price: '9'.repeat(500) }).problems).toMatchObject([{ message }]);
});
