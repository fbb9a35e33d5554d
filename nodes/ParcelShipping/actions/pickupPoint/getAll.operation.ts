import { filtersField, pickupPointFilters, readItemFilters } from '../../descriptions/filters';
import {
	listingFields,
	readLimit,
	simplifyPickupPoint,
	toOutputs,
} from '../../descriptions/listing';
import { carrierCodeField, readLocator } from '../../descriptions/locators';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many pickup points',
	description: 'List the pickup points of a carrier with their codes, by country, service or name',
	fields: [
		{
			...carrierCodeField,
			description:
				'The carrier whose pickup points to list. Choose from the carriers of your account, or enter a code.',
		},
		...listingFields,
		filtersField(pickupPointFilters),
	],

	async executeItem({ context, client }, itemIndex) {
		const carrierCode = readLocator(context, carrierCodeField, itemIndex);
		const filter = readItemFilters(pickupPointFilters, context, itemIndex);
		const limit = readLimit(context, itemIndex);
		const path = { carrier_code: carrierCode };
		const request = JSON.stringify(['findPickupPoints', carrierCode, filter, limit]);
		const points = await client.once(request, async () =>
			client.list('findPickupPoints', filter, limit, { path }),
		);
		return toOutputs(context, itemIndex, points, simplifyPickupPoint);
	},
};
