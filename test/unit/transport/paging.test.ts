import fc from 'fast-check';

import type { Page } from '../../../nodes/ParcelShipping/transport/client';
import { clientOf, responseOf } from '../../support/respondingClient';

interface Row {
	id: number;
}
type ReadPage = (start: number, length: number) => Page<Row>;

const INCOMPLETE = 'was not complete, or kept changing';

const rowsUpTo = (count: number): Row[] =>
	Array.from({ length: count }, (_, at) => ({ id: at + 1 }));
const idsOf = (rows: Row[]) => rows.map(({ id }) => id);

/** A list, newest first, that can change before each request. */
function listOf(rows: Row[], changes: Array<(rows: Row[]) => Row[]> = [], longestPage = 100) {
	const list = { rows, requests: 0 };
	const readPage: ReadPage = (start, length) => {
		list.rows = changes[list.requests]?.(list.rows) ?? list.rows;
		list.requests++;
		const end = start + Math.min(length, longestPage);
		return { data: list.rows.slice(start, end), total: list.rows.length };
	};
	return { list, readPage };
}

/** The first `limit` records of a list. */
async function readList(readPage: ReadPage, limit = Infinity, maxParallelRequests = 4) {
	const { client } = clientOf(
		({ body = '{}' }) => {
			const { start, length } = JSON.parse(body) as { start: number; length: number };
			return responseOf(200, { result: readPage(start, length) });
		},
		{ maxParallelRequests },
	);
	return idsOf((await client.list('findHandOvers', {}, limit)) as Row[]);
}

test.each([
	[0, Infinity, 100, 1],
	[1, Infinity, 100, 1],
	[100, Infinity, 100, 1],
	[101, Infinity, 100, 2],
	[1_000, Infinity, 100, 10],
	[300, 1, 100, 1],
	[300, 100, 100, 1],
	[300, 150, 100, 2],
	[300, 1_000, 100, 3],
	[130, Infinity, 25, 6],
])(
	'of %i records, the first %d come in order in pages of %i with %i requests',
	async (...given) => {
		const [count, limit, longestPage, requests] = given;
		const { list, readPage } = listOf(rowsUpTo(count), [], longestPage);
		expect(await readList(readPage, limit)).toEqual(idsOf(rowsUpTo(Math.min(count, limit))));
		expect(list.requests).toBe(requests);
	},
);

test('a list that keeps losing records is an error', async () => {
	const changes = Array.from({ length: 50 }, () => (rows: Row[]) => rows.slice(1));
	const { readPage } = listOf(rowsUpTo(250), changes);
	await expect(readList(readPage, Infinity, 1)).rejects.toThrow(INCOMPLETE);
});

test('a list that loses a record and gets another one while it is read lacks none', async () => {
	const remove = (rows: Row[]) => rows.filter(({ id }) => id !== 50);
	const { list, readPage } = listOf(rowsUpTo(250), [
		(rows) => rows,
		remove,
		(rows) => [...rows, { id: 1_000 }],
	]);
	expect(await readList(readPage, Infinity, 1)).toEqual(idsOf(list.rows));
});

// There may be further pages.
test.each([151, 90])('a list that has 150 records and a total of %i is an error', async (total) => {
	const { readPage } = listOf(rowsUpTo(150));
	const wrong: ReadPage = (start, length) => ({ ...readPage(start, length), total });
	await expect(readList(wrong)).rejects.toThrow(INCOMPLETE);
});

test('a list that always repeats a record is read twice for a limit, and not refused', async () => {
	const requests: number[] = [];
	const ignoresStart: ReadPage = (start, length) => {
		requests.push(start);
		return { data: rowsUpTo(length), total: 300 };
	};
	expect(await readList(ignoresStart, 150)).toEqual(idsOf(rowsUpTo(100)));
	expect(requests).toEqual([0, 100, 0, 100]);
});

test('a list that never ends is an error after 10,000 pages', async () => {
	let id = 1;
	const endless: ReadPage = () => ({ data: [{ id: id++ }], total: 1_000_000 });
	await expect(readList(endless)).rejects.toThrow('The list has more than 10000 pages');
	expect(id).toBeLessThan(10_010);
});

test('each remaining record comes once, whatever is added or removed meanwhile', async () => {
	const change = fc.oneof(
		fc.constant((rows: Row[]) => rows),
		fc.nat(400).map((at) => (rows: Row[]) => rows.filter((_, i) => i !== at)),
		fc
			.integer({ min: 1_000, max: 9_999 })
			.map((id) => (rows: Row[]) => [{ id }, ...rows.filter((row) => row.id !== id)]),
	);
	const changes = fc.array(change, { maxLength: 8 });
	await fc.assert(
		fc.asyncProperty(fc.nat(450), changes, fc.integer({ min: 1, max: 6 }), async (...given) => {
			const [count, changesOfList, concurrency] = given;
			const { list, readPage } = listOf(rowsUpTo(count), changesOfList);
			const reading = readList(readPage, Infinity, concurrency);
			const ids = await reading.catch((error: Error) => error.message);
			if (typeof ids === 'string') return expect(ids).toContain('kept changing');
			expect(new Set(ids).size).toBe(ids.length);
			const remaining = idsOf(list.rows).filter((id) => id < 1_000);
			expect(remaining.filter((id) => !ids.includes(id))).toEqual([]);
		}),
	);
});
