import { mappedFields, sentFieldNames } from '../../../nodes/ParcelShipping/orders/fields';
import { readFields } from '../../../nodes/ParcelShipping/orders/readOrders';

const FACTS = { codMethods: '', timezone: 'Europe/Prague' };

const clean = (values: Record<string, unknown>, codMethods = '') => {
	const { body, problems } = readFields(values, { ...FACTS, codMethods });
	return { body, problems };
};

/** What is sent for a value, undefined if it is refused. */
const sent = (field: string, value: unknown) =>
	(clean({ [field]: value }).body as Record<string, unknown>)[field];

test.each<[field: string, expected: unknown, values: unknown[]]>([
	['recPhone', '+420777123456', ['+420\u00a0777 123 456', '+420 (777) 123-456', '00420.777123456']],
	// Invisible marks that are copied with a number from a contact.
	['recPhone', '+420777123456', ['\u202a+420 777 123 456\u202c', '\u200b+420777123456']],
	['recPhone', '+4930123456', ['+49 (0) 30 123456', '+49 030 123456', '0049 030 123456']],
	['recPhone', '+36201234567', ['+36 06 20 123 4567', '+36 (06) 20/123 4567']],
	['recPhone', '+37061234567', ['+370 8 612 34567']],
	['recPhone', '+491512345678', ['0151 2345678 (DE)', '0151/2345678 (DE)']],
	['recPhone', undefined, ['090 1234 5678 (JP)', '777 123 456 (Czechia)']],
	['recPhone', '+39066982', ['+39 06 6982', '0039 06 6982']],
	['recPhone', '+491711234567', ['+49 171/1234567', '+49 (0)171 / 1234567', '0049171/123 4567']],
	[
		'recCountry',
		'CZ',
		[' cz ', 'Česko', 'Cesko', 'C\u030cesko', 'Czechia', 'CZE', 'Czech Republic'],
	],
	['recCountry', 'GB', ['United Kingdom', 'UK', 'Great Britain']],
	['recCountry', 'SK', ['Slovak Republic', 'Slovenská republika', 'SLOVENSKÁ REPUBLIKA']],
	['recCountry', 'NL', ['The Netherlands', 'Holland']],
	['recCountry', 'PL', ['Polsko', 'Poľsko', 'Lengyelország', 'Poljska', 'Polonia']],
	['recCountry', 'XK', ['XKX']],
	// A longer one has lost digits before it came.
	['packageNumberCustom', '12345678901234', [12_345_678_901_234]],
	['packageNumberCustom', undefined, [Number('12345678901234567890')]],
	['price', 1200.5, ['1200.50', '1 200,50', '1 200,50 Kč', '1.200,50 €', '1,200.50']],
	['price', 1290, ['CZK 1290', "1'290.00", '1’290.00', '1290,-', '1 290,- Kč', 'CHF 1’290.–']],
	['price', 1234567, ['1.234.567', '1,234,567', '1.234.567,00']],
	// A number, or what no thousands can be, is certain.
	['price', 1.29, [1.29, '1.29']],
	['price', 0.125, ['0.125']],
	['weight', 0.5, ['0,500', '0.500', '0,5', 0.5]],
	['cod', true, ['cod', 'Cash on Delivery', 'cash_on_delivery', 'Dobírka', 'yes']],
	['cod', true, ['dobirka', 'Dobierka', 'Nachnahme', 'za pobraniem', 'Utánvét']],
	['smsNotification', true, ['y', 'on', '1', 'ano', 'áno', 'ja', 'tak']],
	['smsNotification', false, ['no', 'n', 'off', '0', 'ne', 'nie', 'nein', 'false', false]],
	['pickupDate', '2026-01-14', ['2026-01-14', ' 2026-01-14 ', '2026-01-14T00:00:00']],
	// In UTC, the day begins an hour later than in the time zone of the workflow.
	['pickupDate', '2026-01-14', ['2026-01-14T08:00:00.000Z', '2026-01-13T23:30:00Z']],
])('%s becomes %j if it is one of %j', (field, expected, values) => {
	expect(values.map((value) => sent(field, value))).toEqual(values.map(() => expected));
});

test('a value that is not certain is refused with what is accepted, and shown as it was given', () => {
	const given = { cod: 'stripe', recPhone: '777 123 456', recCountry: 'Czech', price: '1.290' };
	expect(clean(given).problems).toMatchObject([
		{
			message: 'Invalid Shipment Value: "1.290"',
			expected: expect.stringContaining('1.290, which may be 1290 or 1.29'),
		},
		{
			message: 'Invalid Cash on Delivery: "stripe"',
			expected: expect.stringContaining("option 'Cash on Delivery Methods'"),
		},
		{
			message: 'Invalid Recipient Country: "Czech"',
			expected: expect.stringContaining(', or the name of the country'),
		},
		{ message: 'Invalid Recipient Phone: "777 123 456"' },
	]);
});

test('a value that is blank, or a dash as the phone, counts as no value', () => {
	expect(clean({ recCity: '  ', recPhone: '-' })).toEqual({ body: {}, problems: [] });
});

test.each<[string, Record<string, unknown>, unknown, unknown]>([
	['the price', { price: '1290.50', codCurrency: 'CZK' }, 1290.5, 'CZK'],
	['the price, with its currency', { price: '1 290,50 Kč' }, 1290.5, 'CZK'],
	['the price, with its code', { price: 'EUR 12' }, 12, 'EUR'],
	['the price, with a sign of several countries', { price: '12 $' }, 12, undefined],
	['mapped, with its currency', { price: 5, codPrice: '12 €' }, 12, 'EUR'],
	['mapped, with a currency of its own', { price: 5, codPrice: 7, codCurrency: 'czk' }, 7, 'CZK'],
])('the amount of cash on delivery is %s', (_, values, codPrice, codCurrency) => {
	expect(clean({ cod: true, ...values }).body).toMatchObject({ cod: true, codPrice });
	expect(clean({ cod: true, ...values }).body.codCurrency).toBe(codCurrency);
	expect(clean({ cod: false, price: values.price }).body.codPrice).toBeUndefined();
	expect(clean({ cod: true, ...values }).problems).toEqual([]);
});

