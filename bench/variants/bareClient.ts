// The minimum: axios with keep-alive connections and only the necessary requests.
import { createWriteStream } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

import axios from 'axios';

import { sandboxCredential } from '../../test/support/credentials';

/** The default number of parallel requests of this package. */
export const CONCURRENCY = 4;

export interface Client {
	post<Response>(endpoint: string, body: unknown): Promise<Response>;
	save(fileUrl: string, folder: string, name: string): Promise<void>;
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
		post: async <Response>(endpoint: string, body: unknown): Promise<Response> =>
			(await client.post<Response>(endpoint, body)).data,

		save: async (fileUrl: string, folder: string, name: string): Promise<void> => {
			const { data } = await client.get<NodeJS.ReadableStream>(fileUrl, { responseType: 'stream' });
			await pipeline(data, createWriteStream(path.join(folder, name)));
		},
	};
}

/** Maps all items, up to four in parallel. */
export async function mapConcurrently<Item, Result>(
	items: readonly Item[],
	map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	let next = 0;
	const processNext = async () => {
		while (next < items.length) {
			const index = next++;
			results[index] = await map(items[index] as Item);
		}
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, processNext));
	return results;
}

interface Page {
	result: { data: Array<{ id: number; packageNumberCustom: string }>; total: number };
}

const fetchPage = async (client: Client, start: number) =>
	(await client.post<Page>('/Package/Find', { start, length: 100 })).result;

/** Lists all shipments, or the given number of pages, with parallel requests. */
export async function listAllShipments(client: Client, maxPages = Infinity) {
	const first = await fetchPage(client, 0);
	const pages = Math.min(maxPages, Math.ceil(first.total / 100));
	const starts = Array.from({ length: pages }, (_, page) => page * 100);
	const rest = await mapConcurrently(starts.slice(1), async (start) => fetchPage(client, start));
	return [first, ...rest].flatMap(({ data }) => data);
}

/** Lists the pages with the newest shipments. */
export async function listNewestShipments(client: Client, count: number) {
	const starts = Array.from({ length: Math.ceil(count / 100) }, (_, page) => page * 100);
	const pages = await mapConcurrently(starts, async (start) => fetchPage(client, start));
	return pages.flatMap(({ data }) => data);
}
