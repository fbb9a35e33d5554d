// The minimum: axios with keep-alive connections and only the necessary requests.
import { createWriteStream } from 'node:fs';
import http from 'node:http';
import { pipeline } from 'node:stream/promises';

import axios from 'axios';
import { range } from 'lodash';

import { sandboxCredential } from '../../test/support/credentials';
import type { Task, Variants } from '../job';

/** The default number of parallel requests of this package. */
const CONCURRENCY = 4;
export const PAGE_SIZE = 100;

export interface Client {
	post<Response>(endpoint: string, body: object): Promise<Response>;
	save(fileUrl: string, file: string): Promise<void>;
}

/** The same task with the bare client, and through n8n's request function. */
export function clientVariants(task: (client: Client) => Task): Variants {
	return {
		n8nRequests: async (url) => {
			const { n8nClient } = await import('./n8n.js');
			return task(await n8nClient(url));
		},
		bare: async (url) => task(bareClient(url)),
	};
}

function bareClient(url: string): Client {
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
