import {
	adaptState,
	createState,
	hashSelection,
	removeExpired,
	type WatchedShipment,
} from '../../../nodes/ParcelShipping/tracking/state';
import { decodeState, encodeState } from '../../../nodes/ParcelShipping/tracking/stateText';
import { nowMs, shipmentOf, stateOf, watchOf } from '../../support/watched';

import fc from 'fast-check';

const DAY_MS = 86_400_000;
const otherSelection = { by: 'filters', filters: { cod: true }, createdWithinDays: 30 } as const;

describe('If the form changed', () => {
	const known = shipmentOf(1, { marks: 'abcdef' });
	const before = stateOf([known]);
	const others = watchOf({ eventTypes: ['delivered'], output: 'shipment', timezone: 'UTC' });
	const filters = watchOf({ selection: otherSelection });

	test('in event types, output or time zone, the state stays as it is', () => {
		expect(adaptState(before, others, nowMs + 1)).toEqual(before);
		// As earlier versions have saved it.
		expect([hashSelection(others), before.selection]).toEqual(Array(2).fill('1Q5sENCEJO20'));
	});

	test('in the filters, known events stay known, and other shipments are watched from now on', () => {
		expect(adaptState(before, filters, nowMs + 1)).toEqual({
			...before,
			selection: hashSelection(filters),
			startedAt: nowMs + 1,
			areExistingNew: false,
			list: { next: 0, wasCompleted: false },
			shipments: [{ ...known, listed: 'unlisted' }],
		});
		expect(hashSelection(filters)).not.toBe(before.selection);
	});

	test('in the filters, shipments that are selected later have no existing events', () => {
		const existing = createState(watchOf({ startFrom: 'existing' }), nowMs);
		const later = adaptState(existing, filters, nowMs + 1);
		expect([existing.areExistingNew, later.areExistingNew]).toEqual([true, false]);
	});

	test('in the credential, events of known numbers stay known, without the IDs of the account', () => {
		const account = 'https://api.example.com/api 2';
		const piece = shipmentOf(3, { marks: 'ghijkl', mainId: 1, listed: 'inThisReading' });
		const state = stateOf([known, shipmentOf(2, { number: '' }), piece]);
		expect(adaptState(state, watchOf({ account }), nowMs + 1)).toEqual({
			...state,
			account,
			startedAt: nowMs + 1,
			areExistingNew: false,
			list: { next: 0, wasCompleted: false },
			shipments: [
				{ ...known, id: 0, listed: 'unlisted' },
				{ ...piece, id: 0, mainId: undefined, listed: 'unlisted' },
			],
		});
	});

	test('in the service, the state starts over, because its numbers may mean other shipments there', () => {
		const account = 'https://other.example.com/api 1';
		expect(adaptState(before, watchOf({ account }), nowMs)).toEqual({
			...{ savedAt: 0, account, selection: before.selection, startedAt: nowMs, periodsFrom: {} },
			...{ list: { next: 0, wasCompleted: false }, shipments: [] },
			...{ idTimezone: 'Europe/Prague', areExistingNew: false },
		});
	});
});

test('the state keeps shipments as long as the list or the form can have them', () => {
	const byNumbers = watchOf({ selection: { by: 'numbers', shipments: [] } });
	const isKept = (days: number, changes: Partial<WatchedShipment>, watch = watchOf()) =>
		removeExpired([shipmentOf(1, changes)], watch, nowMs + days * DAY_MS).length === 1;
	// The list has shipments that were created within 30 days.
	expect([1, 32, 33].map((days) => isKept(days, { listed: 'unlisted' }))).toEqual([
		true,
		true,
		false,
	]);
	expect(isKept(33, { listed: 'unlisted', status: 'finished' })).toBe(false);
	// A service may ignore from when it is to list shipments. They would start over.
	expect(isKept(400, { listed: 'inLastReading', status: 'finished' })).toBe(true);
	// The user may add a number again that was removed from the form.
	expect([30, 31].map((days) => isKept(days, { listed: 'unlisted' }, byNumbers))).toEqual([
		true,
		false,
	]);
	expect(isKept(400, { listed: 'inLastReading' }, byNumbers)).toBe(true);
});

