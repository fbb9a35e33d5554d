import { mapParallel } from '../../../nodes/ParcelShipping/lists';
import { Budget } from '../../../nodes/ParcelShipping/tracking/budget';
import { readListPart, readNumbers } from '../../../nodes/ParcelShipping/tracking/discover';
import { KnownRecords } from '../../../nodes/ParcelShipping/tracking/knownRecords';
import { ShipmentIndex } from '../../../nodes/ParcelShipping/tracking/shipmentIndex';
import { createState, type WatchedShipment } from '../../../nodes/ParcelShipping/tracking/state';
import { ServiceError } from '../../../nodes/ParcelShipping/transport/errors';
import { nowMs, shipmentOf, stateOf, watchOf } from '../../support/watched';

const MINUTE_MS = 60_000;
const selection = { by: 'filters' as const, filters: {}, createdWithinDays: 30 };

interface Reading {
	total: number;
	/** Where the list was left; without it, it is read for the first time. */
	next?: number;
	pageLength?: number;
	failing?: number;
	msPerPage?: number;
	maxRequests?: number;
}

/** Reads a list from a service with `total` shipments. One page may fail, and each may take time. */
async function read({ total, next, failing, ...others }: Reading) {
	const { pageLength = 100, msPerPage = 0, maxRequests } = others;
	const watch = watchOf({ selection });
	const later = { savedAt: -MINUTE_MS, list: { next: next ?? 0, wasCompleted: true } };
	const state = { ...createState(watch, 0), ...(next === undefined ? {} : later) };
	const starts: number[] = [];
	const client = {
		mapParallel: async (items: number[], work: (item: number) => Promise<unknown>) =>
			await mapParallel(items, 1, work),
		findUncheckedShipments: async ({ onlyMaster }: { onlyMaster: boolean }, start: number) => {
			// Some services list only main shipments unless told otherwise.
			expect(onlyMaster).toBe(false);
			starts.push(start);
			if (failing === start) throw new Error(`page ${start}`);
			const count = Math.max(0, Math.min(pageLength, total - start));
			const rows = Array.from({ length: count }, (_, at) => ({ id: start + at + 1 }));
			return await Promise.resolve({ data: rows, total });
		},
	};
	const budget = new Budget(() => starts.length * msPerPage, MINUTE_MS, maxRequests);
	const poll = { client, watch, budget };
	const part = await readListPart(state, selection, poll as never, () => undefined);
	return { starts, ...part };
}

const startsFrom = (first: number, end: number, pageLength = 100) =>
	Array.from({ length: (end - first) / pageLength }, (_, page) => first + page * pageLength);
const complete = { next: 0, wasCompleted: true };
const goesOnAt = (next: number, wasCompleted = true) => ({ next, wasCompleted });

describe('The list of shipments is read', () => {
	test.each<[string, Reading, number[], object]>([
		['completely the first time', { total: 2_350 }, startsFrom(0, 2_400), complete],
		['from short pages', { total: 150, pageLength: 20 }, startsFrom(0, 160, 20), complete],
		[
			'from the start again after its end',
			{ total: 5_000, next: 4_900 },
			[0, ...startsFrom(4_900, 5_000)],
			complete,
		],
		[
			'as far as the requests of a poll allow',
			{ total: 3_000, maxRequests: 7 },
			[0, 100, 200, 300],
			goesOnAt(400, false),
		],
		[
			'as far as time allows if pages are slow',
			{ total: 3_000, msPerPage: 5_000 },
			startsFrom(0, 600),
			goesOnAt(600, false),
		],
		[
			'up to a page that fails',
			{ total: 3_000, failing: 600 },
			startsFrom(0, 700),
			goesOnAt(600, false),
		],
		['not at all if its first page fails', { total: 9, next: 500, failing: 0 }, [0], goesOnAt(500)],
	])('%s', async (_, reading, starts, list) => {
		const failures = reading.failing === undefined ? [] : [new Error(`page ${reading.failing}`)];
		expect(await read(reading)).toMatchObject({ starts, list, failures });
	});

	test('within half an hour, evenly, and its first page in each poll', async () => {
		const pages = new Set<number>();
		let next = 0;
		for (let minute = 0; minute < 30; minute++) {
			const { starts, list } = await read({ total: 10_000, next });
			expect(starts[0]).toBe(0);
			expect(starts.length).toBeLessThanOrEqual(5);
			for (const start of starts) pages.add(start);
			next = list.next;
		}
		expect(pages.size).toBe(100);
	});
});

