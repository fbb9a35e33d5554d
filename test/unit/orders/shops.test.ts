import { readFileSync } from 'node:fs';
import path from 'node:path';

import { readShopOrder, SHOPS } from '../../../nodes/ParcelShipping/orders/shops';

type Json = Record<string, unknown>;

const sampleOf = (shop: string, index: number) => {
	const file = path.join(__dirname, `../../../workflows/samples/${shop.toLowerCase()}-orders.json`);
	return (JSON.parse(readFileSync(file, 'utf8')) as Json[])[index] as Json;
};

/** Reads a sample order of a shop with some of its fields changed. */
function read(shop: string, index: number, more: Json = {}) {
	const sample = sampleOf(shop, index);
	const { order } = (sample.data ?? {}) as { order?: Json };
	const item = order ? { ...sample, data: { order: { ...order, ...more } } } : sample;
	return readShopOrder(order ? item : { ...item, ...more }, SHOPS[shop] as (typeof SHOPS)[string]);
}

const BILLING = {
	...{ first_name: 'Eva', last_name: '', company: 'Eva s.r.o.', address_1: 'Krátká 1' },
	...{ city: 'Brno', postcode: '60200', country: 'CZ', phone: '608 111 222' },
};
const EMPTY = { first_name: '', last_name: '', address_1: '', city: '', postcode: '' };
const UNPAID = { date_paid: null, financial_status: 'pending', paid: false };

test.each<[string, string, number, Json, Json]>([
	[
		'with cash on delivery',
		'wooCommerce',
		1,
		{ customer_note: 'Ring twice' },
		{
			...{ packageNumberCustom: '1043', price: '539.50', note: 'Ring twice' },
			...{ cod: true, codPrice: '539.50', codCurrency: 'CZK' },
			...{ recName: 'Petr Svoboda', recCompany: 'Svoboda a syn', recZip: '60200' },
			...{ recStreet: 'Náměstí 3, 2. patro', recCity: 'Brno', recCountry: 'CZ' },
			...{ recPhone: '+420 (608) 111 222', recEmail: 'petr.svoboda@example.com' },
		},
	],
	['that is paid', 'wooCommerce', 0, {}, { cod: false, recName: 'Jana Nováková' }],
	['that is paid by bank transfer later', 'wooCommerce', 3, UNPAID, { cod: false }],
	['with a method that nobody knows', 'wooCommerce', 0, UNPAID, { cod: 'stripe' }],
	['without a method', 'wooCommerce', 0, { ...UNPAID, payment_method: '' }, { cod: undefined }],
	['with a date that is no text', 'wooCommerce', 0, { date_paid: false }, { cod: 'stripe' }],
	['that costs nothing', 'wooCommerce', 1, { total: '0.00' }, { cod: false }],
	[
		'without a delivery address',
		'wooCommerce',
		0,
		{ shipping: EMPTY, billing: BILLING },
		{ recName: 'Eva', recStreet: 'Krátká 1', recCompany: 'Eva s.r.o.', recPhone: '608 111 222' },
	],
	[
		'to a pickup point, without a street',
		'wooCommerce',
		0,
		{ shipping: EMPTY, billing: { ...BILLING, address_1: '' } },
		{ recName: 'Eva', recStreet: undefined, recCity: 'Brno' },
	],
	[
		'with a name that is no text',
		'wooCommerce',
		0,
		{ shipping: { ...BILLING, last_name: { a: 1 } } },
		{ recName: { a: 1 } },
	],
	[
		'with parts of the wrong type',
		'wooCommerce',
		0,
		{ number: 7, shipping: null, billing: 'none', shipping_lines: {}, total: {} },
		{ packageNumberCustom: 7, price: {}, recName: undefined },
	],
	[
		'that is paid',
		'shopify',
		1,
		{},
		{ packageNumberCustom: 1202, weight: 0.8, cod: false, recName: 'Anna Müller', recZip: '01067' },
	],
	[
		'with cash on delivery and a deposit',
		'shopify',
		0,
		{
			...UNPAID,
			payment_gateway_names: ['gift_card', 'Cash on Delivery (COD)'],
			total_outstanding: '5.00',
		},
		{ cod: true, codPrice: '5.00', codCurrency: 'EUR', price: '45.00' },
	],
	['with an unknown method', 'shopify', 0, UNPAID, { cod: 'bogus' }],
	['with another weight', 'shopify', 0, { total_weight: 'heavy' }, { weight: 'heavy' }],
	['without a weight', 'shopify', 0, { total_weight: 0 }, { weight: undefined }],
	[
		'with cash on delivery',
		'shoptet',
		0,
		{},
		{ packageNumberCustom: '2026000057', cod: true, codPrice: '1289.00', codCurrency: 'CZK' },
	],
	[
		'with cash on delivery and a deposit',
		'shoptet',
		0,
		{ price: { toPay: '289.00', withVat: '1289.00', currencyCode: 'CZK' } },
		{ cod: true, codPrice: '289.00', price: '1289.00', codCurrency: 'CZK' },
	],
	[
		'that is paid',
		'shoptet',
		1,
		{},
		{ cod: false, recStreet: 'Hlavná 3', recCountry: 'SVK', recPhone: '0905 123 456' },
	],
])('an order %s of %s (sample %i) is read', (_, shop, index, more, expected) => {
	const { values = {} } = read(shop, index, more) ?? {};
	const names = Object.keys(expected);
	expect(Object.fromEntries(names.map((name) => [name, values[name]]))).toEqual(expected);
});

test.each([
	['wooCommerce', 'Courier'],
	['shopify', 'Standard'],
	['shoptet', 'Kurýr'],
])('the shipping method of %s is %s', (shop, method) => {
	expect(read(shop, 0)?.shippingMethod).toBe(method);
});

test.each([[null], ['text'], [5], [[]], [{}], [{ data: { order: null } }], [{ number: ' ' }]])(
	'%j is no order of any shop',
	(json) => {
		for (const shop of Object.values(SHOPS)) expect(readShopOrder(json, shop)).toBeUndefined();
	},
);
