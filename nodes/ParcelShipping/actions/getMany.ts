import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type Filters, filtersField, readFilters } from '../descriptions/filters';
import {
	readLimit,
	returnAllFields,
	type Simplify,
	simplifyField,
	toOutputs,
} from '../descriptions/listing';
import { readLocator } from '../descriptions/locators';
import type { Client } from '../transport/client';
import type { ItemOperation } from './operation';

interface Listing<Filter> {
	action: string;
	description: string;
	/** The field of the carrier, if the list is that of a carrier. */
	carrier?: INodeProperties;
	filters?: Filters<Filter>;
	/** Without it, the records are as the provider sends them. */
	simplify?: Simplify;
	/** `limit` is Infinity for all. */
	read(
		client: Client,
		filter: Partial<Filter>,
		limit: number,
		carrierCode: string,
	): Promise<readonly object[]>;
}

/** The operation *Get Many* of a resource. */
export function getMany<Filter>(listing: Listing<Filter>): ItemOperation {
	const { action, description, carrier, filters, simplify, read } = listing;
	return {
		name: 'Get Many',
		value: 'getAll',
		action,
		description,
		fields: [
			...(carrier ? [carrier] : []),
			...returnAllFields,
			...(simplify ? [simplifyField] : []),
			...(filters ? [filtersField(filters)] : []),
		],

		async executeItem({ context, client }, itemIndex) {
			const carrierCode = carrier ? readLocator(context, carrier, itemIndex) : '';
			const given = context.getNodeParameter('filters', itemIndex, {}) as IDataObject;
			const filter = filters ? readFilters(filters, given, context.getTimezone()) : {};
			const limit = readLimit(context, itemIndex);
			// Items that ask the same are answered with one request.
			const question = JSON.stringify([action, carrierCode, filter, limit]);
			const records = await client.once(question, async () =>
				read(client, filter, limit, carrierCode),
			);
			return toOutputs(context, itemIndex, records.slice(0, limit), simplify);
		},
	};
}