/** Reads the numbers of shipments from these details, by ID. Others fail. */
async function readFrom(
	shipments: WatchedShipment[],
	details: Readonly<Record<number, object[]>>,
	status = 404,
	parallel = 1,
) {
	const index = new ShipmentIndex(stateOf(shipments), nowMs);
	const facts = { message: '', description: '', endpoint: '', mayHaveActed: false, status };
	const requests: number[] = [];
	const client = {
		mapParallel: async (items: unknown[], work: never) => await mapParallel(items, parallel, work),
		getShipment: async (_: string, id: number) => {
			requests.push(id);
			const result = details[id];
			return await (result ? Promise.resolve(result) : Promise.reject(new ServiceError(facts)));
		},
	};
	const poll = { client, budget: new Budget(() => nowMs, MINUTE_MS) };
	const unnumbered = shipments.filter(({ number }) => number === '');
	await readNumbers(unnumbered, poll as never, index, new KnownRecords(nowMs));
	return { requests, shipments: index.shipments };
}
const numbersAfter = async (...given: Parameters<typeof readFrom>) =>
	(await readFrom(...given)).shipments;
const recordOf = (id: number) => ({ id, packageNumberCarrier: `00${id}` });
const unnumbered = (id: number) => shipmentOf(id, { number: '' });

test('a piece without a detail of its own does not keep others from their numbers, a failure does', async () => {
	const shipments = [1, 2, 3].map(unnumbered);
	const details = { 2: [recordOf(2)], 3: [recordOf(3)] };
	const read = async (status: number) =>
		(await numbersAfter(shipments, details, status)).map(({ number }) => number);
	expect(await read(404)).toEqual(['', '002', '003']);
	expect(await read(500)).toEqual(['', '', '']);
});

test('the number of a canceled shipment that never gets one is requested for three days', async () => {
	const statusAfter = async (days: number) => {
		const canceled = { ...unnumbered(1), endedAt: nowMs - days * 24 * 60 * MINUTE_MS };
		return (await numbersAfter([canceled], {}))[0]?.status;
	};
	expect([await statusAfter(2), await statusAfter(3)]).toEqual(['usual', 'finished']);
});

test('pieces are the same whether the service writes their IDs as numbers or as texts', async () => {
	const details = {
		1: [recordOf(1), recordOf(3)].map((each) => ({ ...each, id: String(each.id) })),
	};
	const [main, piece] = await numbersAfter([unnumbered(1), unnumbered(3)], details);
	expect(main).toMatchObject({ id: 1, number: '001', nextRequestAt: undefined });
	expect(main?.mainId).toBeUndefined();
	expect(piece).toMatchObject({ id: 3, number: '003', mainId: 1, nextRequestAt: undefined });
});

test('a piece has its number from its main shipment, also from one that was numbered before', async () => {
	const details = { 1: [recordOf(1), recordOf(3)] };
	const read = async (piece: WatchedShipment) =>
		(await numbersAfter([shipmentOf(1), piece], details))[1];
	expect(await read(unnumbered(3))).toMatchObject({ number: '003', mainId: 1 });
	expect(await read({ ...unnumbered(3), mainId: 1 })).toMatchObject({ number: '003', mainId: 1 });
	expect(await read(unnumbered(2))).toMatchObject({ id: 2, number: '' });
});

test.each<[string, number | undefined]>([
	['that name it', 1],
	['that do not say which it is', 0],
])('one request reads a main shipment without numbers and its pieces %s', async (_, mainId) => {
	const ids = [1, 2, 3, 4, 5];
	const detail = ids.map((id) => ({ id, packageNumberCarrier: '' }));
	const main = mainId === undefined ? {} : { mainId };
	const pieces = ids.map((id) => ({ ...unnumbered(id), ...(id === 1 ? {} : main) }));
	const details = Object.fromEntries(ids.map((id) => [id, detail]));
	const { requests, shipments } = await readFrom(pieces, details, 404, 4);
	const nextRequestAt = nowMs + 10 * MINUTE_MS;
	expect(shipments).toMatchObject(ids.map((id) => ({ id, number: '', nextRequestAt })));
	expect(requests.length).toBeLessThanOrEqual(mainId ? 1 : 4);
});
