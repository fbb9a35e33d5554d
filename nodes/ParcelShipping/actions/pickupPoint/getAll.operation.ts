import { pickupPointFilters } from '../../descriptions/filters';
import { simplifyPickupPoint } from '../../descriptions/listing';
import { carrierCodeField } from '../../descriptions/locators';
import { getMany } from '../getMany';

export const operation = getMany({
	action: 'Get many pickup points',
	description: 'List the pickup points of a carrier with their codes, by country, service or name',
	carrier: carrierCodeField,
	filters: pickupPointFilters,
	simplify: simplifyPickupPoint,
	read: async (client, filter, limit, carrierCode) =>
		client.list('findPickupPoints', filter, limit, { path: { carrier_code: carrierCode } }),
});
