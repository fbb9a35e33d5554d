import { getMany } from '../getMany';

export const operation = getMany({
	action: 'Get many printers',
	description: 'List the printers of the print service with their system names and status',
	read: async (client) => (await client.call('findPrinters', { body: {} })).result,
});
