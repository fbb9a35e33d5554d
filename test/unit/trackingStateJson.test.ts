import { compareEvents, MARK_LENGTH } from '../../nodes/ParcelShipping/tracking/compare';
import type { WatchedShipment } from '../../nodes/ParcelShipping/tracking/state';
import type { TrackingEvent } from '../../nodes/ParcelShipping/transport/contract';
import { parseState, readState, writeState } from '../../nodes/ParcelShipping/tracking/stateJson';
import { withPauses } from '../../nodes/ParcelShipping/transport/concurrency';
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
		newsUntil: minute,
		refusedSince: moment,
		mainId: fc.nat(),
		periods,
	},
	{ requiredKeys: ['id', 'carrier', 'number', 'firstSeenDay', 'listed', 'known', 'isFinished'] },
) as fc.Arbitrary<WatchedShipment>;

const read = async (text: unknown) => await withPauses(readState(parseState(text)));
const write = async (list: WatchedShipment[]) => await withPauses(writeState(stateOf(list)));
const writeAndRead = async (list: WatchedShipment[]) => await read(await write(list));

describe('The saved state', () => {
	test('is read as it was written, with any carriers and numbers', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(shipments), async (list) => {
				expect(await writeAndRead(list)).toEqual(stateOf(list));
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
		expect(await read(await withPauses(writeState(state)))).toEqual(state);
	});

	test.each([{ nextRequestAt: nowMs + 10 * 60_000 }, { newsUntil: nowMs + 10 * 60_000 }])(
		'takes a few characters for %j, which many shipments have',
		async (next) => {
			const [without, withIt] = [await write([shipmentOf(1)]), await write([shipmentOf(1, next)])];
			expect(withIt.length - without.length).toBeLessThan(5);
		},
	);

	test('takes less for a departure that was the last movement', async () => {
		const lengthOf = async (leftAt: number) => {
			const periods = {
				movedAt: nowMs,
				isQuietReported: false,
				isWaitReported: false,
				leftAt,
			};
			return (await write([shipmentOf(1, { periods })])).length;
		};
		expect(await lengthOf(nowMs)).toBeLessThan(await lengthOf(nowMs - 1_000));
	});

	test('is empty without shipments', async () => {
		expect(await writeAndRead([])).toEqual(stateOf([]));
	});

	test('is read as it was written if the numbers of its carriers begin alike', async () => {
		const list = [
			shipmentOf(1, { number: '0012345' }),
			shipmentOf(2, { number: '0012345', carrier: 'BEAVER' }),
			shipmentOf(3, { number: '00123' }),
			shipmentOf(4, { number: '' }),
			shipmentOf(5, { number: `${'1'.repeat(50)}é` }),
			shipmentOf(6, { number: `${'1'.repeat(50)}è` }),
			shipmentOf(7, { number: 'BV,9;!"', carrier: 'BEAVER' }),
		];
		expect(await writeAndRead(list)).toEqual(stateOf(list));
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
		const saved = await writeAndRead([first.shipment]);
		const [again] = saved?.shipments ?? [];
		expect(compareEvents(again as WatchedShipment, events, comparison).newEvents).toEqual([]);
	});

	test('of 10,000 shipments with ten events and two periods each stays below 1 MB, in any order', async () => {
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
		// As far from each other as possible.
		many.sort((a, b) => ((a.id * 7_919) % 10_007) - ((b.id * 7_919) % 10_007));
		const text = await write(many);
		expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(1_000_000);
		// Printing the difference of two long lists takes half a minute.
		expect(isDeepStrictEqual((await read(text))?.shipments, many)).toBe(true);
	});

	test('keeps a finished shipment without its known events', async () => {
		const finished = shipmentOf(1, { isFinished: true, endedAt: nowMs });
		expect(await writeAndRead([finished])).toEqual(stateOf([finished]));
	});

	/** A saved state, and the same text with a change. */
	const wholeAnd = async (change: (text: string) => unknown) => {
		const list = [1001, 1002].map((id) =>
			shipmentOf(id, {
				number: `A${id}`,
				known: 'abcdef',
				endedAt: nowMs,
				periods: { movedAt: nowMs, isQuietReported: false, isWaitReported: false },
			}),
		);
		const whole = await write(list);
		return { whole, changed: change(whole) };
	};

	test.each<[string, (text: string) => unknown]>([
		['nothing', () => undefined],
		['an object', () => ({ version: 1 })],
		['half of the text', (text) => text.slice(0, text.length / 2)],
		['another version', (text) => text.replace('"version":1', '"version":2')],
		['no start', (text) => text.replace(/"since":\d+/, '"since":null')],
		[
			'shipments in another format',
			(text) => text.replace(/"shipments":"[^"]*"/, '"shipments":[]'),
		],
		['a truncated line', (text) => text.replace(/,abcdef[^;"]*"/, '"')],
		['a truncated day', (text) => text.replace(',10,abcdef', ',1,abcdef')],
		['an ID that is not a number', (text) => text.replace(';1,', ';1x,')],
		['a number that begins like none before it', (text) => text.replace(',0A1001', ',5A1001')],
		['a moment that is not a number', (text) => text.replace(/,e\w+/, ',e?')],
		['a moment after something else', (text) => text.replace(/,e\w+/, ',e?1')],
		['a moment before something else', (text) => text.replace(/,e\w+/, ',e1?')],
		['an unknown field', (text) => text.replace(/,e\w+/, ',x1')],
		['a truncated mark', (text) => text.replace('abcdef,', 'abcde,')],
		['a period that is not a number', (text) => text.replace(/,p\w+/, ',p?')],
		['a period after something else', (text) => text.replace(/,p\w+/, ',p?1')],
		['a period before something else', (text) => text.replace(/,p\w+/, ',p1?')],
		['types that are not a list', (text) => text.replace('"periodTypes":[]', '"periodTypes":1')],
		['a missing carrier', (text) => text.replace('["ANT"]', '[]')],
		['a start with a fraction', (text) => text.replace(/"since":\d+/, '"since":1.5')],
		['no account', (text) => text.replace(/"account":"[^"]*"/, '"account":1')],
		['no selection', (text) => text.replace(/"selection":"[^"]*"/, '"selection":null')],
		['no list', (text) => text.replace(/"list":\{[^}]*\}/, '"list":null')],
		['a list without a position', (text) => text.replace('"next":0', '"next":"0"')],
		['a list without an end', (text) => text.replace('"wasCompleted":false', '"wasCompleted":0')],
		['no first day', (text) => text.replace(/"firstDay":\d+/, '"firstDay":"x"')],
		['a time of saving that is text', (text) => text.replace(/"savedAt":\d+/, '"savedAt":"1"')],
		['carriers that are not text', (text) => text.replace('["ANT"]', '["ANT",1]')],
		['types that are not text', (text) => text.replace('"periodTypes":[]', '"periodTypes":[1]')],
		['a number beyond what is exact', (text) => text.replace(';1,', `;${2 ** 60},`)],
		['a list instead', () => '[]'],
		['null', () => 'null'],
	])('is unreadable: %s', async (_, change) => {
		const { whole, changed } = await wholeAnd(change);
		expect(whole).not.toBe(changed);
		expect(await read(whole)).toBeDefined();
		expect(await read(changed)).toBeUndefined();
	});

	test('has no quotation marks in its lines, since n8n saves each of them as two characters', async () => {
		const { whole } = await wholeAnd(String);
		const { length } = JSON.stringify(whole);
		expect(length - whole.length).toBeLessThan(60);
	});
});
