import { readFileSync } from 'node:fs';
import path from 'node:path';

import { pick } from 'lodash';

import {
	findOtherShop,
	placesOf,
	readShopOrder,
	SHOPS,
} from '../../../nodes/ParcelShipping/orders/shops';

type Json = Record<string, unknown>;

const samples = path.join(__dirname, '../../../workflows/samples');

function sampleOf(shop: string, index: number): Json {
	const file = path.join(samples, `${shop.toLowerCase()}-orders.json`);
	return (JSON.parse(readFileSync(file, 'utf8')) as Json[])[index] as Json;
}

/** Reads a sample order of a shop with some of its fields changed. */
function read(shop: string, index: number, more: Json = {}) {
	const sample = sampleOf(shop, index);
	const { order } = (sample.data ?? {}) as { order?: Json };
	const item = order ? { ...sample, data: { order: { ...order, ...more } } } : sample;
	return readShopOrder(order ? item : { ...item, ...more }, SHOPS[shop] as (typeof SHOPS)[string]);
}

test('an order of WooCommerce with cash on delivery is read', () => {
	const { values, shippingMethod } = read('wooCommerce', 1, { customer_note: 'Ring twice' }) ?? {};
	expect(values).toMatchObject({
		packageNumberCustom: '1043',
		price: '539.50',
		note: 'Ring twice',
		cod: true,
		codPrice: '539.50',
		codCurrency: 'CZK',
		recName: 'Petr Svoboda',
		recCompany: 'Svoboda a syn',
		recStreet: 'Náměstí 3, 2. patro',
		recCity: 'Brno',
		recZip: '60200',
		recCountry: 'CZ',
		recPhone: '+420 (608) 111 222',
		recEmail: 'petr.svoboda@example.com',
	});
	expect(shippingMethod).toBe('Courier');
});

const UNPAID = { date_paid: null, financial_status: 'pending', paid: false };
const GIFT_CARD = { payment_gateway_names: ['gift_card', 'Cash on Delivery (COD)'] };
const DEPOSIT = { toPay: '289.00', withVat: '1289.00', currencyCode: 'CZK' };

test.each<[name: string, shop: string, index: number, changes: Json, expected: Json]>([
	['that is paid', 'wooCommerce', 0, {}, { cod: false }],
	['that is paid', 'shoptet', 1, {}, { cod: false }],
	['that is paid by bank transfer later', 'wooCommerce', 3, UNPAID, { cod: false }],
	['that costs nothing', 'wooCommerce', 1, { total: '0.00' }, { cod: false }],
	['with a method that nobody knows', 'wooCommerce', 0, UNPAID, { cod: 'stripe' }],
	['with a method that nobody knows', 'shopify', 0, UNPAID, { cod: 'bogus' }],
	['without a method', 'wooCommerce', 0, { ...UNPAID, payment_method: '' }, { cod: undefined }],
	['to collect', 'shoptet', 0, {}, { cod: true, codPrice: '1289.00', codCurrency: 'CZK' }],
	[
		'of which a gift card has paid a part',
		'shopify',
		0,
		{ ...UNPAID, ...GIFT_CARD, total_outstanding: '5.00' },
		{ cod: true, codPrice: '5.00', codCurrency: 'EUR', price: '45.00' },
	],
	['with a deposit', 'shoptet', 0, { price: DEPOSIT }, { codPrice: '289.00', price: '1289.00' }],
])('the payment of an order %s is read (%s, sample %i)', (_, shop, index, changes, expected) => {
	const { values } = read(shop, index, changes) ?? {};
	expect(pick(values, Object.keys(expected))).toEqual(expected);
});

const BILLING = {
	first_name: 'Eva',
	last_name: '',
	company: 'Eva s.r.o.',
	address_1: 'Krátká 1',
	city: 'Brno',
	phone: '608 111 222',
};
const EMPTY = { first_name: '', last_name: '', address_1: '', city: '', postcode: '' };
const EVA = { recName: 'Eva', recCompany: 'Eva s.r.o.', recPhone: '608 111 222' };

test.each<[name: string, changes: Json, expected: Json]>([
	['the delivery address', { billing: BILLING }, { recName: 'Jana Nováková' }],
	['the billing address, if there is no other', { shipping: EMPTY, billing: BILLING }, EVA],
	[
		'the billing address without a street, to a pickup point',
		{ shipping: EMPTY, billing: { ...BILLING, address_1: '' } },
		{ ...EVA, recStreet: undefined, recCity: 'Brno' },
	],
	[
		'nothing, if no part has its type',
		{ number: 7, shipping: null, billing: 'none', shipping_lines: {}, total: {} },
		{ packageNumberCustom: 7, price: {}, recName: undefined },
	],
])('an order of WooCommerce goes to %s', (_, changes, expected) => {
	const { values } = read('wooCommerce', 0, changes) ?? {};
	expect(pick(values, Object.keys(expected))).toEqual(expected);
});

