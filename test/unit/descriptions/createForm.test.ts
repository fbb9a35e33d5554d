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

test('the first list of options has what most people use', () => {
	const { options = [] } = createFields.find(({ name }) => name === 'options') ?? {};
	expect(options.map(({ name }) => name)).toEqual([
		...['defaultWeight', 'downloadLabels', 'dryRun', 'ifDiffers', 'ifExists'],
		...['ifPrintingFails', 'orderNumberPrefix', 'printerName'],
	]);
});
