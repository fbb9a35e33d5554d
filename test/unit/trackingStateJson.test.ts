import { compareEvents } from '../../nodes/ParcelShipping/tracking/compare';
import { MARK_LENGTH } from '../../nodes/ParcelShipping/tracking/events';
import type { WatchedShipment } from '../../nodes/ParcelShipping/tracking/state';
import type { TrackingEvent } from '../../nodes/ParcelShipping/transport/contract';
import { decodeState, encodeState } from '../../nodes/ParcelShipping/tracking/storage';
import { nowMs, shipmentOf, stateOf } from '../support/watched';

import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';

/** Some services send 0001-01-01 for a missing date. */
const moment = fc.integer({ min: Date.parse('0001-01-01'), max: 4_000_000_000_000 });
const mark = fc.string({
	unit: fc.constantFrom(...'abcXYZ019-_'),
	minLength: MARK_LENGTH,
	maxLength: MARK_LENGTH,
});
const minute = moment.map((ms) => Math.floor(ms / 60_000) * 60_000);
const second = moment.map((ms) => Math.floor(ms / 1000) * 1000);
const periods = fc
	.tuple(
		fc.record({ movedAt: second, isQuietReported: fc.boolean() }),
		fc.oneof(
			fc.constant({ isWaitReported: false }),
			fc.record({ readyAt: second, isWaitReported: fc.boolean() }),
		),
		fc.oneof(
			fc.constant(() => ({})),
			fc.constant((movedAt: number) => ({ leftAt: movedAt })),
			second.map((leftAt) => () => ({ leftAt })),
		),
	)
	.map(([moved, ready, leftOf]) => ({ ...moved, ...ready, ...leftOf(moved.movedAt) }));
const shipments = fc.record(
	{
		id: fc.maxSafeNat(),
		carrier: fc.string(),
		number: fc.string({ unit: 'grapheme' }),
		firstSeenDay: fc.integer({ min: 20_000, max: 60_000 }),
		listed: fc.constantFrom('now', 'before', 'no'),
		known: fc.array(mark, { maxLength: 12 }).map((marks) => marks.join('')),
		isFinished: fc.constant(false),
		newSince: moment,
		endedAt: moment,
		nextRequestAt: minute,
		activeUntil: minute,
		refusedSince: moment,
		mainId: fc.nat(),
		periods,
	},
	{ requiredKeys: ['id', 'carrier', 'number', 'firstSeenDay', 'listed', 'known', 'isFinished'] },
) as fc.Arbitrary<WatchedShipment>;

const encode = async (list: WatchedShipment[]) => await encodeState(stateOf(list));
const encodeAndDecode = async (list: WatchedShipment[]) => await decodeState(await encode(list));

