import { readLimit, returnAllFields, toOutputs } from '../../descriptions/listing';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many printers',
	description: 'List the printers of the print service with their system names and status',
	fields: returnAllFields,

	async executeItem({ context, client }, itemIndex) {
		// The provider returns all printers at once.
		const printers = (await client.printers()).slice(0, readLimit(context, itemIndex));
		return toOutputs(context, itemIndex, printers);
	},
};
