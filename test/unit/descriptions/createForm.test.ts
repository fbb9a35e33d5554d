import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	createFields,
	readCreationOptions,
} from '../../../nodes/ParcelShipping/descriptions/createForm';

test('without options, nothing ships twice, and nothing is guessed', () => {
	expect(readCreationOptions({})).toMatchObject({
		ifShipped: 'returnUnchanged',
		labels: 'none',
		dryRun: false,
	});
	expect(readCreationOptions({ ifShipped: 'return' }).ifShipped).toBe('return');
});

test.each([
	[null, ''],
	[['cod_card', 'courier'], 'cod_card,courier'],
	['cod_card', 'cod_card'],
])('the cash-on-delivery methods %j of an expression are %j', (codMethods, expected) => {
	expect(readCreationOptions({ codMethods }).codMethods).toBe(expected);
});

test('a choice that the form does not have is refused, and no value means the default', () => {
	expect(() => readCreationOptions({ labels: 'paper' })).toThrow('Invalid Labels: "paper"');
	const invalid = 'Invalid If Already Shipped: "skip"';
	expect(() => readCreationOptions({ ifShipped: 'skip' })).toThrow(invalid);
	const fallback = { ifShipped: 'returnUnchanged' };
	expect(readCreationOptions({ ifShipped: null })).toMatchObject(fallback);
	expect(() => readCreationOptions({ defaultWeight: -1 })).toThrow('Invalid Default Weight: -1');
});

test('the form begins with where the order comes from, and shows only what is used then', () => {
	const hiddenFor = (orderData: string) =>
		createFields
			.filter(({ displayOptions }) => displayOptions?.hide?.orderData?.includes(orderData))
			.map(({ name }) => name);
	expect(createFields.map(({ name }) => name).slice(0, 3)).toEqual([
		...['orderData', 'carrierService', 'rules'],
	]);
	// An order of a shop contains its shipping method and everything that the notice asks for.
	const inShopOrder = ['shippingMethod', 'serviceNeedsNotice', 'shipment'];
	expect(hiddenFor('wooCommerce')).toEqual(inShopOrder);
	expect(hiddenFor('shopify')).toEqual(inShopOrder);
});

test('there are few options, and each switch among them is on as soon as the user adds it, and off without it', () => {
	const options = createFields.find(({ name }) => name === 'options')?.options as INodeProperties[];
	expect(options.length).toBeLessThanOrEqual(8);
	const switches = options.filter(({ type }) => type === 'boolean');
	expect(switches.map(({ name }) => name)).toEqual(['dryRun']);
	const added = Object.fromEntries(switches.map((each) => [each.name, each.default]));
	expect(readCreationOptions(added as IDataObject).dryRun).toBe(true);
	expect(readCreationOptions({}).dryRun).toBe(false);
});
