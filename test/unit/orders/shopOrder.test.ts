import { readFileSync } from 'node:fs';
import path from 'node:path';

import { mapValues, pick } from 'lodash';

import { readShopOrder, SHOPS } from '../../../nodes/ParcelShipping/orders/shops';

type Json = Record<string, unknown>;

const samples = path.join(__dirname, '../../../workflows/samples');

function sampleOf(shop: string, index: number): Json {
	const file = path.join(samples, `${shop.toLowerCase()}-orders.json`);
	return (JSON.parse(readFileSync(file, 'utf8')) as Json[])[index] as Json;
}

/** Reads a sample order of a shop with some of its fields changed. */
function read(shop: string, index: number, more: Json = {}, codMethods = '') {
	const sample = sampleOf(shop, index);
	const { order } = (sample.data ?? {}) as { order?: Json };
	const item = order ? { ...sample, data: { order: { ...order, ...more } } } : sample;
	const json = order ? item : { ...item, ...more };
	const read = readShopOrder(json, SHOPS[shop] as (typeof SHOPS)[string], codMethods);
	if (typeof read === 'string') throw new Error(read);
	const problems = read.problems.filter((problem) => problem !== false);
	const { price, codPrice } = read.values;
	const amounts = mapValues({ price, codPrice }, (each) =>
		/^[\d.]+$/.test(String(each)) ? Number(Number(each).toFixed(6)) : each,
	);
	return { ...read, problems, values: { ...read.values, ...amounts } };
}

test('an order of WooCommerce with cash on delivery is read', () => {
	const { values, shippingMethod } = read('wooCommerce', 1, { customer_note: 'Ring twice' });
	expect(values).toMatchObject({
		...{ packageNumberCustom: '1043', price: 539.5, note: 'Ring twice' },
		...{ cod: true, codPrice: 539.5, codCurrency: 'CZK' },
		...{ recName: 'Petr Svoboda', recCompany: 'Svoboda a syn', recStreet: 'Náměstí 3, 2. patro' },
		...{ recCity: 'Brno', recZip: '60200', recCountry: 'CZ' },
		...{ recPhone: '+420 (608) 111 222', recEmail: 'petr.svoboda@example.com' },
	});
	expect(shippingMethod).toBe('Courier');
});

const UNPAID = { date_paid: null, financial_status: 'pending', paid: false };
const paidBy = (...payment_gateway_names: string[]) => ({ ...UNPAID, payment_gateway_names });
const GIFT_CARD = paidBy('gift_card', 'Cash on Delivery (COD)');
const PART_PAID = { ...GIFT_CARD, total_outstanding: '5.00' };
const PART_REMOVED = { ...GIFT_CARD, current_total_price: '40.00', total_outstanding: undefined };
const DEPOSIT = { price: { toPay: '289.00', withVat: '1289.00', currencyCode: 'CZK' } };
const REFUNDS = { refunds: [{ total: '-400.10' }, { total: '-100.20' }] };
const PAID_AND_REFUNDED = { total: '539.50', refunds: [{ total: '-500.00' }] };
const DELIVERED = { payment_method: 'dobirka', status: 'completed' };
const OF_EUROS = { cod: true, codPrice: 5, codCurrency: 'EUR', price: 45 };

