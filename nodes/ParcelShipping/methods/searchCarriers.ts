import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { askService } from './askService';
import { readCarrierOptions } from './carrierOptions';
import { matches } from './matches';

export async function searchCarriers(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const carriers = await askService(this, readCarrierOptions);
	return { results: carriers.filter(({ name, value }) => matches(filter, name, String(value))) };
}
