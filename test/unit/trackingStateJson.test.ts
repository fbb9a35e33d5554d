import { compareEvents, MARK_LENGTH } from '../../nodes/ParcelShipping/tracking/compare';
import type { WatchedShipment } from '../../nodes/ParcelShipping/tracking/state';
import type { TrackingEvent } from '../../nodes/ParcelShipping/transport/contract';
import { readState, writeState } from '../../nodes/ParcelShipping/tracking/stateJson';
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
const second = moment.map((ms) => Math.floor(ms / 1000) * 1000);
const periods = fc.record({ movedAt: second, isQuietReported: fc.boolean() }).chain((moved) =>
	fc.oneof(
		fc.constant({ ...moved, isWaitReported: false }),
		fc
			.record({ readyAt: second, isWaitReported: fc.boolean() })
			.map((ready) => ({ ...moved, ...ready })),
	),
);
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
		nextRequestAt: moment,
		refusedSince: moment,
		mainId: fc.nat(),
		periods,
	},
	{ requiredKeys: ['id', 'carrier', 'number', 'firstSeenDay', 'listed', 'known', 'isFinished'] },
) as fc.Arbitrary<WatchedShipment>;

describe('The saved state', () => {
	test('is read as it was written, with any carriers and numbers', () => {
		fc.assert(
			fc.property(fc.array(shipments), (list) => {
				expect(readState(writeState(stateOf(list)))).toEqual(stateOf(list));
			}),
		);
	});

	const saved = [
		shipmentOf(1001, { listed: 'now', known: 'abcdefghijkl' }),
		shipmentOf(1000, { carrier: 'BEAVER', number: '0,1;2%é', firstSeenDay: 20_000, newSince: 0 }),
		shipmentOf(2000, { number: '', listed: 'no', endedAt: nowMs, nextRequestAt: nowMs + 1 }),
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
	];

	test('is read as it was written, with everything that a shipment can have', () => {
		const state = { ...stateOf(saved), list: { next: 100, wasCompleted: true } };
		expect(readState(writeState(state))).toEqual(state);
	});

	test('is empty without shipments', () => {
		expect(readState(writeState(stateOf([])))).toEqual(stateOf([]));
	});

	test('keeps all events of a shipment, so that none is emitted again', () => {
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
		const saved = readState(writeState(stateOf([first.shipment])));
		const [again] = saved?.shipments ?? [];
		expect(compareEvents(again as WatchedShipment, events, comparison).newEvents).toEqual([]);
	});

	test('of 10,000 shipments with ten events and two periods each stays below 1 MB', () => {
		const known = 'abcdef'.repeat(10);
		const movedAt = nowMs - 5 * 86_400_000;
		const many = Array.from({ length: 10_000 }, (_, index) => ({
			...shipmentOf(7_654_321 + index, { known, number: `00${10 ** 19 + index}` }),
			periods: { movedAt: movedAt + index * 1_000, isQuietReported: false, isWaitReported: false },
		}));
		const text = writeState(stateOf(many));
		expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(1_000_000);
		// Printing the difference of two long lists takes half a minute.
		expect(isDeepStrictEqual(readState(text)?.shipments, many)).toBe(true);
	});

	test('keeps a finished shipment without its known events', () => {
		const finished = shipmentOf(1, { isFinished: true, endedAt: nowMs });
		expect(readState(writeState(stateOf([finished])))).toEqual(stateOf([finished]));
	});

	const writeWhole = () =>
		writeState(
			stateOf([1001, 1002].map((id) => shipmentOf(id, { known: 'abcdef', nextRequestAt: nowMs }))),
		);
	const damagesOf = (whole: string): Array<[string, unknown]> => [
		['nothing', undefined],
		['an object', { version: 1 }],
		['half of the text', whole.slice(0, whole.length / 2)],
		['another version', whole.replace('"version":1', '"version":2')],
		['no start', whole.replace(/"since":\d+/, '"since":null')],
		['shipments in another format', whole.replace(/"shipments":"[^"]*"/, '"shipments":[]')],
		['a truncated line', whole.replace(/,[^,;]*"}$/, '"}')],
		['an ID that is not a number', whole.replace(';1,', ';1x,')],
		['a moment that is not a number', whole.replace(`${nowMs},`, 'later,')],
		['a truncated mark', whole.replace('abcdef,', 'abcde,')],
		['a period that is not a number', whole.replace('abcdef,,', 'abcdef,?,')],
		['types that are not a list', whole.replace('"periodTypes":[]', '"periodTypes":1')],
		['a missing carrier', whole.replace('["ANT"]', '[]')],
		['a start with a fraction', whole.replace(/"since":\d+/, '"since":1.5')],
		['no account', whole.replace(/"account":"[^"]*"/, '"account":1')],
		['no selection', whole.replace(/"selection":"[^"]*"/, '"selection":null')],
		['no list', whole.replace(/"list":\{[^}]*\}/, '"list":null')],
		['a list without a position', whole.replace('"next":0', '"next":"0"')],
		['a list without an end', whole.replace('"wasCompleted":false', '"wasCompleted":0')],
		['no first day', whole.replace(/"firstDay":\d+/, '"firstDay":"x"')],
		['a time of saving that is text', whole.replace(/"savedAt":\d+/, '"savedAt":"1"')],
		['carriers that are not text', whole.replace('["ANT"]', '["ANT",1]')],
		['types that are not text', whole.replace('"periodTypes":[]', '"periodTypes":[1]')],
		['a number beyond what is exact', whole.replace(';1,', `;${2 ** 60},`)],
		['an unknown place in the list', whole.replace(',1,0,abcdef', ',3,0,abcdef')],
		['a line that ends before the periods', whole.replace(/;.*?"/, ';1,0,001002,1,0,abcdef"')],
		['a line with another value', whole.replace(/"}$/, ',1"}')],
		['a period after text', whole.replace('abcdef,,', 'abcdef,?1k,')],
		['a period before text', whole.replace('abcdef,,', 'abcdef,1k?,')],
		['a list instead', '[]'],
		['null', 'null'],
	];
	test('is unreadable if it is damaged', () => {
		const whole = writeWhole();
		const damages = damagesOf(whole);
		expect(damages.filter(([, text]) => text === whole)).toEqual([]);
		expect(damages.filter(([, text]) => readState(text) !== undefined)).toEqual([]);
	});

	test('has no quotation marks in its lines, since n8n saves each of them as two characters', () => {
		const whole = writeWhole();
		const { length } = JSON.stringify(whole);
		expect(length - whole.length).toBeLessThan(60);
	});
});