test.each<[name: string, shop: string, index: number, changes: Json, expected: Json]>([
	['that is paid', 'wooCommerce', 0, {}, { cod: false }],
	['that is paid', 'shoptet', 1, {}, { cod: false }],
	['that is paid by bank transfer later', 'wooCommerce', 3, UNPAID, { cod: false }],
	['that costs nothing', 'wooCommerce', 1, { total: '0.00' }, { cod: false }],
	['with a method that nobody knows', 'wooCommerce', 0, UNPAID, { cod: 'stripe' }],
	['without a method', 'wooCommerce', 0, { ...UNPAID, payment_method: '' }, { cod: undefined }],
	['that a gift card has paid', 'shopify', 0, paidBy('gift_card'), { cod: undefined }],
	['to collect', 'shoptet', 0, {}, { cod: true, codPrice: 1289, codCurrency: 'CZK' }],
	['of which a gift card has paid a part', 'shopify', 0, PART_PAID, OF_EUROS],
	['of which a part was removed', 'shopify', 0, PART_REMOVED, { price: 40, codPrice: 40 }],
	['with a deposit', 'shoptet', 0, DEPOSIT, { codPrice: 289, price: 1289 }],
	// WooCommerce dates an order as paid when it is ready to ship, unless its method is its own `cod`.
	['to collect', 'wooCommerce', 0, { payment_method: 'dobirka' }, { cod: true }],
	['to collect', 'wooCommerce', 0, { payment_method: 'cod' }, { cod: true }],
	['that was paid on delivery', 'wooCommerce', 0, DELIVERED, { cod: false }],
	['with refunds', 'wooCommerce', 1, REFUNDS, { codPrice: 39.2, price: 39.2 }],
	['paid and refunded in part', 'wooCommerce', 0, PAID_AND_REFUNDED, { cod: false, price: 39.5 }],
	['with three decimals', 'wooCommerce', 1, { total: '12.500' }, { codPrice: 12.5, price: 12.5 }],
])('the payment of an order %s is read (%s, sample %i)', (_, shop, index, changes, expected) => {
	const { values } = read(shop, index, changes);
	expect(pick(values, Object.keys(expected))).toEqual(expected);
});

test.each<[shop: string, changes: Json, codMethods: string, cod: unknown]>([
	['wooCommerce', { payment_method: 'cod_card' }, 'cod_card', true],
	['wooCommerce', { payment_method: 'cod_card', status: 'completed' }, 'cod_card', false],
	['wooCommerce', { ...UNPAID, payment_method: 'cheque' }, 'cheque', true],
	['shopify', paidBy('gift_card', 'Money Order'), 'money order', true],
	['shopify', paidBy('gift_card', 'Money Order'), '', false],
	['shopify', paidBy('Money Order', 'courier'), '', 'courier'],
	['shopify', paidBy('gift_card', 'a', 'Cash on Delivery (COD)'), '', true],
])('of an order of %s with %j and the methods %j, cash on delivery is %j', (...given) => {
	const [shop, changes, codMethods, cod] = given;
	expect(read(shop, 0, changes, codMethods)?.values.cod).toBe(cod);
});

const PENDING = { ...UNPAID, status: 'pending' };

test.each<[changes: Json, codMethods: string, isRefused: boolean]>([
	[PENDING, 'dobirka', true],
	[{ ...PENDING, payment_method: 'dobirka' }, 'dobirka', false],
	[{ ...PENDING, payment_method: 'bacs' }, 'dobirka', true],
	[{ status: 'pending' }, 'dobirka', false],
	[{ ...PENDING, status: 'on-hold' }, 'dobirka', false],
])('an order of WooCommerce that waits for a payment by card is refused: %j', (...given) => {
	const [changes, codMethods, isRefused] = given;
	const message = 'The order has the status "pending" in the shop';
	expect(read('wooCommerce', 0, changes, codMethods)?.problems).toMatchObject(
		isRefused ? [{ message }] : [],
	);
});

const moneyOf = (amount: string) => ({
	shop_money: { amount: '1200.00', currency_code: 'CZK' },
	presentment_money: { amount, currency_code: 'EUR' },
});
const IN_EUROS = {
	...{ ...GIFT_CARD, currency: 'CZK', presentment_currency: 'EUR' },
	...{ total_price: '1200.00', total_outstanding: '1200.00', total_price_set: moneyOf('48.50') },
};

const HALF = { current_total_price: '600.00', total_outstanding: '600.00' };
const HALF_SET = { ...HALF, current_total_price_set: moneyOf('24.25') };

test.each<[name: string, changes: Json, expected: Json]>([
	['as the customer saw it', {}, { codPrice: 48.5, codCurrency: 'EUR', price: 1200 }],
	['in the currency of the shop', { presentment_currency: 'CZK' }, { codPrice: 1200 }],
	['without what was removed', HALF_SET, { codPrice: 24.25, codCurrency: 'EUR', price: 600 }],
])('the amount of a Shopify order is collected %s', (_, changes, expected) => {
	const order = read('shopify', 0, { ...IN_EUROS, ...changes });
	expect(order?.values).toMatchObject({ cod: true, ...expected });
	expect(order?.problems).toEqual([]);
});

