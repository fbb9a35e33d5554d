import { get, omit } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { readCreationOptions } from '../../../nodes/ParcelShipping/descriptions/createForm';
import { readOrders } from '../../../nodes/ParcelShipping/orders/readOrders';

/** Reads one item, with its own fields as the mapping. */
async function read(
	json: IDataObject,
	more: IDataObject,
	options: IDataObject = {},
	expressions: Record<string, () => unknown> = {},
) {
	const shipment = { mappingMode: 'autoMapInputData', value: null };
	const parameters = { carrierService: 'ANT/ANT-HOME', shipment, ...more };
	const context = {
		getNodeParameter: (name: string, _: number, fallback: unknown, how: object) =>
			expressions[name] && !('rawExpressions' in how)
				? expressions[name]()
				: (get(parameters, name, fallback) as unknown),
	} as unknown as IExecuteFunctions;
	const [values] = await readOrders(context, [{ json }], readCreationOptions(options));
	return values;
}

const problemsOf = async (...given: Parameters<typeof read>) =>
	((await read(...given))?.problems ?? []).map(({ field, message }) => [field, message]);

/** What is sent, without the service. */
const bodyOf = async (json: IDataObject, options?: IDataObject) =>
	omit((await read(json, { options }))?.order.body, 'serviceType');

test("automatic mapping does not send a shop's own orderId, unless the user sets it", async () => {
	expect(await bodyOf({ orderId: 501 })).not.toHaveProperty('orderId');
	const additionalFields = { orderId: 7 };
	expect(await bodyOf({ orderId: 501 }, { additionalFields })).toEqual({ orderId: 7 });
});

test('an unknown name in a mapping by hand is refused, because its value would be lost', async () => {
	const message = 'Unknown fields: codAmount';
	const shipment = { mappingMode: 'defineBelow', value: { codAmount: 5, recCity: 'Praha' } };
	expect(await problemsOf({}, { shipment })).toEqual([['shipment', message]]);
	const overrides = { mappingMode: 'defineBelow', value: { codAmount: 5 } };
	const ofShop = { orderData: 'wooCommerce', overrides };
	expect(await problemsOf(WOO_ORDER, ofShop)).toEqual([['overrides', message]]);
	expect(await problemsOf({ codAmount: 5 }, {})).toEqual([]);
});

test('a shop that the form does not have is refused, because nothing would be mapped', async () => {
	const message = 'Invalid Order Data: "magento"';
	await expect(read(WOO_ORDER, { orderData: 'magento' })).rejects.toThrow(message);
});

test('the prefix comes before every order number, and is none itself', async () => {
	const prefixed = { orderNumberPrefix: 'A-' };
	expect(await bodyOf({ packageNumberCustom: 1001 }, prefixed)).toEqual({
		packageNumberCustom: 'A-1001',
	});
	expect(await bodyOf({ packageNumberCustom: '' }, prefixed)).toEqual({});
});

const WOO_ORDER = {
	...{ number: '7', total: '100', currency: 'CZK', date_paid: '2026-03-02T09:14:20' },
	billing: {
		...{ first_name: 'Jana', last_name: 'Nováková', company: 'Novák a syn' },
		...{ address_1: 'Dlouhá 12', city: 'Praha', postcode: '11000', country: 'CZ' },
	},
};
const pointAt = (key: string) => ({ meta_data: [{ key, value: 'P-1' }] });

test.each<[order: IDataObject, overrides: IDataObject, problems: string[]]>([
	[{}, {}, ['branchId']],
	[pointAt('_packetery_point_id'), {}, []],
	[pointAt('_my_point'), {}, ['branchId']],
	[{}, { branchId: 'P-1' }, []],
	[pointAt('_packetery_point_id'), { branchId: null, recName: '' }, []],
])('an order to pick up at the shop is shipped to its pickup point (%j, %j)', async (...given) => {
	const [more, value, fields] = given;
	const order = { ...WOO_ORDER, shipping_lines: [{ method_id: 'local_pickup' }], ...more };
	const values = await read(order, { orderData: 'wooCommerce', overrides: { value } });
	expect(values?.problems.map(({ field }) => field)).toEqual(fields);
	expect(values?.order.body.branchId).toBe(fields.length === 0 ? 'P-1' : undefined);
});

test('a service in Additional Fields is refused', async () => {
	const additionalFields = { serviceType: 'ANT-HOME', recZip: '11000' };
	expect(await problemsOf({ recCity: 'Praha' }, { options: { additionalFields } })).toEqual([
		['additionalFields', 'Invalid Additional Fields: {"serviceType":"ANT-HOME","recZip":"11000"}'],
	]);
});

test('no rule is tried that asks how an order is paid if the order does not say it', async () => {
	const order = { number: 'A-1', billing: { first_name: 'Jana' }, total: '100', currency: 'CZK' };
	const rule = { more: { cashOnDelivery: true }, carrierService: 'ANT/ANT-COD' };
	const parameters = { orderData: 'wooCommerce', carrierService: '', rules: { rule } };
	const { problems = [] } = (await read(order, parameters)) ?? {};
	const unpaid = 'The order is not paid and has no payment method';
	const ofPayment = problems.filter(({ field }) => ['cod', 'rules'].includes(field));
	expect(ofPayment.map(({ message }) => message)).toEqual([unpaid]);
});

test('an order for which a rule chooses gets additional services only from an expression', async () => {
	// Also if the rule chooses another service of the same carrier.
	const rule = { more: { countries: 'SK' }, carrierService: 'ANT/ANT-POINT' };
	const options = { additionalServices: ['SMS'] };
	const servicesOf = async (json: IDataObject, more: IDataObject = {}, expressions = {}) =>
		(await read(json, { rules: { rule }, options, ...more }, {}, expressions))?.order.body.services;
	expect(await servicesOf({ recCountry: 'CZ' })).toEqual(['SMS']);
	expect(await servicesOf({ recCountry: 'SK' })).toBeUndefined();
	expect(await servicesOf({ recCountry: 'SK', services: 'BIG' })).toEqual(['BIG']);
	const withExpression = { options: { additionalServices: '={{ $json.codes }}' } };
	const expressions = { 'options.additionalServices': () => 'BIG' };
	expect(await servicesOf({ recCountry: 'SK' }, withExpression, expressions)).toEqual(['BIG']);
});

const AMOUNT = { codPrice: '={{ $json.amount }}' };

test.each<[what: string, mapped: IDataObject, json: IDataObject, collected: unknown]>([
	['an amount in the item', AMOUNT, { amount: 5 }, 5],
	['no amount in the item', { ...AMOUNT, cod: true }, { amount: '' }, false],
	['a text in the item', { ...AMOUNT, cod: false }, { amount: '539,50 Kč' }, 539.5],
	['no amount in the item, as 0', { ...AMOUNT, cod: true }, { amount: '0,00 Kč' }, false],
	['no amount in the form', { codPrice: null, cod: true }, {}, 100],
	['neither in the form', { codPrice: null, cod: false }, {}, false],
])('with %s, what is collected is certain', async (_, mapped, json, collected) => {
	const value = { price: 100, codCurrency: 'CZK', ...mapped };
	const shipment = { mappingMode: 'defineBelow', value };
	const body = (await read(json, { shipment }))?.order.body;
	expect(body?.cod === true ? body.codPrice : body?.cod).toBe(collected);
});
