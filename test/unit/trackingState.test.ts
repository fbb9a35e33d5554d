import { MARK_LENGTH } from '../../nodes/ParcelShipping/tracking/events';
import {
	adaptState,
	hashSelection,
	removeExpired,
	type WatchedShipment,
} from '../../nodes/ParcelShipping/tracking/state';
import { decodeState, encodeState } from '../../nodes/ParcelShipping/tracking/storage';
import { nowMs, shipmentOf, stateOf, watchOf } from '../support/watched';

import fc from 'fast-check';

const DAY_MS = 86_400_000;
const otherSelection = { by: 'filters', filters: { cod: true }, createdWithinDays: 30 } as const;

describe('If the form changed', () => {
	const known = shipmentOf(1, { known: 'abcdef' });
	const before = stateOf([known]);
	const others = watchOf({ eventTypes: ['delivered'], output: 'shipment', timezone: 'UTC' });
	const filters = watchOf({ selection: otherSelection });

	test('in event types, output or time zone, the state stays as it is', () => {
		expect(adaptState(before, others, nowMs + 1)).toBe(before);
		expect(hashSelection(others)).toBe(before.selection);
	});

	test('in the filters, known events stay known, and other shipments are watched from now on', () => {
		expect(adaptState(before, filters, nowMs + 1)).toEqual({
			...before,
			selection: hashSelection(filters),
			since: nowMs + 1,
			list: { next: 0, wasCompleted: false },
			shipments: [{ ...known, listed: 'no' }],
		});
		expect(hashSelection(filters)).not.toBe(before.selection);
	});

	test('in the account, the state starts over, because its IDs mean other shipments there', () => {
		const account = 'https://other.example.com/api 1';
		expect(adaptState(before, watchOf({ account }), nowMs)).toEqual({
			...{ savedAt: 0, account, selection: before.selection, since: nowMs, periodTypes: [] },
			...{ list: { next: 0, wasCompleted: false }, shipments: [] },
		});
	});
});

test.each<[string, 'filters' | 'numbers', number, Partial<WatchedShipment>, boolean]>([
	['not listed for a day', 'filters', 1, { listed: 'no' }, true],
	['created too long ago for the list, almost', 'filters', 32, { listed: 'no' }, true],
	['created too long ago for the list', 'filters', 33, { listed: 'no' }, false],
	['finished and too old', 'filters', 33, { isFinished: true }, false],
	['removed from the form 30 days ago', 'numbers', 30, { listed: 'no' }, true],
	['removed from the form 31 days ago', 'numbers', 31, { listed: 'no' }, false],
	['in the form for 400 days', 'numbers', 400, { listed: 'before' }, true],
])('the state has a shipment that is %s (%s, %i days, %j): %s', (_, by, days, changes, isKept) => {
	const watch = watchOf(by === 'numbers' ? { selection: { by, shipments: [] } } : {});
	const left = removeExpired([shipmentOf(1, changes)], watch, nowMs + days * DAY_MS);
	expect(left).toEqual(isKept ? [shipmentOf(1, changes)] : []);
});

describe('The saved state', () => {
	/** Some services send 0001-01-01 for a missing date. */
	const moment = fc.integer({ min: Date.parse('0001-01-01'), max: 4_000_000_000_000 });
	const minute = moment.map((ms) => Math.floor(ms / 60_000) * 60_000);
	const second = moment.map((ms) => Math.floor(ms / 1000) * 1000);
	const unit = fc.constantFrom(...'abcXYZ019-_');
	const mark = fc.string({ unit, minLength: MARK_LENGTH, maxLength: MARK_LENGTH });
	const [isQuietReported, isWaitReported] = [fc.boolean(), fc.boolean()];
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
			periods: fc.record(
				{ movedAt: second, isQuietReported, isWaitReported, readyAt: second, leftAt: second },
				{ requiredKeys: ['movedAt', 'isQuietReported', 'isWaitReported'] },
			),
		},
		{ requiredKeys: ['id', 'carrier', 'number', 'firstSeenDay', 'listed', 'known', 'isFinished'] },
	) as fc.Arbitrary<WatchedShipment>;

	test('is read as it was written, with everything that a shipment can have', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(shipments), fc.boolean(), async (list, wasCompleted) => {
				const state = { ...stateOf(list), list: { next: 100, wasCompleted } };
				expect(await decodeState(await encodeState(state))).toEqual(state);
			}),
		);
	});

	test('has a finished shipment without its known events', async () => {
		const finished = shipmentOf(1, { isFinished: true, endedAt: nowMs });
		const state = stateOf([{ ...finished, known: 'abcdef' }]);
		expect(await decodeState(await encodeState(state))).toEqual(stateOf([finished]));
	});

	/** A state of two shipments, as JSON. */
	const whole = async () => {
		const periods = { movedAt: nowMs, isQuietReported: false, isWaitReported: false };
		const more = { known: 'abcdef', endedAt: nowMs, periods };
		const text = await encodeState(stateOf([shipmentOf(1001, more), shipmentOf(1002, more)]));
		return JSON.parse(text) as { shipments: unknown[][] } & Record<string, unknown>;
	};

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
	])('is unreadable with a shipment that has %s', async (_, at, value) => {
		const state = await whole();
		const [first = []] = state.shipments;
		first[at] = value;
		expect(await decodeState(JSON.stringify({ ...state, shipments: [first] }))).toBeUndefined();
	});
});