test.each<Json>([{ total_outstanding: '700.00' }, { total_price_set: undefined }, HALF])(
	'the rest to collect in the currency of the customer is not guessed: %j',
	(changes) => {
		const { codPrice, codCurrency } = read('shopify', 0, { ...IN_EUROS, ...changes }).values;
		// Which is refused, because the two contradict each other.
		expect([codPrice, codCurrency]).toEqual([expect.stringMatching(/^[\d.]+ CZK$/), 'EUR']);
	},
);

const statusIs = (status: string) => `The order has the status "${status}" in the shop`;
const PICKED_UP = 'The customer picks the order up at the shop';
const NOT_SHIPPED = 'None of the products of the order requires shipping';
const methods = (...ids: string[]) => ({ shipping_lines: ids.map((method_id) => ({ method_id })) });
const products = (...are: boolean[]) => ({
	line_items: are.map((requires_shipping) => ({ requires_shipping })),
});

test.each<[shop: string, changes: Json, message: string | undefined]>([
	['wooCommerce', { status: 'cancelled' }, statusIs('cancelled')],
	['wooCommerce', { status: 'on-hold' }, undefined],
	['wooCommerce', methods('local_pickup'), PICKED_UP],
	['wooCommerce', methods('pickup_location', 'flat_rate'), PICKED_UP],
	['shopify', { financial_status: 'refunded' }, statusIs('refunded')],
	['shopify', { financial_status: 'partially_refunded' }, undefined],
	['shopify', { cancelled_at: '2026-03-02T09:14:20+01:00' }, 'The order is canceled in the shop'],
	['shopify', { ...products(false), shipping_address: null }, NOT_SHIPPED],
	['shopify', products(false, true), undefined],
	['shoptet', { status: { id: -4, name: 'Zrušeno' } }, 'The order is canceled in the shop'],
	['shoptet', { status: { id: -1, name: 'Stornována' } }, undefined],
	['shoptet', { cashDeskOrder: true }, 'The order was sold at the cash desk'],
])('an order of %s with %j is refused with %j', (shop, changes, message) => {
	const problems = message === undefined ? [] : [{ message }];
	expect(read(shop, 0, changes)?.problems).toMatchObject(problems);
});

const BILLING = {
	...{ first_name: 'Eva', last_name: '', company: 'Eva s.r.o.' },
	...{ address_1: 'Krátká 1', city: 'Brno', phone: '608 111 222' },
};
const EMPTY = { first_name: '', last_name: '', address_1: '', city: '', postcode: '' };
const NO_STREET = { shipping: EMPTY, billing: { ...BILLING, address_1: '' } };
const OF_NO_TYPE = { number: 7, shipping: null, billing: 'none', shipping_lines: {}, total: {} };
const EVA = { recName: 'Eva', recCompany: 'Eva s.r.o.', recPhone: '608 111 222' };

test.each<[name: string, changes: Json, expected: Json]>([
	['the delivery address', { billing: BILLING }, { recName: 'Jana Nováková' }],
	['the billing address, if there is no other', { shipping: EMPTY, billing: BILLING }, EVA],
	['the billing address without a street, to a point', NO_STREET, { ...EVA, recStreet: '' }],
	['nothing, if no part has its type', OF_NO_TYPE, { packageNumberCustom: 7, recName: '' }],
])('an order of WooCommerce goes to %s', (_, changes, expected) => {
	const { values } = read('wooCommerce', 0, changes);
	expect(pick(values, Object.keys(expected))).toEqual(expected);
});

const GERMAN = { ...BILLING, country: 'DE', phone: '0151 23456789' };

const TO_PRAGUE = { address1: 'Dlouhá 12', country_code: 'CZ' };

test.each<[shop: string, changes: Json, phone: string]>([
	['wooCommerce', { shipping: { ...BILLING, phone: '' }, billing: GERMAN }, '0151 23456789 (DE)'],
	['wooCommerce', { shipping: BILLING, billing: GERMAN }, '608 111 222'],
	[
		'shopify',
		{ shipping_address: TO_PRAGUE, billing_address: { country: 'Germany', phone: '0151 2345678' } },
		'0151 2345678 (DE)',
	],
	['shopify', { shipping_address: TO_PRAGUE, phone: '0151' }, '0151'],
])('a phone of another address has its own country (%s, %j): %j', (...given) => {
	const [shop, changes, phone] = given;
	expect(read(shop, 0, changes).values.recPhone).toBe(phone);
});

