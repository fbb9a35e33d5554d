import type { IDataObject } from 'n8n-workflow';

import { filtersField, pickupPointFilters, readFilters } from '../../descriptions/filters';
import {
	isSimplified,
	PICKUP_POINT_SIMPLE_FIELDS,
	readLimit,
	returnAllFields,
	simplify,
	simplifyField,
} from '../../descriptions/listing';
import { carrierCodeField, readLocator } from '../../descriptions/locators';
import { requestOptionsField } from '../../descriptions/options';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many pickup points',
	description:
		'List the pickup points of a carrier with their codes, by country, service, name, city or street. Create takes the code as Pickup Point Code.',
	fields: [
		{ ...carrierCodeField, description: 'The carrier of the pickup points' },
		...returnAllFields,
		simplifyField,
		filtersField(pickupPointFilters),
		requestOptionsField,
	],

	async executeItem({ context, client }, itemIndex) {
		const carrierCode = readLocator(context, carrierCodeField, itemIndex);
		const given = context.getNodeParameter('filters', itemIndex, {}) as IDataObject;
		const body = readFilters(pickupPointFilters, given, context.getTimezone());
		const request = JSON.stringify(['findPickupPoints', carrierCode, body]);
		const { result } = await client.once(request, async () =>
			client.call('findPickupPoints', { path: { carrier_code: carrierCode }, body }),
		);
		const isSimple = isSimplified(context, itemIndex);
		// The service returns all of them at once.
		return result.slice(0, readLimit(context, itemIndex)).map((point) => {
			const record = point as unknown as IDataObject;
			return { json: isSimple ? simplify(record, PICKUP_POINT_SIMPLE_FIELDS) : record };
		});
	},
};
