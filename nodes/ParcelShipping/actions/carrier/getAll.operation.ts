import { getMany } from '../getMany';

export const operation = getMany({
	action: 'Get many carriers',
	description: 'List the carriers of the account with their codes, both active and inactive',
	// The provider returns all carriers at once.
	read: async (client) => client.carriers(),
});
