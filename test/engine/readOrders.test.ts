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

const parametersOf = (form: object, options: IDataObject) =>
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
		refusedItems: linksOf(refused),
		problemFields: problems.map((each) => each.map(({ field }) => field)),
	};
}

/** Returns the error and its description for each order that is refused. */
async function errorsOf(items: IDataObject[], form: object = {}) {
	const { errorItems } = await shop.create(items, {}, { parameters: parametersOf(form, {}) });
	return fieldsOf(errorItems, 'error', 'message');
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

test('All problems of all items are reported before any shipment is created', async () => {
	const wrong = { recPhone: '+420 777 123', recCountry: 'Atlantis', price: '1.200' };
	const items = [
		order(),
		order(wrong),
		order({ recEmail: 'jana.example.com', cod: true, price: undefined }),
	];
	const { readItems, refusedItems, problemFields } = await read(items, {});
	expect([readItems, refusedItems]).toEqual([[0], [1, 2]]);
	expect(problemFields).toEqual([
		['price', 'recCountry', 'recPhone'],
		['recEmail', 'price', 'codPrice', 'codCurrency'],
	]);
	const stop = { onError: 'stopWorkflow' } as const;
	const parameters = parametersOf({}, {});
	const { error } = await shop.create(items, {}, { parameters, ...stop });
	expect(error?.message).toBe(
		'Nothing was sent, although 1 of 3 items is fine. 0012345678901234567890: Invalid Shipment Value: "1.200"; Invalid Recipient Country: "Atlantis"; Invalid Recipient Phone: "+420 777 123"',
	);
	expect(error?.description).toContain(' 0012345678901234567890: Invalid Recipient Email');
	expect(shop.shipments()).toEqual([]);
});

describe('An order of a shop', () => {
	const form = { orderData: 'wooCommerce', shipment: { mappingMode: 'defineBelow', value: null } };
	const wooCommerce = (more: IDataObject = {}): IDataObject => ({
		number: 1043,
		total: '1 539.50',
		currency: 'CZK',
		billing: { email: 'jana@example.com', phone: '+420 777 123 456' },
		shipping: { first_name: 'Jana', address_1: 'Dlouhá 12', city: 'Praha', country: 'CZ' },
		payment_method: 'cod',
		date_paid: null,
		shipping_lines: [{ method_title: 'Courier' }],
		...more,
	});
	const overrides = (value: IDataObject) => ({ ...form, overrides: { value } });

	test('is read, and what the user maps replaces it', async () => {
		const value = { recZip: '={{ $json.zip }}', recName: 'J N', recCity: '' };
		const { requests } = await read([wooCommerce({ zip: '01001' })], overrides(value));
		expect(requests).toEqual([
			{
				...{ serviceType: 'ANT-HOME', packageNumberCustom: '1043', price: 1539.5 },
				...{ cod: true, codPrice: 1539.5, codCurrency: 'CZK' },
				...{ recName: 'J N', recStreet: 'Dlouhá 12', recCity: 'Praha', recZip: '01001' },
				...{ recCountry: 'CZ', recPhone: '+420777123456', recEmail: 'jana@example.com' },
			},
		]);
	});
});

describe('Additional Fields', () => {
	const additional = { services: [{ code: 'SMS' }], weight: 2, price: 99, orderId: 501 };

	test('are merged last, with fields that only the carrier knows', async () => {
		const additionalFields = `={{ ${JSON.stringify(additional)} }}`;
		const { requests, hints } = await read([order()], {}, { additionalFields });
		expect([requests, hints]).toEqual([[request(additional)], []]);
	});
});

test('An order without its prefix is refused, because another shop may have its number', async () => {
	const items = [order({ shop: 'A-' }), order({ packageNumberCustom: 'B', shop: ' ' }), order()];
	const prefixed = { orderNumberPrefix: '={{ $json.shop }}' };
	const { requests, problemFields } = await read(items, { shipment: byHand }, prefixed);
	expect(
		valuesOf(
			requests.map((json) => ({ json })),
			'packageNumberCustom',
		),
	).toEqual(['A-0012345678901234567890']);
	expect(problemFields).toEqual([['orderNumberPrefix'], ['orderNumberPrefix']]);
	const none = await read([order()], {}, { orderNumberPrefix: '' });
	expect(none.requests).toEqual([request()]);
});

test('An expression that fails for one item is reported, and the other items are read', async () => {
	const recName = "={{ $json.recName || $('Nowhere').item.json.name }}";
	const shipment = { value: { ...mapped, recName } };
	const items = [order(), order({ recName: '' })];
	const { readItems, problemFields } = await read(items, { shipment });
	expect([readItems, problemFields]).toEqual([[0], [['shipment']]]);
	expect((await errorsOf(items.slice(1), { shipment }))[0]?.[0]).toContain('the expression failed');
});
