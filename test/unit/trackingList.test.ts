import { readList } from '../../nodes/ParcelShipping/tracking/discovery';
import { Roster } from '../../nodes/ParcelShipping/tracking/roster';
import type { TrackingService } from '../../nodes/ParcelShipping/tracking/service';
import { beginState, type WatchState } from '../../nodes/ParcelShipping/tracking/state';
import { TimeLeft } from '../../nodes/ParcelShipping/tracking/timeLeft';
import type { Watch, WatchedByFilters } from '../../nodes/ParcelShipping/tracking/watch';

const watch: Watch & { what: WatchedByFilters } = {
	what: { by: 'filters', filters: {}, createdWithinDays: 30 },
	kinds: [],
	startFrom: 'now',
	timezone: 'Europe/Prague',
	maxConcurrency: 4,
	account: 'https://api.example.com/api 1',
};

const begun = beginState(watch, 0);
const known = (next: number): WatchState => ({ ...begun, sweep: { next, wasCompleted: true } });

/** Reads a list of so many shipments; `findPage` may fail for some pages, `msPerPage` pass for each. */
async function read(
	state: WatchState,
	total: number,
	{ failing = [] as number[], msPerPage = 0, pageLength = 100 } = {},
) {
	let ms = 0;
	const starts: number[] = [];
	const findPage: TrackingService['findPage'] = async ({ start }) => {
		starts.push(start);
		ms += msPerPage;
		if (failing.includes(start)) throw new Error(`page ${start}`);
		const count = Math.max(0, Math.min(pageLength, total - start));
		const rows = Array.from({ length: count }, (_, at) => ({
			id: start + at + 1,
			carrierCode: 'ANT',
		}));
		return await Promise.resolve({ rows: rows as never, total });
	};
	const time = new TimeLeft(() => ms, 30_000);
	const roster = new Roster(state, watch, 0);
	const { sweep, tally } = await readList(
		state,
		watch,
		{ findPage } as TrackingService,
		roster,
		time,
	);
	return { sweep, tally, starts, met: roster.shipments.length };
}

const startsUpTo = (end: number, from = 0, stride = 100) =>
	Array.from({ length: (end - from) / stride }, (_, page) => from + page * stride);

describe('The list of shipments', () => {
	test('is read as a whole the first time, also where pages are shorter than asked for', async () => {
		const whole = await read(begun, 2_350);
		expect(whole.starts).toEqual(startsUpTo(2_400));
		expect(whole).toMatchObject({ met: 2_350, sweep: { next: 0, wasCompleted: true } });

		const short = await read(begun, 150, { pageLength: 20 });
		expect(short.starts).toEqual(startsUpTo(160, 0, 20));
		expect(short).toMatchObject({ met: 150, sweep: { next: 0, wasCompleted: true } });
	});

	test('is read page by page later: the first one, and ten where it stopped before', async () => {
		const { starts, sweep } = await read(known(500), 5_000);
		expect(starts).toEqual([0, ...startsUpTo(1_500, 500)]);
		expect(sweep).toEqual({ next: 1_500, wasCompleted: true });
	});

	test('begins anew once its end has been read', async () => {
		expect(await read(known(4_500), 5_000)).toMatchObject({ sweep: { next: 0 } });
		expect(await read(known(0), 80)).toMatchObject({ sweep: { next: 0 }, starts: [0] });
	});

	test('goes on behind the last page that could be read, and asks for no more after a failure', async () => {
		const { starts, sweep, tally, met } = await read(begun, 3_000, { failing: [600] });
		expect(sweep).toEqual({ next: 600, wasCompleted: false });
		expect(tally.failures).toEqual([new Error('page 600')]);
		expect(starts.length).toBeLessThanOrEqual(11);
		expect(met).toBe(100 * tally.answered);
	});

	test('stays where it was when not even the first page can be read', async () => {
		const { sweep, tally } = await read(known(500), 5_000, { failing: [0] });
		expect(sweep).toEqual({ next: 500, wasCompleted: true });
		expect(tally).toEqual({ answered: 0, failures: [new Error('page 0')] });
	});

	test('is left in time, so that slow pages cost no more than the others', async () => {
		const { sweep, starts, tally } = await read(begun, 3_000, { msPerPage: 5_000 });
		expect(tally).toEqual({ answered: 6, failures: [] });
		expect(starts).toEqual(startsUpTo(600));
		expect(sweep).toEqual({ next: 600, wasCompleted: false });
	});
});