test('orders of Shopify and Shoptet have their number, weight and address', () => {
	expect(read('shopify', 1)).toMatchObject({
		values: { packageNumberCustom: 1202, weight: 0.8, recName: 'Anna Müller', recZip: '01067' },
		shippingMethod: 'International',
	});
	expect(read('shopify', 0, { total_weight: 'heavy' })?.values.weight).toBeNaN();
	expect(read('shoptet', 1)?.values).toMatchObject({ recStreet: 'Hlavná 3', recCountry: 'SVK' });
	const address = { street: 'Hlavná', houseNumber: '3', additional: 'byt 12', countryCode: 'SK' };
	const ofFlat = read('shoptet', 1, { deliveryAddress: address, billingAddress: address });
	expect(ofFlat?.values.recStreet).toBe('Hlavná 3, byt 12');
	expect(read('shoptet', 0)).toMatchObject({
		values: { packageNumberCustom: '2026000057' },
		shippingMethod: 'Kurýr',
	});
});

test.each([[null], ['text'], [[]], [{}], [{ data: { order: null } }], [{ number: ' ' }]])(
	'%j is no order of any shop',
	(json) => {
		for (const shop of Object.values(SHOPS)) {
			expect(readShopOrder(json, shop, '')).toBe(shop.identifiedBy[0]);
		}
	},
);

const meta = (...entries: Array<[string, unknown]>) => ({
	meta_data: entries.map(([key, value], id) => ({ id, key, value })),
});
const line = (more: Json) => ({ shipping_lines: [{ method_title: 'Point', ...more }] });
const PPL = { name: 'PPL Parcelshop', code: 'KM10020100', zipCode: '60200' };

const atlas = (namespace: string) => ({
	metafields: [{ namespace, key: 'point', value: '{"code":"WAW29"}' }],
});
const TWICE = meta(['_packetery_point_id', ''], ['_packetery_point_id', '9120']);

test.each<[string, string, Json, unknown]>([
	['Packeta', 'wooCommerce', meta(['a', 1], ['_packetery_point_id', '9120']), '9120'],
	['Packeta, after an empty entry', 'wooCommerce', TWICE, '9120'],
	['Packeta today', 'wooCommerce', line({ packeta: { point_id: '9120' } }), '9120'],
	['PPL', 'wooCommerce', line(meta(['pplcz_parcelshop_data', PPL])), 'KM10020100'],
	['GLS', 'wooCommerce', meta(['_gls_pickup_info', '{"id":"CZ123","name":"Shop"}']), 'CZ123'],
	['GLS, cut off', 'wooCommerce', meta(['_gls_pickup_info', '{"id":"CZ1']), undefined],
	['no plugin', 'wooCommerce', { meta_data: [null, 'a', { key: 'b' }] }, undefined],
	['Atlas Pickup Points', 'shopify', atlas('atlas_pickup_points'), 'WAW29'],
	['another metafield', 'shopify', atlas('custom'), undefined],
	['the shop', 'shoptet', { shippingDetails: { branchId: '45', name: 'Brno' } }, '45'],
])('the pickup point that %s stores in an order of %s is read by its key', (...given) => {
	const [, shop, more, code] = given;
	expect(read(shop, 0, more)?.values.branchId).toBe(code);
});

test('pickup points that differ are not chosen from, and equal ones are one', () => {
	const two = meta(['_packetery_point_id', 9120], ['zasilkovna_id_pobocky', '9120 ']);
	expect(read('wooCommerce', 0, two)?.values.branchId).toBe(9120);
	const different = meta(['_packetery_point_id', '9120'], ['zasilkovna_id_pobocky', '79']);
	const order = read('wooCommerce', 0, different);
	expect(order?.values.branchId).toBeUndefined();
	const message = 'The order has different pickup points: "9120" and "79"';
	expect(order?.problems).toMatchObject([{ field: 'branchId', message }]);
});
