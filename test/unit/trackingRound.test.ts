import { ProcessMemory } from '../../nodes/ParcelShipping/tracking/processMemory';
import { groupByCarrier, requeue, selectDue } from '../../nodes/ParcelShipping/tracking/queue';
import { Roster } from '../../nodes/ParcelShipping/tracking/roster';
import { beginState, type WatchedShipment } from '../../nodes/ParcelShipping/tracking/state';
import { writeState } from '../../nodes/ParcelShipping/tracking/stateText';
import { TimeLeft } from '../../nodes/ParcelShipping/tracking/timeLeft';
import type { Watch } from '../../nodes/ParcelShipping/tracking/watch';

const nowMs = Date.parse('2026-06-10T09:00:00Z');

const watch: Watch = {
	what: { by: 'filters', filters: {}, createdWithinDays: 30 },
	kinds: [],
	startFrom: 'now',
	timezone: 'Europe/Prague',
	maxConcurrency: 4,
	account: 'https://api.example.com/api 1',
};

const shipment = (id: number, changes: Partial<WatchedShipment> = {}): WatchedShipment => ({
	id,
	carrier: 'ANT',
	number: `00${id}`,
	firstSeenDay: 20_600,
	listed: 'before',
	known: '',
	isResting: false,
	...changes,
});

const state = (shipments: WatchedShipment[], savedAt = nowMs) => ({
	...beginState(watch, nowMs),
	savedAt,
	shipments,
});

const ids = (shipments: readonly WatchedShipment[]) => shipments.map(({ id }) => id);

describe('The shipments to ask', () => {
	test('are those that are meant, do not rest and are due', () => {
		const shipments = [
			shipment(1),
			shipment(2, { listed: 'no' }),
			shipment(3, { isResting: true }),
			shipment(4, { dueAt: nowMs + 1 }),
			shipment(5, { dueAt: nowMs }),
			shipment(6, { listed: 'now' }),
		];
		expect(ids(selectDue(state(shipments), nowMs))).toEqual([1, 5, 6]);
	});

	test('are asked by carrier, a hundred at a time, the longest unasked first', () => {
		const beavers = [shipment(1, { carrier: 'BEAVER' }), shipment(2, { carrier: 'BEAVER' })];
		const ants = Array.from({ length: 150 }, (_, at) => shipment(at + 10));
		const groups = groupByCarrier([...ants.slice(0, 120), ...beavers, ...ants.slice(120)]);
		expect(groups.map(({ carrier, shipments }) => [carrier, shipments.length])).toEqual([
			['ANT', 100],
			['ANT', 50],
			['BEAVER', 2],
		]);
	});

	test('stand in line again: no time, no answer, answered', () => {
		const [one, two, three, four] = [1, 2, 3, 4].map((id) => shipment(id)) as [
			WatchedShipment,
			WatchedShipment,
			WatchedShipment,
			WatchedShipment,
		];
		const answered = new Map([[one, { ...one, known: 'abcdef' }]]);
		const next = requeue([one, two, three, four], { answered, failed: new Map([[two, two]]) });
		expect(ids(next)).toEqual([3, 4, 2, 1]);
		expect(next[3]?.known).toBe('abcdef');
	});
});

describe('The roster', () => {
	const rosterOf = (...shipments: WatchedShipment[]) => new Roster(state(shipments), watch, nowMs);

	test('knows a shipment by its id, or by its number where the user gave only that', () => {
		const roster = rosterOf(shipment(1), shipment(0, { number: '009' }));
		roster.meet({ id: 1, carrier: 'ANT', number: '' });
		roster.meet({ id: 9, carrier: 'ANT', number: '009' });
		roster.meet({ id: 0, carrier: 'ANT', number: '001' });
		expect(ids(roster.shipments)).toEqual([1, 9]);
		expect(roster.shipments.every(({ listed }) => listed === 'now')).toBe(true);
	});

	test('does not mix up the numbers of two carriers', () => {
		const roster = rosterOf(shipment(1));
		roster.meet({ id: 0, carrier: 'BEAVER', number: '001' });
		expect(roster.shipments).toHaveLength(2);
	});

	test('meets new ones, which count from the beginning', () => {
		const roster = rosterOf();
		roster.meet({ id: 1, carrier: 'ANT', number: '' });
		roster.meet({ id: 1, carrier: 'ANT', number: '' });
		expect(roster.shipments).toMatchObject([{ id: 1, since: nowMs, known: '' }]);
	});

	test('learns a number once; a second shipment with it rests, so that nothing comes twice', () => {
		const roster = rosterOf(shipment(1, { number: '', dueAt: nowMs }), shipment(2, { number: '' }));
		roster.learnNumber(1, '007');
		roster.learnNumber(1, '008');
		roster.learnNumber(2, '007');
		expect(roster.shipments).toEqual([
			shipment(1, { number: '007' }),
			shipment(2, { number: '', isResting: true }),
		]);
	});

	test('begins anew with a shipment that got another number', () => {
		const roster = rosterOf(shipment(1, { known: 'abcdef', isResting: true }));
		roster.meet({ id: 1, carrier: 'ANT', number: '002' });
		expect(roster.shipments).toMatchObject([
			{ number: '002', known: '', since: nowMs, isResting: false },
		]);
	});

	test('no longer means what two readings of the list did not show', () => {
		const roster = rosterOf(shipment(1, { listed: 'now' }), shipment(2));
		roster.endSweep();
		expect(roster.shipments.map(({ listed }) => listed)).toEqual(['before', 'no']);
	});
});

