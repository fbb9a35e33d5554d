import { get } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { readCreationOptions } from '../../../nodes/ParcelShipping/descriptions/createForm';
import { readForm } from '../../../nodes/ParcelShipping/orders/readForm';

/** The request body of one item, with its own fields as the mapping. */
async function bodyOf(json: IDataObject, options: IDataObject = {}, moreOptions: IDataObject = {}) {
	const shipment = { mappingMode: 'autoMapInputData', value: null };
	const parameters = { carrierService: 'ANT/ANT-HOME', shipment, options, moreOptions };
	const context = {
		getNodeParameter: (name: string, _: number, fallback: unknown) =>
			get(parameters, name, fallback) as unknown,
	} as unknown as IExecuteFunctions;
	const [read] = await readForm(context, [{ json }], readCreationOptions({}));
	return read?.body;
}

test("automatic mapping does not send a shop's own orderId, unless the user sets it", async () => {
	expect(await bodyOf({ orderId: 501 })).not.toHaveProperty('orderId');
	const additionalFields = { orderId: 7 };
	expect(await bodyOf({ orderId: 501 }, {}, { additionalFields })).toEqual({ orderId: 7 });
});

test('the prefix comes before every order number, and is none itself', async () => {
	const prefixed = { orderNumberPrefix: 'A-' };
	expect(await bodyOf({ packageNumberCustom: 1001 }, prefixed)).toEqual({
		packageNumberCustom: 'A-1001',
	});
	expect(await bodyOf({ packageNumberCustom: '' }, prefixed)).toEqual({});
});