test.each([
	[{ cod: true, price: '48,50 €', codCurrency: 'CZK' }, 'Cash on Delivery Currency is "CZK"'],
	[{ insurancePrice: 'EUR 50', insuranceCurrency: 'CZK' }, 'Insured Value Currency is "CZK"'],
])('an amount is not sent in another currency than the one written with it: %j', (given, start) => {
	const message = expect.stringContaining(`${start}, but `);
	expect(clean(given).problems).toMatchObject([
		{ message, expected: 'EUR, or an amount in "CZK"' },
	]);
});

test.each<Record<string, unknown>>([
	{ cod: true, price: '48,50 €', codPrice: 1200, codCurrency: 'CZK' },
	{ cod: true, price: '48,50 €', codCurrency: 'eur' },
	{ cod: true, price: '48,50 $', codCurrency: 'CAD' },
	// Nothing is collected, so that the currency mapped for all orders does not matter.
	{ cod: false, price: '48,50 €', codCurrency: 'CZK' },
	{ price: '48,50 €', codCurrency: 'CZK' },
])('an amount without a currency, or in the same one, is accepted: %j', (given) => {
	expect(clean(given).problems).toEqual([]);
});

test.each([
	['06 6982', 'IT', '+39066982'],
	// 393 is a mobile operator. No number has eight digits and begins with 3.
	['393 123 4567', 'IT', '+393931234567'],
	['06-30/123-4567', 'HU', '+36301234567'],
	['0549 886377', 'SM', '+3780549886377'],
])('the phone number %s in %j becomes %s', (...given) => {
	const [recPhone, recCountry, expected] = given;
	expect(clean({ recPhone, recCountry }).body.recPhone).toBe(expected);
});

test.each([
	['420 777 123 456', 'CZ'],
	['0905 123 456', 'CZ'],
	['800 123 456', 'CZ'],
	['777 123 456', 'SK'],
	['777123456', ''],
	['08031234567', 'NG'],
	['49 30 1234567', 'DE'],
	['030 123456/78', 'DE'],
])('the phone number %s in %j is refused', (...given) => {
	const [recPhone, recCountry] = given;
	const { body, problems } = clean({ recPhone, recCountry });
	expect(body).not.toHaveProperty('recPhone');
	expect(problems).toMatchObject([{ field: 'recPhone' }]);
});

test.each([
	['+420 777 123 4567', '', '9 digits after the calling code +420, not 10'],
	['06 30 12', 'HU', '8 to 9 digits after the calling code +36, not 4'],
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
	['Dobírka na prodejně', 'Dobirka na prodejne', COLLECTED],
	['Dobi\u0301rka u ridice', 'Dobírka u řidiče', COLLECTED],
	[false, '', PAID],
	[' False ', 'cash_courier', PAID],
	[1, '', COLLECTED],
	// In a shop whose payment methods are numbers, 1 is one of them.
	[1, '3, cod_card', PAID],
	['3', '1,3', COLLECTED],
	[0, '3', PAID],
	[0, '0, 3', COLLECTED],
])('with the payment method %j and the cash-on-delivery methods %j, %j is sent', (...given) => {
	const [cod, codMethods, body] = given;
	expect(clean({ ...PRICE, cod }, codMethods)).toEqual({ body, problems: [] });
});

test.each(['539,50 Kč', 539.5, '1 290', '12.00'])(
	'the amount %j in Cash on Delivery belongs elsewhere, and is no payment method',
	(cod) => {
		const expected = expect.stringContaining("to 'Cash on Delivery Amount' instead");
		const refused = { body: { price: 1290 }, problems: [{ field: 'cod', expected }] };
		expect(clean({ price: 1290, cod }, 'cash_courier')).toMatchObject(refused);
	},
);

test.each<[field: string, given: unknown, sent: unknown]>([
	['price', 0, 0],
	['orderId', '501', 501],
	['insuranceCurrency', 'czk', 'CZK'],
	['services', 'SMS, INSURANCE', ['SMS', 'INSURANCE']],
	['services', '{"insurance":{"price":100}}', { insurance: { price: 100 } }],
	['services', [{ code: 'SMS' }], [{ code: 'SMS' }]],
	['recEmail', 'jana.novakova+shop@mail.example.co.uk', 'jana.novakova+shop@mail.example.co.uk'],
	['recEmail', 'žofie@příklad.cz', 'žofie@příklad.cz'],
	['recZip', 11000, '11000'],
	['packageNumberCustom', Number.MAX_SAFE_INTEGER, '9007199254740991'],
])('%s %j is sent as %j', (field, given, sent) => {
	expect(clean({ [field]: given })).toEqual({ body: { [field]: sent }, problems: [] });
});

test.each(sentFieldNames.filter((name) => mappedFields[name].kind === 'text'))(
	'%s that is text stays unchanged: leading zeros, any length, any script',
	(field) => {
		for (const text of ['0012345678901234567890', '12E45', 'Žofie Łódź 漢字 🎁', 'a\nb']) {
			expect(clean({ [field]: text })).toEqual({ body: { [field]: text }, problems: [] });
		}
	},
);
