import {
	createFields,
	readCreationOptions,
} from '../../../nodes/ParcelShipping/descriptions/createForm';

test('without options, nothing ships twice, nothing is guessed and nothing is downloaded', () => {
	expect(readCreationOptions({})).toMatchObject({
		ifExists: 'reuse',
		ifDiffers: 'fail',
		downloadLabels: false,
		dryRun: false,
		ifPrintingFails: 'fail',
	});
	expect(readCreationOptions({ ifExists: 'create' }).ifExists).toBe('create');
});

test.each([
	[null, ''],
	[['cod_card', 'courier'], 'cod_card,courier'],
	['cod_card', 'cod_card'],
])('the cash-on-delivery methods %j of an expression are %j', (codMethods, expected) => {
	expect(readCreationOptions({ codMethods }).codMethods).toBe(expected);
});

test('a choice that the form does not have is refused, and no value means the default', () => {
	expect(() => readCreationOptions({ ifExists: 'skip' })).toThrow('Invalid If It Exists: "skip"');
	expect(readCreationOptions({ ifDiffers: null })).toMatchObject({ ifDiffers: 'fail' });
	expect(() => readCreationOptions({ timeout: 0 })).toThrow('Invalid Timeout (Ms): 0');
});

test('the error of a choice names its parameter', () => {
	const details = { field: 'ifExists' };
	expect(() => readCreationOptions({ ifExists: 'skip' })).toThrow(
		expect.objectContaining({ details }) as Error,
	);
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
