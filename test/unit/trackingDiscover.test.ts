import {
	readList,
	readNumbers,
	ShipmentIndex,
	toFoundShipments,
} from '../../nodes/ParcelShipping/tracking/discover';
import { Budget } from '../../nodes/ParcelShipping/tracking/host';
import { ShipmentRecords } from '../../nodes/ParcelShipping/tracking/output';
import { createState, type WatchedShipment } from '../../nodes/ParcelShipping/tracking/state';
import type { Client } from '../../nodes/ParcelShipping/transport/client';
import { ServiceError } from '../../nodes/ParcelShipping/transport/errors';
import { mapParallel } from '../../nodes/ParcelShipping/lists';
import { nowMs, shipmentOf, stateOf, watchOf } from '../support/watched';

const MINUTE_MS = 60_000;
const selection = { by: 'filters' as const, filters: {}, createdWithinDays: 30 };

interface Reading {
	/** Where the list was left; without it, it is read for the first time. */
	next?: number;
	/** How many of its shipments the trigger does not watch yet. */
	created?: number;
	total: number;
	pageLength?: number;
	failing?: number;
	msPerPage?: number;
	maxRequests?: number;
	freshness?: 'everyPoll' | 'balanced';
}

/** Reads a list from a service with `total` shipments. One page may fail, and each may take time. */
async function read(reading: Reading) {
	const { total, pageLength = 100, created = 0, msPerPage = 0 } = reading;
	const { freshness = 'balanced', maxRequests = Infinity, next } = reading;
	const watch = watchOf({ selection, freshness });
	const started = createState(watch, 0);
	const later = {
		...{ savedAt: -MINUTE_MS, list: { next: next ?? 0, wasCompleted: true } },
		shipments: [shipmentOf(created + 1)],
	};
	const state = next === undefined ? started : { ...started, ...later };
	let ms = 0;
	const starts: number[] = [];
	const client: Pick<Client, 'findShipments' | 'getShipment' | 'mapParallel'> = {
		getShipment: async () => await Promise.reject(new Error('Not used')),
		findShipments: async ({ onlyMaster }, start) => {
			// Some services list only main shipments unless told otherwise.
			expect(onlyMaster).toBe(false);
			starts.push(start);
			ms += msPerPage;
			if (reading.failing === start) throw new Error(`page ${start}`);
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
	// The list may use half of the requests and of the minute.
	const budget = new Budget(() => ms, MINUTE_MS, 2 * maxRequests);
	const run = { client, watch, budget, index, requests, total: Infinity };
	const list = await readList(state, selection, { ...run, records: new ShipmentRecords(0) });
	return { list, starts, found: index.shipments.length, failures: requests.failures };
}

const startsFrom = (from: number, end: number, pageLength = 100) =>
	Array.from({ length: (end - from) / pageLength }, (_, page) => from + page * pageLength);
const complete = { next: 0, wasCompleted: true };
const goesOnAt = (next: number, wasCompleted = true) => ({ next, wasCompleted });

describe('The list of shipments is read', () => {
	test.each<[string, Reading, number[], { next: number }]>([
		['completely the first time', { total: 2_350 }, startsFrom(0, 2_400), complete],
		['from short pages', { total: 150, pageLength: 20 }, startsFrom(0, 160, 20), complete],
		[
			'from the start again after its end',
			{ total: 5_000, next: 4_900 },
			[0, ...startsFrom(4_900, 5_000)],
			complete,
		],
		[
			'with ten pages after the first one with Every Poll',
			{ total: 5_000, next: 500, freshness: 'everyPoll' },
			[0, ...startsFrom(500, 1_500)],
			goesOnAt(1_500),
		],
		[
			'with one more page as long as a page has only new shipments',
			{ total: 5_000, next: 2_000, created: 250 },
			[0, 100, 200, 2_000, 2_100],
			goesOnAt(2_200),
		],
		[
			'as far as the requests of a poll allow',
			{ total: 3_000, maxRequests: 7 },
			startsFrom(0, 700),
			goesOnAt(700, false),
		],
		[
			'as far as time allows if pages are slow',
			{ total: 3_000, msPerPage: 5_000 },
			startsFrom(0, 600),
			goesOnAt(600, false),
		],
	])('%s', async (_, reading, starts, list) => {
		expect(await read(reading)).toMatchObject({ starts, list, failures: [] });
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

	test('up to a page that fails, and then no further until the next poll', async () => {
		const { starts, ...rest } = await read({ total: 3_000, failing: 600 });
		expect(rest).toMatchObject({ list: goesOnAt(600, false), failures: [new Error('page 600')] });
		expect(starts.length).toBeLessThanOrEqual(11);
		const first = await read({ total: 5_000, next: 500, failing: 0 });
		expect(first).toMatchObject({ list: goesOnAt(500), starts: [0] });
	});
});

const record = (id: number, more = {}) => ({ id, carrierCode: 'ANT', ...more });
const numbered = (id: number, more = {}) =>
	record(id, { packageNumberCarrier: `00${id}`, ...more });

test.each<[string, object[], object]>([
	['its number with all zeros', [numbered(1)], { number: '001' }],
	['a number to read from the detail, if the list has none', [record(1)], { awaitsNumber: false }],
	['a number that comes later', [record(1), numbered(2)], { number: '', awaitsNumber: true }],
	['a number that is empty', [record(1, { packageNumberCarrier: ' ' })], { number: '' }],
	['nothing about tracking', [numbered(1)], { isUntrackable: false }],
	['that it cannot be tracked', [numbered(1, { trackable: false })], { isUntrackable: true }],
	['nothing about its end', [numbered(1)], { hasEnded: false }],
	['that it was canceled', [numbered(1, { canceled: true })], { hasEnded: true }],
	['that it is its own main shipment', [numbered(1, { masterId: 1 })], { mainId: undefined }],
	['its main shipment', [numbered(1, { masterId: 9 })], { mainId: 9 }],
	['only that it is not the main one', [numbered(1, { isMaster: false })], { mainId: 0 }],
])('a record of the list says %s', (_, records, expected) => {
	expect(toFoundShipments(records as never, {})[0]).toMatchObject({ id: 1, ...expected });
});

test('only shipments without cash on delivery are found, although the service ignores the filter', () => {
	const records = [
		numbered(1, { cod: true }),
		numbered(2, { codPrice: 9 }),
		numbered(3),
		{ id: 4 },
	];
	const idsWith = (cod?: boolean) =>
		toFoundShipments(records as never, cod === undefined ? {} : { cod }).map(({ id }) => id);
	expect([idsWith(false), idsWith(true), idsWith()]).toEqual([[3], [1, 2, 3], [1, 2, 3]]);
});

test('a piece without a detail of its own does not keep others from their numbers, a failure does', async () => {
	const read = async (status: number) => {
		const unnumbered = [1, 2, 3].map((id) => shipmentOf(id, { number: '' }));
		const index = new ShipmentIndex(stateOf(unnumbered), watchOf(), nowMs);
		const facts = { message: '', description: '', endpoint: '', mayHaveActed: false, status };
		const client = {
			getShipment: async (_: string, id: number) => {
				if (id === 1) throw new ServiceError(facts);
				return await Promise.resolve({ result: [numbered(id)] });
			},
			mapParallel: async (items: unknown[], work: never) => await mapParallel(items, 1, work),
		};
		const requests = { responses: 0, failures: [] };
		const run = { client, watch: watchOf(), budget: new Budget(() => nowMs, MINUTE_MS), index };
		const discovery = { ...run, records: new ShipmentRecords(nowMs), requests, total: 3 };
		await readNumbers(unnumbered, discovery as never);
		return index.shipments.map(({ number }) => number);
	};
	expect([await read(404), await read(500)]).toEqual([
		['', '002', '003'],
		['', '', ''],
	]);
});

test('a piece has its number from its main shipment, also from one that was numbered before', async () => {
	const main = shipmentOf(1, { number: '001' });
	const read = async (piece: WatchedShipment) => {
		const index = new ShipmentIndex(stateOf([main, piece]), watchOf(), nowMs);
		const facts = { message: '', description: '', endpoint: '', mayHaveActed: false, status: 404 };
		const client = {
			getShipment: async (_: string, id: number) => {
				if (id !== 1) throw new ServiceError(facts);
				return await Promise.resolve({ result: [numbered(1), numbered(3)] });
			},
			mapParallel: async (items: unknown[], work: never) => await mapParallel(items, 1, work),
		};
		const requests = { responses: 0, failures: [] };
		const run = { client, watch: watchOf(), budget: new Budget(() => nowMs, MINUTE_MS), index };
		const discovery = { ...run, records: new ShipmentRecords(nowMs), requests, total: 2 };
		await readNumbers([piece], discovery as never);
		return index.shipments[1];
	};
	const piece = shipmentOf(3, { number: '' });
	expect(await read(piece)).toMatchObject({ number: '003', mainId: 1 });
	expect(await read({ ...piece, mainId: 1 })).toMatchObject({ number: '003', mainId: 1 });
	expect(await read(shipmentOf(2, { number: '' }))).toMatchObject({ id: 2, number: '' });
});

const found = (id: number, number = '', more = {}) => ({ id, carrier: 'ANT', number, ...more });

describe('A watched shipment', () => {
	const indexOf = (...shipments: WatchedShipment[]) =>
		new ShipmentIndex(stateOf(shipments), watchOf(), nowMs);
	const after = (known: WatchedShipment[], ...listed: Array<ReturnType<typeof found>>) => {
		const index = indexOf(...known);
		for (const shipment of listed) index.upsert(shipment);
		return index.shipments;
	};

	test('is found by its ID, or by its number if the user gave only that', () => {
		const known = [shipmentOf(1), shipmentOf(0, { number: '009' })];
		const shipments = after(known, found(1), found(9, '009'), found(0, '001'));
		expect(shipments).toMatchObject([
			{ id: 1, number: '001', listed: 'now' },
			{ id: 9, number: '009', listed: 'now' },
		]);
	});

	test('starts over if the carrier changes its number', () => {
		const known = { known: 'abcdef', isFinished: true, refusedSince: nowMs };
		const [changed] = after([shipmentOf(1, known)], found(1, '002'));
		const startsOver = { number: '002', known: '', newSince: nowMs, isFinished: false };
		expect(changed).toMatchObject(startsOver);
		expect(changed).not.toHaveProperty('refusedSince');
	});

	test('is requested at once if the list says that it was delivered', () => {
		const waiting = shipmentOf(1, { nextRequestAt: nowMs + 600_000 });
		const shipments = after([waiting], found(1, '001', { hasEnded: true }));
		expect(shipments).toEqual([shipmentOf(1, { listed: 'now', endedAt: nowMs })]);
	});

	test('gets its number once; another one with this number is finished, so that no event comes twice', () => {
		const unnumbered = shipmentOf(1, { number: '', nextRequestAt: nowMs });
		const index = indexOf(unnumbered, shipmentOf(2, { number: '' }));
		index.setNumber(1, '007');
		index.setNumber(1, '008');
		index.setNumber(2, '007');
		const finished = shipmentOf(2, { number: '', isFinished: true });
		expect(index.shipments).toEqual([shipmentOf(1, { number: '007' }), finished]);
	});

	test('is no longer watched after it was missing from the list twice', () => {
		const index = indexOf(shipmentOf(1, { listed: 'now' }), shipmentOf(2));
		index.finishList();
		expect(index.shipments.map(({ listed }) => listed)).toEqual(['before', 'no']);
	});
});

test.each<[string, 'now' | 'existing', boolean, object]>([
	['has events that are new since the start', 'now', false, { newSince: nowMs }],
	['has only new events with Existing Events', 'existing', false, { newSince: 0 }],
	[
		'has just been created if the whole list was read before, and is requested for two hours',
		'now',
		true,
		{ newSince: nowMs, activeUntil: nowMs + 26 * 60 * MINUTE_MS },
	],
])('a shipment that is found for the first time %s', (_, startFrom, wasCompleted, fields) => {
	const state = { ...stateOf([]), list: { next: 0, wasCompleted } };
	const index = new ShipmentIndex(state, watchOf({ startFrom }), nowMs + 86_400_000);
	for (let times = 0; times < 2; times++) index.upsert(found(7, '007'));
	const added = { firstSeenDay: 20_615, listed: 'now' as const, ...fields };
	expect(index.shipments).toEqual([shipmentOf(7, added)]);
});
