import { readList } from '../../nodes/ParcelShipping/tracking/discover';
import { Budget } from '../../nodes/ParcelShipping/tracking/host';
import { ShipmentRecords } from '../../nodes/ParcelShipping/tracking/output';
import { ShipmentIndex } from '../../nodes/ParcelShipping/tracking/discover';
import {
	createState,
	type Freshness,
	type TriggerState,
} from '../../nodes/ParcelShipping/tracking/state';
import type { Client } from '../../nodes/ParcelShipping/transport/client';
import { mapParallel } from '../../nodes/ParcelShipping/lists';
import { shipmentOf, watchOf } from '../support/watched';

const selection = { by: 'filters' as const, filters: {}, createdWithinDays: 30 };
const watch = { ...watchOf(), selection };
const started = createState(watch, 0);
const MINUTE_MS = 60_000;

/** A list that was read completely before, without the shipments created since then. */
const known = (next: number, created = 0): TriggerState => ({
	...started,
	savedAt: -MINUTE_MS,
	list: { next, wasCompleted: true },
	shipments: [shipmentOf(created + 1)],
});

/** Reads a list of `total` shipments. Some pages may fail, and each page may take some time. */
async function read(
	state: TriggerState,
	total: number,
	{
		failing = [] as number[],
		msPerPage = 0,
		pageLength = 100,
		freshness = 'balanced' as Freshness,
		maxRequests = Infinity,
	} = {},
) {
	let ms = 0;
	const starts: number[] = [];
	const client: Pick<Client, 'findShipments' | 'getShipment' | 'mapParallel'> = {
		getShipment: async () => await Promise.reject(new Error('Not used')),
		findShipments: async (_, start) => {
			starts.push(start);
			ms += msPerPage;
			if (failing.includes(start)) throw new Error(`page ${start}`);
			const count = Math.max(0, Math.min(pageLength, total - start));
			const rows = Array.from({ length: count }, (__, at) => ({
				id: start + at + 1,
				carrierCode: 'ANT',
			}));
			return await Promise.resolve({ rows: rows as never, total });
		},
		mapParallel: async (items, work) => await mapParallel(items, 4, work),
	};
	const index = new ShipmentIndex(state, watch, 0);
	const requests = { responses: 0, failures: [] };
	// The list may use half of it.
	const budget = new Budget(() => ms, 60_000, 2 * maxRequests);
	const records = new ShipmentRecords(0);
	const discovery = { client, budget, index, records, requests, total: Infinity };
	const ofWatch = { ...discovery, watch: { ...watch, freshness } };
	const list = await readList(state, selection, ofWatch);
	return { list, requests, starts, found: index.shipments.length };
}

const startsUpTo = (end: number, from = 0, stride = 100) =>
	Array.from({ length: (end - from) / stride }, (_, page) => from + page * stride);

describe('The list of shipments', () => {
	test('is read completely the first time, even if pages are shorter than requested', async () => {
		const whole = await read(started, 2_350);
		expect(whole.starts).toEqual(startsUpTo(2_400));
		expect(whole).toMatchObject({ found: 2_350, list: { next: 0, wasCompleted: true } });

		const short = await read(started, 150, { pageLength: 20 });
		expect(short.starts).toEqual(startsUpTo(160, 0, 20));
		expect(short).toMatchObject({ found: 150, list: { next: 0, wasCompleted: true } });
	});

	test('is read in parts later: the first page in each poll, and the others within half an hour', async () => {
		let state = known(0);
		const pages = new Set<number>();
		const lengths: number[] = [];
		for (let minute = 0; minute < 30; minute++) {
			const { starts, list } = await read(state, 10_000);
			expect(starts[0]).toBe(0);
			for (const start of starts) pages.add(start);
			lengths.push(starts.length);
			state = { ...known(list.next) };
		}
		expect(pages.size).toBe(100);
		expect(Math.max(...lengths)).toBeLessThanOrEqual(5);
	});

	test('is read in larger parts if polls are rare', async () => {
		const savedAt = -15 * MINUTE_MS;
		expect((await read({ ...known(0), savedAt }, 10_000)).starts).toHaveLength(1 + 50);
		expect((await read({ ...known(0), savedAt: -40 * MINUTE_MS }, 10_000)).starts).toHaveLength(
			100,
		);
	});

	test('is read with ten further pages in each poll if every poll should find everything', async () => {
		const { starts, list } = await read(known(500), 5_000, { freshness: 'everyPoll' });
		expect(starts).toEqual([0, ...startsUpTo(1_500, 500)]);
		expect(list).toEqual({ next: 1_500, wasCompleted: true });
	});

	test('is read on as long as a page has only new shipments', async () => {
		const { starts, list } = await read(known(2_000, 250), 5_000);
		expect(starts).toEqual([0, 100, 200, 2_000, 2_100]);
		expect(list.next).toBe(2_200);
	});

	test('is read no further than the requests of a poll allow, and is continued there', async () => {
		const { starts, list } = await read(started, 3_000, { maxRequests: 7 });
		expect(starts).toEqual(startsUpTo(700));
		expect(list).toEqual({ next: 700, wasCompleted: false });
		const none = await read(known(500), 3_000, { maxRequests: 0 });
		expect(none).toMatchObject({ starts: [], list: { next: 500, wasCompleted: true } });
	});

	test('is read from the start again after its end was reached', async () => {
		expect(await read(known(4_800), 5_000)).toMatchObject({ list: { next: 0 } });
		expect(await read(known(0), 80)).toMatchObject({ list: { next: 0 }, starts: [0] });
	});

	test('continues after the last page that could be read, and requests no more after a failure', async () => {
		const { starts, list, requests, found } = await read(started, 3_000, { failing: [600] });
		expect(list).toEqual({ next: 600, wasCompleted: false });
		expect(requests.failures).toEqual([new Error('page 600')]);
		expect(starts.length).toBeLessThanOrEqual(11);
		expect(found).toBe(100 * requests.responses);
	});

	test('stays at its position if the first page fails', async () => {
		const { list, requests } = await read(known(500), 5_000, { failing: [0] });
		expect(list).toEqual({ next: 500, wasCompleted: true });
		expect(requests).toEqual({ responses: 0, failures: [new Error('page 0')] });
	});

	test('is read only as far as time allows if pages are slow', async () => {
		const { list, starts, requests } = await read(started, 3_000, { msPerPage: 5_000 });
		expect(requests).toEqual({ responses: 6, failures: [] });
		expect(starts).toEqual(startsUpTo(600));
		expect(list).toEqual({ next: 600, wasCompleted: false });
	});
});
