import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { mapperFields } from '../../nodes/ParcelShipping/methods/resourceMapping';
import { newAccount } from '../support/credentials';
import { fieldsOf, linksOf, valuesOf } from '../support/outputs';
import { creationForm } from '../support/shop';
import { useShop } from '../support/useShop';

const shop = useShop();
// The nodes remember what the carriers of an account offer.
beforeEach(() => {
	shop.engine.credential.data = newAccount(shop.sandbox.url);
});

const order = (more: IDataObject = {}): IDataObject => ({
	packageNumberCustom: '0012345678901234567890',
	price: 1200.5,
	recName: 'Jana Nováková',
	recStreet: 'Dlouhá 12',
	recCity: 'Praha',
	recZip: '01001',
	recCountry: 'CZ',
	...more,
});
const request = (more: IDataObject = {}) => ({ serviceType: 'ANT-HOME', ...order(more) });
const mapped = Object.fromEntries(
	Object.keys(order()).map((name) => [name, `={{ $json.${name} }}`]),
);
const byHand = { mappingMode: 'defineBelow', value: mapped };
const withSchema = { ...byHand, matchingColumns: [], schema: mapperFields() };
const automatic = { mappingMode: 'autoMapInputData', value: null };

const parametersOf = (form: object, options: IDataObject = {}) =>
	({
		...creationForm(options),
		...{ carrierService: 'ANT/ANT-HOME', shipment: automatic },
		...form,
	}) as INodeParameters;

/** Reads the orders in a dry run. */
async function read(items: IDataObject[], form: object = {}, options: IDataObject = {}) {
	const parameters = parametersOf(form, { dryRun: true, ...options });
	const run = await shop.create(items, {}, { parameters });
	const orders = run.items.filter(({ json }) => json.wouldDo === 'create');
	const refused = run.items.filter(({ json }) => json.wouldDo === 'refuse');
	const problems = valuesOf(refused, 'problems') as Array<Array<{ field: string }>>;
	return {
		requests: valuesOf(orders, 'request') as IDataObject[],
		carriers: fieldsOf(orders, 'carrierCode', 'rule'),
		// The first one counts the orders.
		hints: run.hints.slice(1),
		readItems: linksOf(orders),
		problemFields: problems.map((each) => each.map(({ field }) => field)),
	};
}

test.each<[string, object]>([
	['fields mapped by hand', { shipment: byHand }],
	['fields mapped by hand, without what the editor adds', { shipment: { value: mapped } }],
	['fields mapped by hand, with the schema that the editor adds', { shipment: withSchema }],
	['an item mapped automatically', { shipment: automatic }],
	['an expression that gives an object', { shipment: '={{ $json }}' }],
	['an expression that gives a whole mapping', { shipment: '={{ { value: $json } }}' }],
	...['list', 'code'].map((mode): [string, object] => [
		`a locator as the editor saves it (${mode})`,
		{ carrierService: { __rl: true, mode, value: 'ANT/ANT-HOME', cachedResultName: 'Ant' } },
	]),
	['an expression for both codes', { carrierService: '=ANT/{{ "ANT-HOME" }}' }],
])('The same order is read from %s', async (_, form) => {
	const input = [order()];
	const { requests, carriers, hints } = await read(input, form);
	expect([requests, carriers, hints]).toEqual([[request()], [['ANT', undefined]], []]);
	expect(input).toEqual([order()]);
});

test('All problems of all items are reported before any shipment is created, with how to ship the rest', async () => {
	const wrong = { recPhone: '+420 777 123', recCountry: 'Atlantis', price: '1.200' };
	const more = { recEmail: 'jana.example.com', cod: true, price: undefined };
	const stop = { onError: 'stopWorkflow' } as const;
	const items = [order(), order(wrong), order(more)];
	const { error } = await shop.create(items, {}, { parameters: parametersOf({}), ...stop });
	expect(error?.message).toBe(
		'1 valid item was not sent. 0012345678901234567890: Invalid Shipment Value: "1.200"; Invalid Recipient Country: "Atlantis"; Invalid Recipient Phone: "+420 777 123"',
	);
	expect(error?.description).toContain(' 0012345678901234567890: Invalid Recipient Email');
	expect(error?.description).toContain(
		"To ship the valid items, set 'On Error' in the settings of the node to 'Continue (using error output)'",
	);
	expect(shop.shipments()).toEqual([]);
});

