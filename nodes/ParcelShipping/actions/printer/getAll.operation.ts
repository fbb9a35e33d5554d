import { getMany } from '../getMany';

export const operation = getMany({
	action: 'Get many printers',
	description: 'List the printers of the print service with their system names and status',
	// The provider returns all printers at once.
	read: async (client) => (await client.call('findPrinters', { body: {} })).result,
});
