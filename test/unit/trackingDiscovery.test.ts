import { readList } from '../../nodes/ParcelShipping/tracking/discovery';
import { Deadline } from '../../nodes/ParcelShipping/tracking/host';
import { ShipmentIndex } from '../../nodes/ParcelShipping/tracking/shipmentIndex';
import { createState, type TriggerState } from '../../nodes/ParcelShipping/tracking/state';
import type { Client } from '../../nodes/ParcelShipping/transport/client';
import { mapParallel } from '../../nodes/ParcelShipping/transport/concurrency';
import { watchOf } from '../support/watched';

const selection = { by: 'filters' as const, filters: {}, createdWithinDays: 30 };
const watch = { ...watchOf(), selection };
const started = createState(watch, 0);
const known = (next: number): TriggerState => ({ ...started, list: { next, wasCompleted: true } });

/** Reads a list of `total` shipments. Some pages may fail, and each page may take some time. */
async function read(
	state: TriggerState,
	total: number,
	{ failing = [] as number[], msPerPage = 0, pageLength = 100 } = {},
) {
	let ms = 0;
	const starts: number[] = [];
	const client: Pick<Client, 'findShipments' | 'mapParallel'> = {
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
	const deadline = new Deadline(() => ms, 30_000);
	const result = await readList(state, watch, client, index, deadline);
	return { ...result, starts, found: index.shipments.length };
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

	test('is read in parts later: the first page, and ten more where the previous poll stopped', async () => {
		const { starts, list } = await read(known(500), 5_000);
		expect(starts).toEqual([0, ...startsUpTo(1_500, 500)]);
		expect(list).toEqual({ next: 1_500, wasCompleted: true });
	});

	test('is read from the start again after its end was reached', async () => {
		expect(await read(known(4_500), 5_000)).toMatchObject({ list: { next: 0 } });
		expect(await read(known(0), 80)).toMatchObject({ list: { next: 0 }, starts: [0] });
	});

	test('continues after the last page that could be read, and requests no more after a failure', async () => {
		const { starts, list, requests, found } = await read(started, 3_000, { failing: [600] });
		expect(list).toEqual({ next: 600, wasCompleted: false });
		expect(requests.failures).toEqual([new Error('page 600')]);
		expect(starts.length).toBeLessThanOrEqual(11);
		expect(found).toBe(100 * requests.answered);
	});

	test('stays at its position if the first page fails', async () => {
		const { list, requests } = await read(known(500), 5_000, { failing: [0] });
		expect(list).toEqual({ next: 500, wasCompleted: true });
		expect(requests).toEqual({ answered: 0, failures: [new Error('page 0')] });
	});

	test('is read only as far as time allows if pages are slow', async () => {
		const { list, starts, requests } = await read(started, 3_000, { msPerPage: 5_000 });
		expect(requests).toEqual({ answered: 6, failures: [] });
		expect(starts).toEqual(startsUpTo(600));
		expect(list).toEqual({ next: 600, wasCompleted: false });
	});
});