test('An order of a shop is read, and what the user maps replaces it', async () => {
	const item = {
		...{ number: 1043, total: '1 539.50', currency: 'CZK', date_paid: null, zip: '01001' },
		billing: { email: 'jana@example.com', phone: '+420 777 123 456' },
		shipping: { first_name: 'Jana', address_1: 'Dlouhá 12', city: 'Praha', country: 'CZ' },
		payment_method: 'cod',
		shipping_lines: [{ method_title: 'Courier' }],
	};
	const value = { recZip: '={{ $json.zip }}', recName: 'J N', recCity: '' };
	const { requests } = await read([item], { orderData: 'wooCommerce', overrides: { value } });
	expect(requests).toEqual([
		{
			...{ serviceType: 'ANT-HOME', packageNumberCustom: '1043', price: 1539.5 },
			...{ cod: true, codPrice: 1539.5, codCurrency: 'CZK' },
			...{ recName: 'J N', recStreet: 'Dlouhá 12', recCity: 'Praha', recZip: '01001' },
			...{ recCountry: 'CZ', recPhone: '+420777123456', recEmail: 'jana@example.com' },
		},
	]);
	const parameters = parametersOf({ orderData: 'shoptet' });
	const { errorItems } = await shop.create([item], {}, { parameters });
	expect(errorItems[0]?.json.error).toBe('The item is not a Shoptet Order: it has no code');
});

test('Additional Fields are merged last, with fields that only the carrier knows', async () => {
	const additional = { services: [{ code: 'SMS' }], weight: 2, price: 99, orderId: 501 };
	const additionalFields = `={{ ${JSON.stringify(additional)} }}`;
	const { requests, hints } = await read([order()], {}, { additionalFields });
	expect([requests, hints]).toEqual([[request(additional)], []]);
});

test('An order without its prefix is refused, because another shop may have its number', async () => {
	const items = [order({ shop: 'A-' }), order({ packageNumberCustom: 'B', shop: ' ' }), order()];
	const prefixed = { orderNumberPrefix: '={{ $json.shop }}' };
	const { requests, problemFields } = await read(items, { shipment: byHand }, prefixed);
	expect(requests).toMatchObject([{ packageNumberCustom: 'A-0012345678901234567890' }]);
	expect(problemFields).toEqual([['orderNumberPrefix'], ['orderNumberPrefix']]);
});

test('An expression that fails for one item is reported, and the other items are read', async () => {
	const recName = "={{ $json.recName || $('Nowhere').item.json.name }}";
	const shipment = { value: { ...mapped, recName } };
	const { readItems, problemFields } = await read([order(), order({ recName: '' })], { shipment });
	expect([readItems, problemFields]).toEqual([[0], [['shipment']]]);
});

test('The addresses of an existing shipment can be swapped for a return, as the recipe says', async () => {
	shop.sandbox.seedShipments(1, { ...order({ packageNumberCustom: 'A-1' }) });
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
	const shipment = { mappingMode: 'defineBelow', value, schema: [] };
	const parameters = parametersOf({ carrierService: 'ANT/ANT-RETURN', shipment });
	await shop.engine.run({ parameters, items: items.map(({ json }) => json) });
	const back = shop.shipments().at(-1);
	expect(back?.packageNumberCustom).toBe('RET-A-1');
	expect(back?.input).toMatchObject({ ...own, senderName: 'Jana Nováková', senderZip: '01001' });
});
