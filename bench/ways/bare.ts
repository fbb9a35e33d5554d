// The least that a program can do: axios, connections kept open, the requests that the job needs.
import { createWriteStream } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

import axios from 'axios';

import { sandboxCredential } from '../../test/support/credentials';

/** As many requests at a time as this package has under way by default. */
export const CONCURRENCY = 4;

export interface Client {
	post<Answer>(address: string, body: unknown): Promise<Answer>;
	/** The file behind a whole address. */
	save(address: string, folder: string, name: string): Promise<void>;
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
		post: async <Answer>(address: string, body: unknown): Promise<Answer> =>
			(await client.post<Answer>(address, body)).data,

		save: async (address: string, folder: string, name: string): Promise<void> => {
			const { data } = await client.get<NodeJS.ReadableStream>(address, { responseType: 'stream' });
			await pipeline(data, createWriteStream(path.join(folder, name)));
		},
	};
}

/** `work` for each, four at a time. */
export async function forEach<Item, Result>(
	items: readonly Item[],
	work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	let next = 0;
	const lane = async () => {
		while (next < items.length) {
			const index = next++;
			results[index] = await work(items[index] as Item);
		}
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, lane));
	return results;
}

interface Page {
	result: { data: Array<{ id: number; packageNumberCustom: string }>; total: number };
}

/** All shipments that a filter leaves, or so many pages, several pages at a time. */
export async function readAllShipments(client: Client, filter: object = {}, maxPages = Infinity) {
	const read = async (start: number) =>
		(await client.post<Page>('/Package/Find', { ...filter, start, length: 100 })).result;
	const first = await read(0);
	const pages = Math.min(maxPages, Math.ceil(first.total / 100));
	const starts = Array.from({ length: pages }, (_, page) => page * 100);
	const rest = await forEach(starts.slice(1), read);
	return [first, ...rest].flatMap(({ data }) => data);
}
