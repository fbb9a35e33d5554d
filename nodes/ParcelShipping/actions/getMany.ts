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
import { eachItem, runTasks, type ItemOutput, type NodeRun } from '../run';
import type { Client } from '../transport/client';
import type { Operation } from './operation';

interface Listing<Filter> {
	action: string;
	description: string;
	/** The field of the carrier, if the list is that of a carrier. */
	carrier?: INodeProperties;
	filters?: Filters<Filter>;
	/** Without it, the records are as the provider sends them. */
	simplify?: Simplify;
	lastField?: INodeProperties;
	/** `limit` is Infinity for all. */
	read(
		client: Client,
		filter: Partial<Filter>,
		limit: number,
		carrierCode: string,
	): Promise<readonly object[]>;
	complete?(run: NodeRun, output: ItemOutput, itemIndex: number): Promise<ItemOutput>;
}

/** The operation *Get Many* of a resource. */
export function getMany<Filter>(listing: Listing<Filter>): Operation {
	const { action, description, carrier, filters, simplify, lastField, read, complete } = listing;
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
			...(lastField ? [lastField] : []),
		],

		execute: async (run) =>
			runTasks(run, eachItem(run), async ({ item: itemIndex }) => {
				const { context, client } = run;
				const carrierCode = carrier ? readLocator(context, carrier, itemIndex) : '';
				const given = context.getNodeParameter('filters', itemIndex, {}) as IDataObject;
				const filter = filters ? readFilters(filters, given, context.getTimezone()) : {};
				const limit = readLimit(context, itemIndex);
				// Items that ask the same are answered with one request.
				const question = JSON.stringify([action, carrierCode, filter, limit]);
				const records = await client.once(question, async () =>
					read(client, filter, limit, carrierCode),
				);
				const outputs = toOutputs(context, itemIndex, records.slice(0, limit), simplify);
				if (!complete) return outputs;
				return await client.mapParallel(outputs, async (output) =>
					complete(run, output, itemIndex),
				);
			}),
	};
}
