import { sentFieldNames, mappedFields } from '../../../nodes/ParcelShipping/orders/fields';
import { type Problem, toItemError } from '../../../nodes/ParcelShipping/orders/order';
import { readFields } from '../../../nodes/ParcelShipping/orders/readFields';
import { validateOrder } from '../../../nodes/ParcelShipping/orders/validate';

function readBody(values: Record<string, unknown>) {
	const { body, problems } = readFields(values, { codMethods: '', timezone: 'UTC' });
	return { body, problems };
}

const complete = {
	packageNumberCustom: 'WEB-1',
	price: 1200.5,
	recName: 'Jana Nováková',
	recStreet: 'Dlouhá 12',
	recCity: 'Praha',
	recZip: '01001',
	recCountry: 'CZ',
};

function check(values: Record<string, unknown>): Problem[] {
	const { body, problems } = readBody(values);
	return [...problems, ...validateOrder(body, new Set(problems.map(({ field }) => field)))];
}

/** The fields with problems if these values replace those of a complete order. */
const wrongWith = (values: object) => check({ ...complete, ...values }).map(({ field }) => field);

test('all problems of an order are reported at once, with the captions of the form', () => {
	const { message, description, details } = toItemError(
		check({
			...complete,
			price: '',
			recPhone: '+420 777 123',
			recCountry: 'Atlantis',
			recEmail: 'jana.example.com',
			cod: true,
			codPrice: '1.290',
		}),
	);
	expect(message).toBe(
		'Invalid Cash on Delivery Amount: "1.290"; Invalid Recipient Country Code: "Atlantis"; ' +
			'Invalid Recipient Phone: "+420 777 123"; Invalid Recipient Email: "jana.example.com"; ' +
			'Shipment Value is missing; Cash on Delivery Currency is missing',
	);
	expect(description).toContain('Recipient Email: expected an email address');
	expect(description).toContain('Cash on Delivery Currency: expected a currency code');
	expect(details.problems).toContainEqual({
		field: 'recPhone',
		caption: 'Recipient Phone',
		message: 'Invalid Recipient Phone: "+420 777 123"',
		expected:
			'a number with 9 digits after the prefix +420, not 6. Check it in the order, or ask the customer',
	});
});

test.each<[field: string, given: unknown, sent: unknown]>([
	['price', '1200.50', 1200.5],
	['price', 0, 0],
	['orderId', '501', 501],
	['cod', 'false', false],
	['cod', 1, true],
	['smsNotification', 0, false],
	['ageCheck', 1, true],
	['recCountry', 'sk', 'SK'],
	['codCurrency', 'czk', 'CZK'],
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
	['codPrice', ['1.290', '120.000']],
	['price', ['1.200', '1200 or so', '1e3', '0x10', '.5', '-1']],
	['price', [-0.01, Number.NaN, Number.POSITIVE_INFINITY, true, [12], '12345678901234.567']],
	['pieceCount', [0, 1.5, -2, '2.0', 'two']],
	['orderId', ['WEB-0501', 12.5, '12345678901234567890']],
	['cod', [2, -1, 0.5]],
	['recPhone', ['777123456', '+420-777-123', '+420 777 123 456 (home)', 420777123456]],
	['recCountry', ['C', 'Atlantis']],
	['codCurrency', ['czkk', 'Kč']],
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
	expect(readBody(empty)).toEqual({ body: {}, problems: [] });
	expect(wrongWith(empty).join(' ')).toBe(
		'packageNumberCustom price recName recStreet recCity recZip recCountry',
	);
});

const TO_POINT = { branchId: 'P-1', recStreet: '', recCity: '', recZip: '', recCountry: '' };
const COD = { cod: true, codPrice: 10, codCurrency: 'CZK' };

test.each<[name: string, values: object, wrong: string[]]>([
	['a refused value is not also missing', { price: '1.200' }, ['price']],
	['a company without a name', { recName: '', recCompany: 'Novák a syn' }, []],
	['a pickup point instead of an address', TO_POINT, []],
	['a pickup point without a name', { ...TO_POINT, recName: '' }, ['recName']],
	['cash on delivery without a currency', { cod: true, codPrice: 10 }, ['codCurrency']],
	['cash on delivery without an amount', { cod: true, codCurrency: 'CZK' }, []],
	['cash on delivery of nothing', { ...COD, codPrice: 0 }, ['codPrice']],
	['cash on delivery of a price of nothing', { ...COD, price: 0, codPrice: '' }, ['codPrice']],
	['only an amount', { codPrice: 10 }, ['cod']],
	['an amount although there is no cash on delivery', { ...COD, cod: false }, ['cod']],
	['an amount although the text says no', { ...COD, cod: 'false' }, ['cod']],
	['an amount of 0 without cash on delivery', { ...COD, cod: false, codPrice: 0 }, []],
	['only a currency', { codCurrency: 'CZK' }, []],
	[
		'an amount that would be that of an unclear price',
		{ ...COD, codPrice: '', price: '1.290' },
		['price'],
	],
	['cash on delivery with an unclear switch', { ...COD, cod: 'maybe' }, ['cod']],
	['a variable symbol without cash on delivery', { vs: '0000012' }, []],
])('%s', (_, values, wrong) => {
	expect(wrongWith(values)).toEqual(wrong);
});

test('a missing switch is not called off', () => {
	const messagesOf = (values: object) =>
		check({ ...complete, ...values }).map((each) => each.message);
	expect(messagesOf({ codPrice: 10 })).toEqual([
		"Cash on Delivery is not set, although 'Cash on Delivery Amount' is set",
	]);
	expect(messagesOf({ codPrice: 10, cod: false })).toEqual([
		"Cash on Delivery is off, although 'Cash on Delivery Amount' is set",
	]);
});

test('an error shows only the beginning of a long value', () => {
	const message = `Invalid Shipment Value: "${'9'.repeat(79)}…"`;
	expect(readBody({ price: '9'.repeat(500) }).problems).toMatchObject([{ message }]);
});
