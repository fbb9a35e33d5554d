import {
	adaptState,
	hashSelection,
	removeExpired,
	type Watch,
	type WatchedShipment,
} from '../../nodes/ParcelShipping/tracking/state';
import { nowMs, shipmentOf, stateOf, watchOf } from '../support/watched';

const DAY_MS = 86_400_000;

describe('If the form changed', () => {
	const known = shipmentOf(1, { known: 'abcdef' });
	const before = stateOf([known]);

	test('in event types, output or time zone, the state stays as it is', () => {
		const changed = watchOf({ eventTypes: ['delivered'], output: 'shipment', timezone: 'UTC' });
		expect(adaptState(before, changed, nowMs + 1)).toBe(before);
	});

	test('in the filters, known events stay known, and other shipments are watched from now on', () => {
		const selection = { by: 'filters', filters: { cod: true }, createdWithinDays: 30 } as const;
		const after = adaptState(before, watchOf({ selection }), nowMs + 1);
		expect(after).toMatchObject({ since: nowMs + 1, list: { next: 0, wasCompleted: false } });
		expect(after.shipments).toEqual([{ ...known, listed: 'no' }]);
	});

	test('in the account, the state starts over, because its IDs mean other shipments there', () => {
		const after = adaptState(
			before,
			watchOf({ account: 'https://other.example.com/api 1' }),
			nowMs,
		);
		expect(after).toEqual({
			savedAt: 0,
			account: 'https://other.example.com/api 1',
			selection: before.selection,
			since: nowMs,
			periodTypes: [],
			list: { next: 0, wasCompleted: false },
			shipments: [],
		});
	});
});

describe('A shipment is removed', () => {
	const after = (days: number, changes: Partial<WatchedShipment>, given: Watch = watchOf()) =>
		removeExpired([shipmentOf(1, changes)], given, nowMs + days * DAY_MS).length;

	test.each<[number, Partial<WatchedShipment>, number]>([
		[1, { listed: 'no' }, 1],
		[32, { listed: 'no' }, 1],
		[33, { listed: 'no' }, 0],
		[33, { isFinished: true }, 0],
	])('after %i days, %j: %i left', (days, changes, left) => {
		expect(after(days, changes)).toBe(left);
	});

	test.each([
		[30, 1],
		[31, 0],
	])('%i days after the user no longer lists it: %i left', (days, left) => {
		const listed = watchOf({ selection: { by: 'numbers', shipments: [] } });
		expect(after(days, { listed: 'no' }, listed)).toBe(left);
	});

	test('but not while the user lists it', () => {
		const listed = watchOf({ selection: { by: 'numbers', shipments: [] } });
		expect(after(400, { listed: 'before' }, listed)).toBe(1);
		expect(after(400, { listed: 'no' }, listed)).toBe(0);
	});
});

test('the hash changes only with the selection of shipments', () => {
	const hash = hashSelection(watchOf());
	expect(hashSelection(watchOf({ eventTypes: ['delivered'], timezone: 'UTC' }))).toBe(hash);
	const selection = { by: 'filters', filters: { cod: true }, createdWithinDays: 30 } as const;
	expect(hashSelection(watchOf({ selection }))).not.toBe(hash);
});
