import fc from 'fast-check';

import { creationFieldNames, creationFields } from '../../../nodes/ParcelShipping/orders/fields';
import { type Problem, toItemError } from '../../../nodes/ParcelShipping/orders/order';
import {
	addressProblems,
	readFields,
	validateOrder,
} from '../../../nodes/ParcelShipping/orders/validate';

/** Reads the values without cleaning them up. */
function readBody(values: Record<string, unknown>) {
	const settings = { cleanUp: false, phonePrefix: 'none', codMethods: '' };
	const { body, problems } = readFields(values, settings);
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

const fieldsOf = (problems: Problem[]) => problems.map(({ field }) => field);

test('a complete shipment has no problems', () => {
	expect(check(complete)).toEqual([]);
});

test('all problems of a shipment are reported at once, with the captions of the form', () => {
	const { message, description, details } = toItemError(
		check({
			...complete,
			price: '',
			recPhone: '777 123 456',
			recCountry: 'Czechia',
			recEmail: 'jana.example.com',
			cod: true,
			codPrice: '1 200,50',
		}),
	);

	expect(message).toBe(
		'Invalid Cash on Delivery Amount: "1 200,50"; Invalid Recipient Country Code: "Czechia"; ' +
			'Invalid Recipient Phone: "777 123 456"; Invalid Recipient Email: "jana.example.com"; ' +
			'Price is missing; Cash on Delivery Currency is missing',
	);
	expect(description).toContain('Recipient Phone: expected a plus sign, the country prefix');
	expect(description).toContain('Cash on Delivery Currency: expected a currency code');
	expect(details.problems).toContainEqual({
		field: 'recPhone',
		caption: 'Recipient Phone',
		found: '"777 123 456"',
		expected: 'a plus sign, the country prefix and digits without spaces, e.g. +420777123456',
	});
});

describe('A value of a kind is sent in the form of the service', () => {
	test.each<[string, unknown, unknown]>([
		['price', 1200.5, 1200.5],
		['price', '1200.50', 1200.5],
		['price', 0, 0],
		['price', '0.10', 0.1],
		['codPrice', '99', 99],
		['pieceCount', 3, 3],
		['pieceCount', '3', 3],
		['orderId', 501, 501],
		['orderId', '501', 501],
		['cod', true, true],
		['cod', 'false', false],
		['recPhone', '+420777123456', '+420777123456'],
		['recCountry', 'SK', 'SK'],
		['recCountry', 'sk', 'SK'],
		['codCurrency', 'EUR', 'EUR'],
		['codCurrency', 'czk', 'CZK'],
		['weight', '1.5', 1.5],
		['services', 'SMS, INSURANCE', ['SMS', 'INSURANCE']],
		['services', 'SMS', ['SMS']],
		['services', ['SMS'], ['SMS']],
		['services', '["SMS"]', ['SMS']],
		['services', '{"insurance":{"price":100}}', { insurance: { price: 100 } }],
		['services', [{ code: 'SMS' }], [{ code: 'SMS' }]],
		['recEmail', 'jana.novakova+shop@mail.example.co.uk', 'jana.novakova+shop@mail.example.co.uk'],
		['recEmail', 'žofie@příklad.cz', 'žofie@příklad.cz'],
		['recZip', '01001', '01001'],
		['recZip', 11000, '11000'],
		['vs', '0000012', '0000012'],
		['vs', 12, '12'],
		['packageNumberCustom', '0012345678901234567890', '0012345678901234567890'],
		['packageNumberCustom', Number.MAX_SAFE_INTEGER, '9007199254740991'],
		['recName', '  Jana  ', '  Jana  '],
	])('%s %p', (field, given, sent) => {
		expect(readBody({ [field]: given })).toEqual({ body: { [field]: sent }, problems: [] });
	});
});

describe('A value that would have to be guessed is refused', () => {
	test.each<[string, unknown]>([
		['price', '1 200,50'],
		['price', '1200,50'],
		['price', '1,200.50'],
		['price', '1200 CZK'],
		['price', ' 1200'],
		['price', '1e3'],
		['price', '0x10'],
		['price', '.5'],
		['price', '-1'],
		['price', -0.01],
		['price', Number.NaN],
		['price', Number.POSITIVE_INFINITY],
		['price', true],
		['price', [12]],
		['price', '12345678901234.567'],
		['codPrice', 'free'],
		['pieceCount', 0],
		['pieceCount', 1.5],
		['pieceCount', -2],
		['pieceCount', '2.0'],
		['pieceCount', 'two'],
		['orderId', 'WEB-0501'],
		['orderId', 12.5],
		['orderId', '12345678901234567890'],
		['cod', 'yes'],
		['cod', 1],
		['cod', 'TRUE'],
		['recPhone', '777123456'],
		['recPhone', '+420 777 123 456'],
		['recPhone', '00420777123456'],
		['recPhone', '+420-777-123'],
		['recPhone', '+420777123456\n'],
		['recPhone', 420777123456],
		['senderPhone', '777123456'],
		['coverPhone', '777123456'],
		['recCountry', 'CZE'],
		['senderCountry', 'CZE'],
		['coverCountry', 'C'],
		['codCurrency', 'czkk'],
		['weight', '1,5 kg'],
		['services', 5],
		['services', '["SMS"'],
		['recCountry', 'Czechia'],
		['codCurrency', 'Kč'],
		['recEmail', 'jana.example.com'],
		['recEmail', 'jana@'],
		['recEmail', 'jana@localhost'],
		['recEmail', 'jana@example.com, petr@example.com'],
		['recEmail', 'jana@@example.com'],
		['senderEmail', '@example.com'],
		['coverEmail', 'shop@example.'],
		['recZip', Number.MAX_SAFE_INTEGER + 1],
		['vs', 1e21],
		['vs', 1e-7],
		['recName', { first: 'Jana' }],
		['recName', false],
	])('%s %p', (field, given) => {
		const { body, problems } = readBody({ [field]: given });
		expect(body).toEqual({});
		expect(problems).toEqual([
			{
				field,
				caption: creationFields[field as keyof typeof creationFields].caption,
				found: expect.stringMatching(/./),
				expected: expect.stringMatching(/./),
			},
		]);
	});
});

test.each([undefined, null, '', '   '])('%p counts as no value', (nothing) => {
	const empty = Object.fromEntries(creationFieldNames.map((name) => [name, nothing]));
	expect(readBody(empty)).toEqual({ body: {}, problems: [] });
	expect(fieldsOf(check(empty))).toEqual([
		'packageNumberCustom',
		'price',
		'recName',
		'recStreet',
		'recCity',
		'recZip',
		'recCountry',
	]);
});

test('a refused value is not reported as missing, too', () => {
	expect(fieldsOf(check({ ...complete, price: '1,5', recCountry: 'cze' }))).toEqual([
		'price',
		'recCountry',
	]);
});

describe('The recipient', () => {
	test('may be a company without a name', () => {
		expect(check({ ...complete, recName: '', recCompany: 'Novák a syn' })).toEqual([]);
	});

	test.each(['recStreet', 'recCity', 'recZip', 'recCountry'])('needs %s', (field) => {
		expect(fieldsOf(check({ ...complete, [field]: '' }))).toEqual([field]);
	});

	test('needs only a name for a pickup point', () => {
		const { packageNumberCustom, price, recName } = complete;
		const values = { packageNumberCustom, price, branchId: 'P-001' };
		expect(check({ ...values, recName })).toEqual([]);
		expect(fieldsOf(check(values))).toEqual(['recName']);
	});
});

describe('Cash on delivery', () => {
	test.each([
		[{ cod: true, codPrice: 10, codCurrency: 'CZK' }, []],
		[{ cod: 'true', codPrice: '10', codCurrency: 'CZK' }, []],
		[{ cod: false }, []],
		[{ cod: true }, ['codPrice', 'codCurrency']],
		[{ cod: true, codPrice: 10 }, ['codCurrency']],
		[{ cod: true, codCurrency: 'CZK' }, ['codPrice']],
		[{ codPrice: 10 }, ['cod']],
		[{ codCurrency: 'CZK' }, ['cod']],
		[{ cod: false, codPrice: 10, codCurrency: 'CZK' }, ['cod']],
		[{ cod: 'yes', codPrice: 10, codCurrency: 'CZK' }, ['cod']],
		[{ vs: '0000012' }, []],
	])('%p', (terms, fields) => {
		expect(fieldsOf(check({ ...complete, ...terms }))).toEqual(fields);
	});
});

test('a long value is shortened', () => {
	const [problem] = readBody({ price: '9'.repeat(500) }).problems;
	expect(problem?.found).toBe(`"${'9'.repeat(79)}…"`);
});

describe('Any value', () => {
	const textFields = creationFieldNames.filter((name) => creationFields[name].kind === 'text');
	const given = fc
		.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^0*\d{1,40}$/))
		.filter((text) => text.trim() !== '');

	test('text stays unchanged: leading zeros, any length, any script', () => {
		fc.assert(
			fc.property(fc.constantFrom(...textFields), given, (field, text) => {
				expect(readBody({ [field]: text })).toEqual({ body: { [field]: text }, problems: [] });
			}),
		);
	});

	test('an amount keeps its value, as a number or as text', () => {
		const cents = fc.integer({ min: 0, max: 10 ** 12 });
		fc.assert(
			fc.property(cents, (amount) => {
				const text = (amount / 100).toFixed(2);
				expect(readBody({ price: text }).body.price).toBe(amount / 100);
				expect(readBody({ price: amount / 100 }).body.price).toBe(amount / 100);
			}),
		);
	});

	test('a number in a text field keeps all of its digits or is refused', () => {
		fc.assert(
			fc.property(fc.double(), (number) => {
				const { body } = readBody({ vs: number });
				if (body.vs !== undefined) expect(Number(body.vs)).toBe(number === 0 ? 0 : number);
				if (Math.abs(number) > Number.MAX_SAFE_INTEGER) expect(body).toEqual({});
			}),
		);
	});

	test('it is either sent or reported as a problem', () => {
		fc.assert(
			fc.property(fc.constantFrom(...creationFieldNames), fc.anything(), (field, value) => {
				const { body, problems } = readBody({ [field]: value });
				const isNothing =
					value === undefined ||
					value === null ||
					(typeof value === 'string' && value.trim() === '');
				expect(Object.keys(body).length + problems.length).toBe(isNothing ? 0 : 1);
			}),
		);
	});
});

test('10,000 shipments are checked in less than a second', () => {
	const items = Array.from({ length: 10_000 }, (_, index) => ({
		...complete,
		packageNumberCustom: `WEB-${index}`,
		recPhone: '+420777123456',
		recEmail: 'jana@example.com',
		cod: true,
		codPrice: '1200.50',
		codCurrency: index % 2 ? 'CZK' : 'Kč',
	}));
	const home = {
		code: 'HOME',
		name: 'Home',
		senderAddressEnabled: true,
		coverAddressEnabled: true,
	};
	const wanted = { carrierCode: 'ANT', serviceType: 'HOME' };
	const offer = { wanted, service: home, services: [home] };

	const started = process.cpuUsage();
	const refusals = items
		.map((values) => {
			const { body } = readBody(values);
			return [...check(values), ...addressProblems(body, offer)];
		})
		.filter((problems) => problems.length > 0)
		.map((problems) => toItemError(problems));
	const { user, system } = process.cpuUsage(started);
	const tookMs = (user + system) / 1000;

	console.log(`10,000 shipments read and checked in ${tookMs.toFixed(0)} ms`);
	expect(refusals).toHaveLength(5000);
	expect(tookMs).toBeLessThan(1000);
});
