import { MARK_LENGTH } from '../../nodes/ParcelShipping/tracking/identity';
import {
	adoptWatch,
	beginState,
	dayOf,
	forgetShipments,
	type WatchedShipment,
	type WatchState,
} from '../../nodes/ParcelShipping/tracking/state';
import { readState, writeState } from '../../nodes/ParcelShipping/tracking/stateText';
import type { Watch } from '../../nodes/ParcelShipping/tracking/watch';

import fc from 'fast-check';

const nowMs = Date.parse('2026-06-10T09:00:00Z');
const DAY_MS = 86_400_000;

const watch = (changes: Partial<Watch> = {}): Watch => ({
	what: { by: 'filters', filters: {}, createdWithinDays: 30 },
	kinds: [],
	startFrom: 'now',
	timezone: 'Europe/Prague',
	maxConcurrency: 4,
	account: 'https://api.example.com/api 1',
	...changes,
});

const shipment = (changes: Partial<WatchedShipment> = {}): WatchedShipment => ({
	id: 1001,
	carrier: 'ANT',
	number: '0012345000000000001001',
	firstSeenDay: dayOf(nowMs),
	listed: 'before',
	known: 'abcdef',
	isResting: false,
	...changes,
});

const state = (shipments: WatchedShipment[]): WatchState => ({
	...beginState(watch(), nowMs),
	savedAt: nowMs,
	shipments,
});

const seconds = fc.nat({ max: 4_000_000_000 }).map((second) => second * 1_000);
const mark = fc.string({
	unit: fc.constantFrom(...'abcXYZ019-_'),
	minLength: MARK_LENGTH,
	maxLength: MARK_LENGTH,
});
const shipments = fc.record(
	{
		id: fc.maxSafeNat(),
		carrier: fc.string(),
		number: fc.string({ unit: 'grapheme' }),
		firstSeenDay: fc.integer({ min: 20_089, max: 60_000 }),
		listed: fc.constantFrom('now', 'before', 'no'),
		known: fc.array(mark, { maxLength: 12 }).map((marks) => marks.join('')),
		isResting: fc.constant(false),
		since: seconds,
		overSince: seconds,
		dueAt: seconds,
	},
	{ requiredKeys: ['id', 'carrier', 'number', 'firstSeenDay', 'listed', 'known', 'isResting'] },
) as fc.Arbitrary<WatchedShipment>;

describe('The state as text', () => {
	test('comes back as it was, whatever carriers and numbers look like', () => {
		fc.assert(
			fc.property(fc.array(shipments), (list) => {
				// A shipment that has never answered knows no events.
				const plain = list.map((row) => (row.since === undefined ? row : { ...row, known: '' }));
				expect(readState(writeState(state(plain)))).toEqual(state(plain));
			}),
		);
	});

	test('keeps of a shipment that rests only that it does', () => {
		const resting = shipment({ isResting: true, known: '', overSince: nowMs });
		expect(readState(writeState(state([resting])))).toEqual(state([resting]));
	});

	const whole = writeState(state([shipment(), shipment({ id: 1002 })]));
	test.each<[string, unknown]>([
		['nothing', undefined],
		['an object', { version: 1 }],
		['half of it', whole.slice(0, whole.length / 2)],
		['another version', whole.replace('"version":1', '"version":2')],
		['no moment of the beginning', whole.replace(/"since":\d+/, '"since":null')],
		['shipments of another form', whole.replace(/"shipments":"[^"]*"/, '"shipments":[]')],
		['a line that is cut off', whole.replace(/,[^,;]*"/, '"')],
		['a mark that is cut off', whole.replace('abcdef;', 'abcde;')],
		['a carrier that is not there', whole.replace('["ANT"]', '[]')],
		['a list instead', '[]'],
		['null', 'null'],
	])('%s is not taken for a state', (_, text) => {
		expect(whole).not.toBe(text);
		expect(readState(text)).toBeUndefined();
	});

	test('has no quotation marks in its lines, which n8n would write as two characters each', () => {
		const { length } = JSON.stringify(whole);
		expect(length - whole.length).toBeLessThan(60);
	});
});

describe('A form that has changed', () => {
	const before = state([shipment()]);

	test('as to kinds, output or speed goes on as before', () => {
		const changed = watch({ kinds: ['delivered'], maxConcurrency: 1, timezone: 'UTC' });
		expect(adoptWatch(before, changed, nowMs + 1)).toBe(before);
	});

	test('as to the filters keeps what is known, and counts the others from now', () => {
		const what = { by: 'filters', filters: { cod: true }, createdWithinDays: 30 } as const;
		const after = adoptWatch(before, watch({ what }), nowMs + 1);
		expect(after).toMatchObject({ since: nowMs + 1, sweep: { next: 0, wasCompleted: false } });
		expect(after.shipments).toEqual([shipment({ listed: 'no' })]);
	});

	test('as to the account begins anew: the ids mean other shipments there', () => {
		const after = adoptWatch(before, watch({ account: 'https://other.example.com/api 1' }), nowMs);
		expect(after.shipments).toEqual([]);
	});
});

describe('A shipment is forgotten', () => {
	const after = (days: number, changes: Partial<WatchedShipment>, given = watch()) =>
		forgetShipments(state([shipment(changes)]), given, nowMs + days * DAY_MS).shipments.length;

	test.each<[number, Partial<WatchedShipment>, number]>([
		[1, { listed: 'no' }, 1],
		[32, { listed: 'no' }, 1],
		[33, { listed: 'no' }, 0],
		[33, { isResting: true }, 0],
	])('after %i days, %j: %i left', (days, changes, left) => {
		expect(after(days, changes)).toBe(left);
	});

	test('not while it stands on the list that the user gave', () => {
		const listed = watch({ what: { by: 'list', shipments: [] } });
		expect(after(400, { listed: 'before' }, listed)).toBe(1);
		expect(after(400, { listed: 'no' }, listed)).toBe(0);
	});
});
