import { MARK_LENGTH } from '../../nodes/ParcelShipping/tracking/compare';
import type { WatchedShipment } from '../../nodes/ParcelShipping/tracking/state';
import { readState, writeState } from '../../nodes/ParcelShipping/tracking/stateJson';
import { nowMs, shipmentOf, stateOf } from '../support/watched';

import fc from 'fast-check';

/** Some services send 0001-01-01 for a missing date. */
const moment = fc.integer({ min: Date.parse('0001-01-01'), max: 4_000_000_000_000 });
const mark = fc.string({
	unit: fc.constantFrom(...'abcXYZ019-_'),
	minLength: MARK_LENGTH,
	maxLength: MARK_LENGTH,
});
const shipments = fc.record(
	{
		id: fc.maxSafeInteger(),
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

	test('keeps a finished shipment without its known events', () => {
		const finished = shipmentOf(1, { isFinished: true, endedAt: nowMs });
		expect(readState(writeState(stateOf([finished])))).toEqual(stateOf([finished]));
	});

	const whole = writeState(
		stateOf([1001, 1002].map((id) => shipmentOf(id, { known: 'abcdef', nextRequestAt: nowMs }))),
	);
	test.each<[string, unknown]>([
		['nothing', undefined],
		['an object', { version: 1 }],
		['half of the text', whole.slice(0, whole.length / 2)],
		['another version', whole.replace('"version":1', '"version":2')],
		['no start', whole.replace(/"since":\d+/, '"since":null')],
		['shipments in another format', whole.replace(/"shipments":"[^"]*"/, '"shipments":[]')],
		['a truncated line', whole.replace(/,[^,;]*"/, '"')],
		['an ID that is not a number', whole.replace('1002,', '10x2,')],
		['a moment that is not a number', whole.replace(`${nowMs},`, 'later,')],
		['a truncated mark', whole.replace('abcdef,', 'abcde,')],
		['a missing carrier', whole.replace('["ANT"]', '[]')],
		['a list instead', '[]'],
		['null', 'null'],
	])('is unreadable: %s', (_, text) => {
		expect(whole).not.toBe(text);
		expect(readState(text)).toBeUndefined();
	});

	test('has no quotation marks in its lines, since n8n saves each of them as two characters', () => {
		const { length } = JSON.stringify(whole);
		expect(length - whole.length).toBeLessThan(60);
	});
});