describe('The saved state', () => {
	test('is read as it was written, with any carriers and numbers', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(shipments), async (list) => {
				expect(await encodeAndDecode(list)).toEqual(stateOf(list));
			}),
		);
	});

	const saved = [
		shipmentOf(1001, { listed: 'now', known: 'abcdefghijkl' }),
		shipmentOf(1000, { carrier: 'BEAVER', number: '0,1;2%é', firstSeenDay: 20_000, newSince: 0 }),
		shipmentOf(2000, {
			number: '',
			listed: 'no',
			endedAt: nowMs,
			nextRequestAt: 1_700_000_040_000,
		}),
		shipmentOf(2001, { refusedSince: nowMs, mainId: 2000 }),
		shipmentOf(2002, {
			periods: { movedAt: nowMs, isQuietReported: true, isWaitReported: false },
		}),
		shipmentOf(2003, {
			periods: {
				movedAt: Date.parse('0001-01-01'),
				isQuietReported: false,
				readyAt: nowMs,
				isWaitReported: true,
			},
		}),
		shipmentOf(2004, { known: '', isFinished: true }),
		...[{ readyAt: nowMs }, {}].flatMap((ready) =>
			[nowMs - 1_000, nowMs - 60_000].map((leftAt) =>
				shipmentOf(2005, {
					periods: {
						movedAt: nowMs - 1_000,
						isQuietReported: false,
						isWaitReported: false,
						...ready,
						leftAt,
					},
				}),
			),
		),
	];

	test('is read as it was written, with everything that a shipment can have', async () => {
		const state = { ...stateOf(saved), list: { next: 100, wasCompleted: true } };
		expect(await decodeState(await encodeState(state))).toEqual(state);
	});

	test('is empty without shipments', async () => {
		expect(await encodeAndDecode([])).toEqual(stateOf([]));
	});

	test('keeps all events of a shipment, so that none is emitted again', async () => {
		const events = Array.from(
			{ length: 60 },
			(_, index) =>
				({
					code: String(index),
					date: new Date(nowMs - index * 60_000).toISOString(),
					category: 'TransitCarrier',
					item: '001',
				}) as TrackingEvent,
		);
		const comparison = { nowMs, timezone: 'Europe/Prague' };
		const first = compareEvents(shipmentOf(1), events, comparison);
		expect(first.newEvents).toHaveLength(60);
		const saved = await encodeAndDecode([first.shipment]);
		const [again] = saved?.shipments ?? [];
		expect(compareEvents(again as WatchedShipment, events, comparison).newEvents).toEqual([]);
	});

	test('of 10,000 shipments with ten events and two periods each stays below 1.5 MB', async () => {
		const known = 'abcdef'.repeat(10);
		const movedAt = nowMs - 5 * 86_400_000;
		const many = Array.from({ length: 10_000 }, (_, index) => ({
			...shipmentOf(7_654_321 + index, { known, number: `00${10 ** 19 + index}` }),
			periods: {
				movedAt: movedAt + index * 1_000,
				isQuietReported: false,
				isWaitReported: false,
				leftAt: movedAt + index * 1_000,
			},
			nextRequestAt: nowMs + (index % 60) * 60_000,
		}));
		const text = await encode(many);
		expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(1_500_000);
		// Printing the difference of two long lists takes half a minute.
		expect(isDeepStrictEqual((await decodeState(text))?.shipments, many)).toBe(true);
	});

	test('keeps a finished shipment without its known events', async () => {
		const finished = shipmentOf(1, { isFinished: true, endedAt: nowMs });
		expect(await encodeAndDecode([finished])).toEqual(stateOf([finished]));
	});

	/** A state of two shipments, as JSON. */
	const whole = async () =>
		JSON.parse(
			await encode(
				[1001, 1002].map((id) =>
					shipmentOf(id, {
						known: 'abcdef',
						endedAt: nowMs,
						periods: { movedAt: nowMs, isQuietReported: false, isWaitReported: false },
					}),
				),
			),
		) as { shipments: unknown[][] } & Record<string, unknown>;

	test.each<[string, unknown]>([
		['nothing', undefined],
		['an object', { version: 1 }],
		['half of the text', '{"version":1,"savedAt":1'],
		['a list instead', '[]'],
		['null', 'null'],
		['a number', '1'],
	])('is unreadable: %s', async (_, text) => {
		expect(await decodeState(text)).toBeUndefined();
	});

	test.each<[string, object]>([
		['another version', { version: 2 }],
		['no start', { since: null }],
		['a start with a fraction', { since: 1.5 }],
		['a time of saving that is text', { savedAt: '1' }],
		['no account', { account: 1 }],
		['no selection', { selection: null }],
		['no list', { list: null }],
		['a list without a position', { list: { next: '0', wasCompleted: true } }],
		['a list without an end', { list: { next: 0, wasCompleted: 0 } }],
		['types that are not a list', { periodTypes: 1 }],
		['types as text', { periodTypes: 'noMovement' }],
		['types that are not text', { periodTypes: [1] }],
		['carriers as text', { carriers: 'A' }],
		['a missing carrier', { carriers: [] }],
		['carriers that are not text', { carriers: ['ANT', 1] }],
		['shipments in another format', { shipments: '' }],
		['shipments as an object', { shipments: {} }],
		['a shipment that is no array', { shipments: [1] }],
		['an empty shipment', { shipments: [[]] }],
	])('is unreadable: %s', async (_, change) => {
		expect(await decodeState(JSON.stringify(await whole()))).toBeDefined();
		expect(await decodeState(JSON.stringify({ ...(await whole()), ...change }))).toBeUndefined();
	});

	test.each<[string, number, unknown]>([
		['an ID that is text', 0, '1001'],
		['an ID beyond what is exact', 0, 2 ** 60],
		['a carrier that is not in the list', 1, 1],
		['a carrier that is a name', 1, 'length'],
		['a number that is no text', 2, 1],
		['an unknown place in the list', 3, 3],
		['a day that is text', 4, '1'],
		['a truncated mark', 5, 'abcde'],
		['marks that are no text', 5, 1],
		['periods that are no array', 6, {}],
		['empty periods', 6, []],
		['periods without what was reported', 6, [1]],
		['periods with text', 6, ['1', null, 0]],
		['periods with too many numbers', 6, [1, 1, 0, 1, 1]],
		['a moment that is text', 7, '1'],
		['a moment with a fraction', 7, 1.5],
		['too many numbers', 13, 1],
	])('is unreadable: %s', async (_, at, value) => {
		const state = await whole();
		const [first = []] = state.shipments;
		first[at] = value;
		const saved = JSON.stringify({ ...state, shipments: [first] });
		expect(await decodeState(saved)).toBeUndefined();
	});
});
