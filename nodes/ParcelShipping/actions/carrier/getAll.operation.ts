import { carrierFilters, filtersField, readItemFilters } from '../../descriptions/filters';
import { readLimit, returnAllFields, toOutputs } from '../../descriptions/listing';
import { readChoice } from '../../descriptions/options';
import { isInactive } from '../../orders/check';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many carriers',
	description: 'List the carriers of the account with their codes, both active and inactive',
	fields: [...returnAllFields, filtersField(carrierFilters)],

	async executeItem({ context, client }, itemIndex) {
		const { status: given } = readItemFilters(carrierFilters, context, itemIndex);
		const status = given && readChoice('Status', given, ['Active', 'Inactive']);
		// The provider returns all carriers at once and has no filter for them.
		const carriers = (await client.carriers())
			.filter((carrier) => !status || isInactive(carrier) === (status !== 'Active'))
			.slice(0, readLimit(context, itemIndex));
		return toOutputs(context, itemIndex, carriers);
	},
};
