import fc from 'fast-check';

import { Client, type Page } from '../../nodes/ParcelShipping/transport/client';

type Row = { id: number };

const rowsUpTo = (count: number): Row[] => Array.from({ length: count }, (_, id) => ({ id }));

/** A list, newest first, that can change before each request. */
function listOf(rows: Row[], changes: Array<(rows: Row[]) => Row[]> = [], longestPage = 100) {
	let requests = 0;
	let current = rows;
	const readPage = async (start: number, length: number): Promise<Page<Row>> => {
		current = changes[requests]?.(current) ?? current;
		requests++;
		return {
			rows: current.slice(start, start + Math.min(length, longestPage)),
			total: current.length,
		};
	};
	return { readPage, requests: () => requests, current: () => current };
}

type ReadPage = (start: number, length: number) => Promise<Page<Row>>;

/** The first `limit` records of a list, with at most `maxConcurrency` requests at a time. */
async function readList(
	readPage: ReadPage,
	limit: number,
	maxConcurrency: number,
	firstPage?: Page<Row>,
): Promise<Row[]> {
	const address = { base: '', origin: '' };
	const credential = { baseUrl: '', authentication: 'header' } as const;
	const client = new Client({} as never, credential, address, { maxConcurrency });
	jest
		.spyOn(client, 'findShipments')
		.mockImplementation(async (_, start, length) => readPage(start, length) as never);
	return await client.listShipments({}, limit, firstPage as never);
}

const idsOf = (rows: Row[]) => rows.map(({ id }) => id);

describe('Reading all pages', () => {
	test.each([
		[0, 1],
		[1, 1],
		[100, 1],
		[101, 2],
		[1_000, 10],
	])('returns %i records in order with %i requests', async (count, requests) => {
		const list = listOf(rowsUpTo(count));
		expect(idsOf(await readList(list.readPage, Infinity, 4))).toEqual(idsOf(rowsUpTo(count)));
		expect(list.requests()).toBe(requests);
	});

	test('does not request a given first page again', async () => {
		const list = listOf(rowsUpTo(250));
		const first = await list.readPage(0, 100);
		expect(idsOf(await readList(list.readPage, Infinity, 4, first))).toEqual(idsOf(rowsUpTo(250)));
		expect(list.requests()).toBe(3);
	});

	test('reads to the end if the service returns shorter pages than requested', async () => {
		const list = listOf(rowsUpTo(130), [], 25);
		expect(await readList(list.readPage, Infinity, 4)).toHaveLength(130);
	});

	test('does not miss a record that moves to an earlier page', async () => {
		const list = listOf(rowsUpTo(250), [(rows) => rows, (rows) => rows.slice(1)]);
		const ids = idsOf(await readList(list.readPage, Infinity, 1));
		expect(ids).toEqual(idsOf(list.current()));
	});

	test('returns nothing twice if a record is added meanwhile', async () => {
		const list = listOf(rowsUpTo(250), [(rows) => rows, (rows) => [{ id: 999 }, ...rows]]);
		const ids = idsOf(await readList(list.readPage, Infinity, 1));
		expect(ids).toEqual(idsOf(list.current()));
	});

	test('throws an error if fewer records come than the total says', async () => {
		const readPage = async (start: number, length: number) => ({
			rows: rowsUpTo(150).slice(start, start + length),
			total: 151,
		});
		await expect(readList(readPage, Infinity, 4)).rejects.toThrow('kept changing');
	});

	test('throws an error if the list keeps changing', async () => {
		let id = 1_000;
		const list = listOf(
			rowsUpTo(250),
			Array.from({ length: 50 }, () => (rows: Row[]) => [{ id: id++ }, ...rows]),
		);
		await expect(readList(list.readPage, Infinity, 1)).rejects.toThrow('kept changing');
	});

	test('returns each remaining record once, whatever is added or removed meanwhile', async () => {
		const change = fc.oneof(
			fc.constant((rows: Row[]) => rows),
			fc
				.integer({ min: 0, max: 400 })
				.map((at) => (rows: Row[]) => rows.filter((_, i) => i !== at)),
			fc
				.integer({ min: 1_000, max: 9_999 })
				.map((id) => (rows: Row[]) => [{ id }, ...rows.filter((row) => row.id !== id)]),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 450 }),
				fc.array(change, { maxLength: 8 }),
				fc.integer({ min: 1, max: 6 }),
				async (count, changes, concurrency) => {
					const list = listOf(rowsUpTo(count), changes);
					const ids = idsOf(await readList(list.readPage, Infinity, concurrency));
					expect(new Set(ids).size).toBe(ids.length);
					const remaining = idsOf(list.current()).filter((id) => id < 1_000);
					expect(remaining.filter((id) => !ids.includes(id))).toEqual([]);
				},
			),
		);
	});
});

describe('Reading up to a limit', () => {
	test.each([
		[1, 1],
		[50, 1],
		[100, 1],
		[150, 2],
		[1_000, 3],
	])('of %i takes %i requests', async (limit, requests) => {
		const list = listOf(rowsUpTo(300));
		expect(await readList(list.readPage, limit, 4)).toHaveLength(Math.min(limit, 300));
		expect(list.requests()).toBe(requests);
	});
});