describe('The saved state', () => {
	/** Some services send 0001-01-01 for a missing date. */
	const moment = fc.integer({ min: Date.parse('0001-01-01'), max: 4_000_000_000_000 });
	const minute = moment.map((ms) => Math.floor(ms / 60_000) * 60_000);
	const second = moment.map((ms) => Math.floor(ms / 1000) * 1000);
	const unit = fc.constantFrom(...'abcXYZ019-_');
	const mark = fc.string({ unit, minLength: 6, maxLength: 6 });
	const shipments = fc.record(
		{
			id: fc.maxSafeNat(),
			carrier: fc.string(),
			number: fc.string({ unit: 'grapheme' }),
			addedDay: fc.integer({ min: 20_000, max: 60_000 }),
			listed: fc.constantFrom('inThisReading', 'inLastReading', 'missedOnce', 'unlisted'),
			marks: fc.array(mark, { maxLength: 12 }).map((marks) => marks.join('')),
			status: fc.constantFrom('usual', 'refused'),
			groups: fc.nat({ max: 2 ** 11 }),
			latestAt: second,
			newSince: moment,
			endedAt: moment,
			nextRequestAt: minute,
			activeUntil: minute,
			mainId: fc.nat(),
			elsewhereAt: second,
			readyAt: second,
			noMovementReported: second,
			waitingForPickupReported: second,
		},
		{ requiredKeys: ['id', 'carrier', 'number', 'addedDay', 'listed', 'marks', 'status'] },
	) as fc.Arbitrary<WatchedShipment>;

	test('is read as it was written, with everything that a shipment can have', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(shipments), fc.boolean(), async (list, wasCompleted) => {
				const state = { ...stateOf(list), list: { next: 100, wasCompleted } };
				expect(await decodeState(await encodeState(state))).toEqual(state);
			}),
		);
	});

	test('means the same in a later version', async () => {
		const after = (minutes: number) => nowMs + minutes * 60_000;
		const known = shipmentOf(1, {
			...{ marks: 'abcdef', groups: 5, mainId: 7, newSince: after(3), latestAt: after(4) },
			...{ nextRequestAt: after(5), activeUntil: after(6), status: 'refused' },
			...{ noMovementReported: after(1), waitingForPickupReported: after(2) },
			...{ endedAt: after(8), elsewhereAt: after(9), readyAt: after(10) },
		});
		expect(await encodeState(stateOf([known]))).toContain(
			'"shipments":[[1,0,"001",1,1,20614,"abcdef",5,32640,545,32940,546,33000,32460,32520,7,32580000,32880000]]',
		);
	});

	test('has a finished shipment without its known events', async () => {
		const finished = shipmentOf(1, { status: 'finished', endedAt: nowMs });
		const state = stateOf([{ ...finished, marks: 'abcdef' }]);
		expect(await decodeState(await encodeState(state))).toEqual(stateOf([finished]));
	});

	test.each([undefined, {}, '[]', 'null', '1', '{"version":1,"savedAt":1', '{"version":2}'])(
		'is unreadable if it is %j',
		async (text) => expect(await decodeState(text)).toBeUndefined(),
	);

	test.each([
		['an unknown version', '"version":1', '"version":2'],
		['a shipment of no carrier', '"carriers":["ANT"]', '"carriers":[]'],
		['shipments that are no list', '"shipments":[[', '"shipments":[1,['],
		['half of it', /"shipments".*/, ''],
	])('is unreadable with %s', async (_, part, changed) => {
		const text = await encodeState(stateOf([shipmentOf(1, { marks: 'abcdef' })]));
		expect(text).toMatch(part);
		expect(await decodeState(text.replace(part, changed))).toBeUndefined();
	});
});
