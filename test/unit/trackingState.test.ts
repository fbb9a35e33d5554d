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
import { set } from 'lodash';

const DAY_MS = 86_400_000;
const otherSelection = { by: 'filters', filters: { cod: true }, createdWithinDays: 30 } as const;

describe('If the form changed', () => {
	const known = shipmentOf(1, { known: 'abcdef' });
	const before = stateOf([known]);
	const others = watchOf({ eventTypes: ['delivered'], output: 'shipment', timezone: 'UTC' });
	const filters = watchOf({ selection: otherSelection });

	test('in event types, output or time zone, the state stays as it is', () => {
		expect(adaptState(before, others, nowMs + 1)).toBe(before);
		// As earlier versions have saved it.
		expect([hashSelection(others), before.selection]).toEqual(Array(2).fill('1Q5sENCEJO20'));
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
			groups: fc.nat({ max: 2 ** 11 }),
			latestAt: second,
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

	const periods = { movedAt: nowMs, isQuietReported: false, isWaitReported: false };
	const known = shipmentOf(1001, { known: 'abcdef', endedAt: nowMs, periods });

	test.each([undefined, {}, '[]', 'null', '1', '{"version":1,"savedAt":1'])(
		'is unreadable if it is %j',
		async (text) => expect(await decodeState(text)).toBeUndefined(),
	);

	// A shipment is a list of its ID, carrier, number, place in the list, day, events, periods, moments.
	const unreadable: Record<string, unknown[]> = {
		version: [2],
		since: [null, 1.5],
		savedAt: ['1'],
		account: [1],
		selection: [null],
		list: [null, { next: '0', wasCompleted: true }, { next: 0, wasCompleted: 0 }],
		periodTypes: [1, 'noMovement', [1]],
		carriers: ['A', [], ['ANT', 1]],
		shipments: ['', {}, [1], [[]]],
		'shipments[0][0]': ['1001', 2 ** 60],
		'shipments[0][1]': [1, 'length'],
		'shipments[0][2]': [1],
		'shipments[0][3]': [3],
		'shipments[0][4]': ['1'],
		'shipments[0][5]': ['abcde', 1],
		'shipments[0][6]': [{}, [], [1], ['1', null, 0], [1, 1, 0, 1, 1]],
		'shipments[0][7]': ['1', 1.5],
		'shipments[0][15]': [1],
	};
	test.each(
		Object.entries(unreadable).flatMap(([path, values]) =>
			values.map((value): [string, unknown] => [path, value]),
		),
	)('is unreadable with %s = %j', async (path, value) => {
		const text = await encodeState(stateOf([known]));
		expect(await decodeState(text)).toEqual(stateOf([known]));
		const changed = JSON.stringify(set(JSON.parse(text) as object, path, value));
		expect(await decodeState(changed)).toBeUndefined();
	});
});
