import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { mapperFields } from '../../nodes/ParcelShipping/methods/resourceMapping';
import { newAccount } from '../support/credentials';
import { fieldsOf, valuesOf } from '../support/outputs';
import { creationForm, orderItem } from '../support/shop';
import { useShop } from '../support/useShop';

const shop = useShop();
// The nodes remember what the carriers of an account offer.
beforeEach(() => {
	shop.engine.credential.data = newAccount(shop.sandbox.url);
});

const STOP = { onError: 'stopWorkflow' } as const;

/** A paid order of WooCommerce to a pickup point. */
const wooCommerce = (number: string, ...points: Array<[string, string]>): IDataObject => ({
	...{ id: 5042, number, total: '539.50', currency: 'CZK', date_paid: '2026-03-02' },
	billing: { email: 'jana@example.com', phone: '777 123 456' },
	shipping: { first_name: 'Jana', country: 'CZ' },
	meta_data: points.map(([key, value], id) => ({ id, key, value })),
});
const parametersOf = (form: object, options: IDataObject = {}) =>
	({ ...creationForm(options), ...form }) as INodeParameters;

/** The error and the advice of each order that is refused. */
async function errorsOf(items: IDataObject[], form: object, options: IDataObject = {}) {
	const parameters = parametersOf(form, options);
	const { errorItems } = await shop.create(items, {}, { parameters });
	return fieldsOf(errorItems, 'error', 'message') as Array<[string, string]>;
}

test('an order of another shop is refused with what it lacks', async () => {
	const [[error, advice] = []] = await errorsOf([wooCommerce('1')], {
		...{ orderData: 'shoptet', carrierService: 'ANT/ANT-HOME' },
	});
	expect(error).toBe('The item is not a Shoptet Order: it has no code');
	expect(advice).toContain(
		'Order Data: expected a Shoptet Order as the API of the shop returns it',
	);
});

test('the chosen service is for the orders that no rule fits, which are refused without one', async () => {
	const order = (number: string, shippingMethod: string) =>
		orderItem(number, { shippingMethod, cod: false });
	const orders = [order('A-1', 'Locker'), order('A-2', 'Courier')];
	const rule = [{ text: 'locker', carrierService: 'BEAVER/BEAVER-PARCEL' }];
	const shippingMethod = '={{ $json.shippingMethod }}';
	const run = async (carrierService: object | string) =>
		await shop.create(
			orders,
			{},
			{
				parameters: parametersOf(
					{ carrierService, shippingMethod, rules: { rule } },
					{ dryRun: true },
				),
			},
		);
	const byRules = await run('ANT/ANT-HOME');
	expect(fieldsOf(byRules.items, 'carrierCode', 'rule')).toEqual([
		['BEAVER', 'Rule 1 ("locker")'],
		['ANT', undefined],
	]);
	const without = await run({ __rl: true, mode: 'list', value: '' });
	expect(valuesOf(without.items, 'wouldDo')).toEqual(['create', 'refuse']);
	expect(without.items[1]?.json.problems).toMatchObject([
		{ message: 'No rule fits the shipping method "Courier"' },
	]);
});

test.each([{}, null])(
	'an empty mapping, %j, is reported with captions of the form',
	async (value) => {
		const shipment = { mappingMode: 'defineBelow', value, schema: mapperFields() };
		const form = { shipment, carrierService: 'ANT/ANT-HOME' };
		const [[error] = []] = await errorsOf([orderItem('A-1')], form);
		expect(error).toMatch(/^Order Number is missing; Shipment Value is missing;/);
	},
);

test('without an error output, the message says that nothing was sent and how to ship the rest', async () => {
	const orders = [orderItem('A-1'), orderItem('A-2', { recZip: '' }), orderItem('A-3')];
	const { error } = await shop.create(orders, {}, STOP);
	expect(error?.message).toBe(
		'Nothing was sent, although 2 of 3 items are fine. A-2: Recipient Postal Code is missing',
	);
	expect(error?.description).toContain(
		"To ship the items that are fine, set 'On Error' in the settings of the node to 'Continue (using error output)'",
	);
	expect(shop.shipments()).toEqual([]);
});

test('the addresses of an existing shipment can be swapped for a return, as the recipe says', async () => {
	await shop.create([orderItem('A-1')]);
	const get = { resource: 'shipment', operation: 'get', orderNumber: 'A-1', simplify: false };
	const { items } = await shop.engine.run({ parameters: get, items: [{}] });
	const fields = ['Name', 'Street', 'City', 'Zip', 'Country', 'Phone', 'Email'];
	const sender = fields.map((field) => [`sender${field}`, `={{ $json.rec${field} }}`]);
	const own = { recCompany: 'Shop', recStreet: 'Skladová 1', recCity: 'Praha', recZip: '19000' };
	const value = {
		...{ packageNumberCustom: '=RET-{{ $json.packageNumberCustom }}', price: '={{ $json.price }}' },
		...{ ...own, recCountry: 'CZ', recPhone: '+420220000111' },
		...Object.fromEntries(sender),
	};
	const parameters = parametersOf({
		carrierService: 'ANT/ANT-RETURN',
		shipment: { mappingMode: 'defineBelow', value, schema: [] },
	});
	await shop.engine.run({ parameters, items: items.map(({ json }) => json) });
	const [order, back] = shop.shipments();
	expect(back?.packageNumberCustom).toBe('RET-A-1');
	expect(back?.input).toMatchObject({
		...own,
		senderName: order?.input.recName,
		senderZip: order?.input.recZip,
	});
});
