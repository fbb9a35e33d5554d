import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { askService } from './askService';
import { readFormCarrier } from './formCarrier';
import { matches } from './matches';

/** Services of the carrier in the form; the service lists them all at once. */
export async function searchServices(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await askService(this, async (connection) => {
		const carrierCode = readFormCarrier(this);
		const { result } = await connection.call('findServices', { body: { carrierCode } });
		return {
			results: result
				.filter(({ name, code }) => matches(filter, name, code))
				.map(({ name, code }) => ({ name, value: code, description: code })),
		};
	});
}