describe('The time of a poll', () => {
	test('ends before the budget does, and a request gets no more than what is left', () => {
		let ms = 0;
		const time = new TimeLeft(() => ms, 34_000);
		expect(time.requestTimeoutMs).toBe(20_000);
		ms = 20_000;
		expect(time.requestTimeoutMs).toBe(14_000);
		expect(time.share(0.5).requestTimeoutMs).toBe(7_000);
		expect(time.isUp).toBe(false);
		ms = 33_500;
		expect(time.isUp).toBe(true);
		expect(time.requestTimeoutMs).toBe(1_000);
	});
});

describe('What the process remembers', () => {
	const saved = state([], nowMs);
	const later = state([shipment(1)], nowMs + 1);

	test('lets one poll of a node in at a time', () => {
		const memory = new ProcessMemory();
		expect([memory.enter('a'), memory.enter('a'), memory.enter('b')]).toEqual([true, false, true]);
		memory.leave('a');
		expect(memory.enter('a')).toBe(true);
	});

	test('is used only when it is later than what is saved, or nothing is', () => {
		const memory = new ProcessMemory();
		expect(memory.latest('a', undefined, 'Trigger')).toBeUndefined();
		expect(memory.latest('a', saved, 'Trigger')).toBe(saved);
		memory.keepQuiet('a', 'Trigger', writeState(later), nowMs + 1);
		expect(memory.latest('a', saved, 'Trigger')).toEqual(later);
		expect(memory.latest('a', undefined, 'Trigger')).toEqual(later);
		const newest = { ...saved, savedAt: nowMs + 2 };
		expect(memory.latest('a', newest, 'Trigger')).toBe(newest);
		expect(memory.latest('b', saved, 'Trigger')).toBe(saved);
	});

	test('is what a renamed node goes on with', () => {
		const memory = new ProcessMemory();
		memory.keepEmitted('a', 'Trigger', writeState(later), nowMs + 1);
		expect(memory.latest('a', undefined, 'Renamed')).toEqual(later);
		// With its name as before, n8n has thrown the events away.
		expect(memory.latest('a', undefined, 'Trigger')).toBeUndefined();
		expect(memory.latest('a', saved, 'Trigger')).toBe(saved);
	});

	test('waits for n8n to save what was emitted, but not for ever', () => {
		const memory = new ProcessMemory();
		const isBeingSaved = (found: typeof saved | undefined, afterMs: number, name = 'Trigger') =>
			memory.isBeingSaved('a', found, name, nowMs + afterMs);
		expect(isBeingSaved(saved, 0)).toBe(false);
		memory.keepEmitted('a', 'Trigger', writeState(later), nowMs + 5);
		expect(isBeingSaved(saved, 10)).toBe(true);
		expect(isBeingSaved(undefined, 10)).toBe(true);
		expect(isBeingSaved({ ...saved, savedAt: nowMs + 5 }, 10)).toBe(false);
		expect(isBeingSaved(saved, 40_000)).toBe(false);
		// n8n saves it under the old name.
		expect(isBeingSaved(undefined, 10, 'Renamed')).toBe(false);
	});

	test('says the same only once an hour', () => {
		const memory = new ProcessMemory();
		const said = (text: string, minutes: number) =>
			memory.isWorthSaying('a', text, nowMs + minutes * 60_000);
		expect([said('x', 0), said('x', 59), said('y', 59), said('x', 60), said('x', 121)]).toEqual([
			true,
			false,
			true,
			true,
			true,
		]);
	});
});
