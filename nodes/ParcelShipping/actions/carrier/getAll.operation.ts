import { carrierFilters } from '../../descriptions/filters';
import { readChoice } from '../../descriptions/options';
import { isInactive } from '../../orders/check';
import { getMany } from '../getMany';

export const operation = getMany({
	action: 'Get many carriers',
	description: 'List the carriers of the account with their codes, both active and inactive',
	filters: carrierFilters,

	async read(client, { status: given }, limit) {
		const status = given && readChoice('Status', given, ['Active', 'Inactive']);
		// The provider returns all carriers at once and has no filter for them.
		return (await client.carriers())
			.filter((carrier) => !status || isInactive(carrier) === (status !== 'Active'))
			.slice(0, limit);
	},
});
