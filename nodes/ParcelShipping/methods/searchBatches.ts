import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import type { Client } from '../transport/client';
import { type Batch, PAGE_LENGTH } from '../transport/contract';
import { toPage } from '../transport/paging';
import { askService } from './askService';
import { matches } from './matches';
import { asListPage } from './listPage';

/** How far one search looks for what is typed, before the user scrolls on. */
const MAX_PAGES_PER_SEARCH = 10;

/** Newest first. The service can't search batches, so what is typed is looked for page by page. */
export async function searchBatches(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await askService(this, async (client) => {
		let found: INodeListSearchResult = { results: [], paginationToken: paginationToken ?? '0' };
		for (let pages = 0; pages < MAX_PAGES_PER_SEARCH; pages++) {
			const { results, ...next } = await readPage(client, Number(found.paginationToken));
			found = { ...next, results: results.filter(({ name }) => matches(filter, name)) };
			if (found.results.length > 0 || found.paginationToken === undefined) break;
		}
		return found;
	});
}

async function readPage(client: Client, start: number): Promise<INodeListSearchResult> {
	const body = { sortOrder: 'desc', start, length: PAGE_LENGTH };
	return asListPage(start, toPage(await client.call('findBatches', { body })), toItem);
}

function toItem({ id, carrierCode, packagesCount, created }: Batch): INodeListSearchItems {
	const count = `${packagesCount} ${packagesCount === 1 ? 'shipment' : 'shipments'}`;
	const day = created.slice(0, 10);
	return {
		name: [`Batch ${id}`, carrierCode, count, day].filter(Boolean).join(' · '),
		value: String(id),
	};
}
