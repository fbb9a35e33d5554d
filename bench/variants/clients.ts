// The minimum: axios with keep-alive connections and only the necessary requests.
import { createWriteStream } from 'node:fs';
import http from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import axios from 'axios';
import { range } from 'lodash';

import { sandboxCredential } from '../../test/support/credentials';

/** The default number of parallel requests of this package. */
const CONCURRENCY = 4;
export const PAGE_SIZE = 100;

export interface Client {
	post<Response>(endpoint: string, body: object): Promise<Response>;
	save(fileUrl: string, file: string): Promise<void>;
}

export function bareClient(url: string): Client {
	const { headerName = '', headerValue = '' } = sandboxCredential(url);
	const client = axios.create({
		baseURL: url,
		headers: { [headerName]: headerValue },
		httpAgent: new http.Agent({ keepAlive: true }),
		maxBodyLength: Infinity,
		maxContentLength: Infinity,
	});
	return {
		post: async <Response>(endpoint: string, body: object) =>
			(await client.post<Response>(endpoint, body)).data,

		save: async (fileUrl, file) => {
			const { data } = await client.get<NodeJS.ReadableStream>(fileUrl, { responseType: 'stream' });
			await pipeline(data, createWriteStream(file));
		},
	};
}

/** Maps all items, up to four in parallel. */
export async function mapConcurrently<Item, Result>(
	items: readonly Item[],
	map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
	return await Readable.from(items).map(map, { concurrency: CONCURRENCY }).toArray();
}

interface Page {
	result: { data: Array<{ id: number; packageNumberCustom: string }>; total: number };
}

const fetchPage = async (client: Client, start: number) =>
	(await client.post<Page>('/Package/Find', { start, length: PAGE_SIZE })).result;

/** Lists all shipments, or the given number of pages, with parallel requests. */
export async function listAllShipments(client: Client, maxPages = Infinity) {
	const first = await fetchPage(client, 0);
	const total = Math.min(maxPages * PAGE_SIZE, first.total);
	const starts = range(PAGE_SIZE, total, PAGE_SIZE);
	const rest = await mapConcurrently(starts, async (start) => fetchPage(client, start));
	return [first, ...rest].flatMap(({ data }) => data);
}

/** Lists the pages with the newest shipments. */
export async function listNewestShipments(client: Client, count: number): Promise<void> {
	await mapConcurrently(range(0, count, PAGE_SIZE), async (start) => fetchPage(client, start));
}
