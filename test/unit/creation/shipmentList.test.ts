import {
	isListCheaper,
	olderIdOf,
	readNewest,
} from '../../../nodes/ParcelShipping/creation/shipmentList';
import type { ListedShipment } from '../../../nodes/ParcelShipping/transport/contract';
import { mapParallel } from '../../../nodes/ParcelShipping/transport/concurrency';

describe('Whether reading the list is cheaper than searching', () => {
	test.each([
		[2, 0, true, true],
		[2, 100, true, true],
		[2, 300, true, true],
		[2, 301, true, false],
		[100, 10_000, true, true],
		[100, 20_000, true, false],
		[100, 50, false, true],
		[20, 50, false, false],
	])('%i references in a list of %i (records with references: %s): %s', (...given) => {
		const [references, total, hasReferences, expected] = given;
		expect(isListCheaper(references, total, hasReferences)).toBe(expected);
	});
});

const rowsOf = (ids: readonly unknown[]) => ids.map((id) => ({ id }) as ListedShipment);
/** The numbers from `last` down to `first`. */
const down = (last: number, first: number) =>
	Array.from({ length: last - first + 1 }, (_, index) => last - index);

/** Reads a list whose pages may differ from what was requested. */
async function read(
	createdIds: number[],
	olderId: number,
	pageOf: (start: number, length: number) => { ids: readonly unknown[]; total: number },
) {
	const starts: number[] = [];
	const client = {
		findShipments: async (_filter: unknown, start: number, length: number) => {
			starts.push(start);
			const { ids, total } = pageOf(start, length);
			return { rows: rowsOf(ids), total };
		},
		mapParallel: async <Item, Result>(
			items: readonly Item[],
			work: (item: Item) => Promise<Result>,
		) => mapParallel(items, 4, work),
	};
	const rows = await readNewest(client as never, {}, { createdIds, olderId });
	return { ids: rows?.map(({ id }) => id), starts };
}

const pagesOf = (ids: readonly unknown[]) => (start: number, length: number) => ({
	ids: ids.slice(start, start + length),
	total: ids.length,
});

describe('The older shipment down to which the list is read', () => {
	test('is the 50th of the first page, or the last one', () => {
		expect(olderIdOf(rowsOf(down(900, 801)))).toBe(851);
		expect(olderIdOf(rowsOf([7, 6]))).toBe(6);
	});
	test('does not exist if the page was empty', () => {
		expect(olderIdOf([])).toBe(0);
	});
});

describe('The newest shipments', () => {
	test('are those of one page after up to 50 new ones', async () => {
		const { ids, starts } = await read(down(1_050, 1_001), 951, pagesOf(down(1_050, 1)));
		expect(ids).toEqual(down(1_050, 951));
		expect(starts).toEqual([0]);
	});
	test('contain those of other processes', async () => {
		const { ids } = await read([1_003, 1_001], 951, pagesOf(down(1_004, 1)));
		expect(ids).toEqual(down(1_004, 905));
	});
	test('are on as many pages as there are new ones', async () => {
		const { ids, starts } = await read(down(1_051, 1_001), 951, pagesOf(down(1_051, 1)));
		expect(ids).toEqual(down(1_051, 852));
		expect(starts).toEqual([0, 100]);
	});
	test('are the whole list if it is short, in any order', async () => {
		expect((await read([3], 2, pagesOf([1, 3, 2]))).ids).toEqual([1, 3, 2]);
		expect((await read([3, 2], 0, pagesOf([2, 3]))).ids).toEqual([2, 3]);
	});
});

describe('The newest shipments are unknown', () => {
	const list = down(1_050, 1);
	const created = [1_050, 1_049];

	test('if other processes created so many that the older ones are further back', async () => {
		expect((await read(created, 951, pagesOf(list))).ids).toBeDefined();
		expect((await read(created, 950, pagesOf(list))).ids).toBeUndefined();
	});
	test('if the list was empty before, and is longer now than what was read', async () => {
		expect((await read(created, 0, pagesOf(list))).ids).toBeUndefined();
	});
	test('if the list is oldest first', async () => {
		const { ids } = await read([1, 2], 1_000, pagesOf([...list].reverse()));
		expect(ids).toBeUndefined();
	});
	test('if two shipments are in another order', async () => {
		const swapped = [1_049, 1_050, ...list.slice(2)];
		expect((await read(created, 960, pagesOf(swapped))).ids).toBeUndefined();
	});
	test('if the list does not contain all that was created', async () => {
		expect((await read([1_051, 1_050], 960, pagesOf(list))).ids).toBeUndefined();
		expect((await read([NaN], 960, pagesOf(list))).ids).toBeUndefined();
	});
	test('if the service returns shorter pages than requested', async () => {
		const short = (start: number) => pagesOf(list)(start, 60);
		const { ids } = await read(down(1_050, 991), 960, short);
		expect(ids).toBeUndefined();
	});
	test('if the list changed while it was read', async () => {
		const many = down(1_050, 951);
		expect((await read(many, 920, pagesOf(list))).ids).toBeDefined();
		const growing = (start: number, length: number) => ({
			...pagesOf(list)(start, length),
			total: list.length + start,
		});
		expect((await read(many, 920, growing)).ids).toBeUndefined();
	});
	test('if a shipment is on two pages of a list that seems to end there', async () => {
		const repeated = (start: number) => ({
			ids: start === 0 ? down(1_050, 951) : down(951, 852),
			total: 200,
		});
		expect((await read(down(1_050, 951), 900, repeated)).ids).toBeUndefined();
	});
	test('if the IDs are no numbers', async () => {
		const named = list.map((id) => `S${id}`);
		expect((await read([], 960, pagesOf(named))).ids).toBeUndefined();
	});
});