test('orders of Shopify and Shoptet have their number, weight and address', () => {
	expect(read('shopify', 1)).toMatchObject({
		values: { packageNumberCustom: 1202, weight: 0.8, recName: 'Anna Müller', recZip: '01067' },
		shippingMethod: 'International',
	});
	expect(read('shopify', 0, { total_weight: 'heavy' })?.values.weight).toBe('heavy');
	expect(read('shopify', 0, { total_weight: 0 })?.values.weight).toBeUndefined();
	expect(read('shoptet', 1)?.values).toMatchObject({ recStreet: 'Hlavná 3', recCountry: 'SVK' });
	expect(read('shoptet', 0)).toMatchObject({
		values: { packageNumberCustom: '2026000057' },
		shippingMethod: 'Kurýr',
	});
});

test.each([[null], ['text'], [[]], [{}], [{ data: { order: null } }], [{ number: ' ' }]])(
	'%j is no order of any shop',
	(json) => {
		for (const shop of Object.values(SHOPS)) expect(readShopOrder(json, shop)).toBeUndefined();
	},
);

test.each([
	['wooCommerce', 5042],
	['shopify', '5500000001201'],
	['shoptet', '2026000057'],
])('the ID of an order of %s is %j, as the shop has it', (shop, id) => {
	expect(read(shop, 0, { id, code: id })?.values.shopOrderId).toBe(id);
});

const meta = (...entries: Array<[string, unknown]>) => ({
	meta_data: entries.map(([key, value], id) => ({ id, key, value })),
});
const line = (more: Json) => ({ shipping_lines: [{ method_title: 'Point', ...more }] });
const PPL = { name: 'PPL Parcelshop', code: 'KM10020100', zipCode: '60200' };

test.each<[string, string, Json, unknown]>([
	['Packeta', 'wooCommerce', meta(['a', 1], ['_packetery_point_id', '9120']), '9120'],
	['Packeta', 'wooCommerce', meta(['_packetery_point_id', '9120'], ['a', 1]), '9120'],
	['Packeta today', 'wooCommerce', line({ packeta: { point_id: '9120' } }), '9120'],
	['Packeta, without a point', 'wooCommerce', line({ packeta: { point_id: null } }), undefined],
	['PPL', 'wooCommerce', line(meta(['pplcz_parcelshop_data', PPL])), 'KM10020100'],
	['GLS', 'wooCommerce', meta(['_gls_pickup_info', '{"id":"CZ123","name":"Shop"}']), 'CZ123'],
	['GLS, cut off', 'wooCommerce', meta(['_gls_pickup_info', '{"id":"CZ1']), undefined],
	['InPost', 'wooCommerce', meta(['_parcel_machine_id', 'KRA01M']), 'KRA01M'],
	['no plugin', 'wooCommerce', { meta_data: [null, 'a', { key: 'b' }] }, undefined],
	['no list', 'wooCommerce', { meta_data: {} }, undefined],
	[
		'Atlas Pickup Points',
		'shopify',
		{ metafields: [{ namespace: 'atlas_pickup_points', key: 'point', value: '{"code":"WAW29"}' }] },
		'WAW29',
	],
	[
		'another metafield',
		'shopify',
		{ metafields: [{ namespace: 'custom', key: 'point', value: '{"code":"WAW29"}' }] },
		undefined,
	],
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
	expect(order?.values).not.toHaveProperty('branchId');
	expect(order?.pickupPoints).toEqual([
		['meta_data._packetery_point_id', '9120'],
		['meta_data.zasilkovna_id_pobocky', '79'],
	]);
});

test.each([
	['wooCommerce', 'shopify', 'Shopify Order'],
	['wooCommerce', 'shoptet', 'Shoptet Order'],
	['shopify', 'wooCommerce', 'WooCommerce Order'],
	['shoptet', 'shopify', 'Shopify Order'],
	['shopify', 'shopify', undefined],
])('read as an order of %s, an order of %s is recognized as a %s', (as, of, caption) => {
	const shop = SHOPS[as] as (typeof SHOPS)[string];
	expect(findOtherShop(sampleOf(of, 0), shop)?.caption).toBe(caption);
});

test.each([
	['wooCommerce', 'recPhone', 'shipping phone or billing phone'],
	['wooCommerce', 'recName', 'shipping first name and shipping last name'],
	['shopify', 'recEmail', 'email or contact email or customer email'],
	['shoptet', 'recZip', 'delivery address zip'],
	['shoptet', 'weight', undefined],
] as const)('in an order of %s, %s is %s', (shop, name, places) => {
	expect(placesOf(name, SHOPS[shop] as (typeof SHOPS)[string])).toBe(places);
});
