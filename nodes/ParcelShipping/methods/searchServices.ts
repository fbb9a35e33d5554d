import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { askService } from './askService';
import { readFormCarrier } from './formCarrier';
import { matches } from './matches';

/** Services of the carrier in the form; the service lists them all at once. */
export async function searchServices(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await askService(this, async (client) => {
		const carrierCode = readFormCarrier(this);
		const services = await client.services(carrierCode);
		return {
			results: services
				.filter(({ name, code }) => matches(filter, name, code))
				.map(({ name, code }) => ({ name, value: code, description: code })),
		};
	});
}
