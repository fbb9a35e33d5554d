import { ShipmentIndex, toListEntries } from '../../../nodes/ParcelShipping/tracking/shipmentIndex';
import type { WatchedShipment } from '../../../nodes/ParcelShipping/tracking/state';
import { nowMs, shipmentOf, stateOf } from '../../support/watched';

const DAY_MS = 86_400_000;
const record = (id: number, fields = {}) => ({ id, carrierCode: 'ANT', ...fields });
const numbered = (id: number, fields = {}) =>
	record(id, { packageNumberCarrier: `00${id}`, ...fields });

test.each<[string, object[], object]>([
	['its number with all zeros', [numbered(1)], { number: '001' }],
	['a number to read from the detail, if the list has none', [record(1)], { canBeAdded: true }],
	['a number that comes later', [record(1), numbered(2)], { number: '', canBeAdded: false }],
	['a number that is empty', [record(1, { packageNumberCarrier: ' ' })], { number: '' }],
	['nothing about tracking', [numbered(1)], { canBeAdded: true }],
	['that it cannot be tracked', [numbered(1, { trackable: false })], { canBeAdded: false }],
	['nothing about its end', [numbered(1)], { hasEnded: false }],
	['that it was canceled', [numbered(1, { canceled: true })], { hasEnded: true }],
	['that it is its own main shipment', [numbered(1, { masterId: 1 })], { mainId: undefined }],
	['its main shipment', [numbered(1, { masterId: 9 })], { mainId: 9 }],
	['only that it is not the main one', [numbered(1, { isMaster: false })], { mainId: 0 }],
])('a record of the list says %s', (_, records, expected) => {
	expect(toListEntries(records as never, {})[0]).toMatchObject({ id: 1, ...expected });
});

test('only shipments without cash on delivery are watched, although the service ignores the filter', () => {
	const records = [
		numbered(1, { cod: true }),
		numbered(2, { codPrice: 9 }),
		numbered(3),
		{ id: 4 },
	];
	const idsWith = (filters: { cod?: boolean }) =>
		toListEntries(records as never, filters).map(({ id }) => id);
	expect(idsWith({ cod: false })).toEqual([3]);
	expect(idsWith({ cod: true })).toEqual([1, 2, 3]);
	expect(idsWith({})).toEqual([1, 2, 3]);
});

test('a record without an ID is not watched', () => {
	const records = [numbered(1), { ...numbered(2), id: null }, { ...numbered(3), id: 0 }];
	expect(toListEntries(records as never, {}).map(({ id }) => id)).toEqual([1]);
});

test('only main shipments are watched, as far as the service says which they are', () => {
	const records = [
		numbered(1, { isMaster: true, masterId: null }),
		numbered(2, { masterId: 1 }),
		numbered(3, { isMaster: false }),
		numbered(4, { packageNumberOrder: 1 }),
		numbered(5, { packageNumberOrder: 2 }),
		numbered(6),
	];
	const idsWith = (filters: { onlyMaster?: boolean }) =>
		toListEntries(records as never, filters).map(({ id }) => id);
	expect(idsWith({ onlyMaster: true })).toEqual([1, 4, 6]);
	expect(idsWith({ onlyMaster: false })).toEqual([1, 2, 3, 4, 5, 6]);
});

describe('A watched shipment', () => {
	const earlier = nowMs - DAY_MS;
	const indexOf = (...shipments: WatchedShipment[]) => new ShipmentIndex(stateOf(shipments), nowMs);
	const entry = (id: number, number = '', fields = {}) => ({
		id,
		carrier: 'ANT',
		number,
		...fields,
	});
	const after = (known: WatchedShipment[], ...entries: Array<ReturnType<typeof entry>>) => {
		const index = indexOf(...known);
		for (const each of entries) index.upsert(each);
		return index.shipments;
	};

	test('has an ID, or only a number if the user gave only that', () => {
		const known = [shipmentOf(1), shipmentOf(0, { number: '009' })];
		expect(after(known, entry(1), entry(9, '009'), entry(0, '001'))).toMatchObject([
			{ id: 1, number: '001', listed: 'inThisReading' },
			{ id: 9, number: '009', listed: 'inThisReading' },
		]);
	});

	test('is one, although the user lists its number under the carrier in capitals and in small letters', () => {
		const index = indexOf();
		for (const carrier of ['ANT', 'ant']) index.upsert({ id: 0, carrier, number: '001' });
		expect(index.shipments).toMatchObject([{ carrier: 'ANT', number: '001' }]);
	});

	test.each(['', '003'])(
		'with the number "%s" gets no events if another one has its new number',
		(number) => {
			const known = [shipmentOf(1), shipmentOf(2, { number, marks: 'abcdef' })];
			expect(after(known, entry(1, '001'), entry(2, '001'))).toMatchObject([
				{ id: 1, number: '001', status: 'usual' },
				{ id: 2, number: '', status: 'finished' },
			]);
		},
	);

	test.each(['', '009'])(
		'that was finished, because another one had its number, starts over with a number of its own (before: "%s")',
		(number) => {
			const both = [shipmentOf(1), shipmentOf(2, { number, latestAt: earlier })];
			const known = after(both, entry(1, '001'), entry(2, '001'));
			const own = { id: 2, number: '002', marks: '', status: 'usual', listed: 'inThisReading' };
			const expected = { ...own, newSince: earlier + 1000 };
			expect(after(known, entry(1, '001'), entry(2, '001'), entry(2, '002'))[1]).toMatchObject(
				expected,
			);
			const index = indexOf(...known);
			index.complete(2, '002');
			expect(index.shipments[1]).toMatchObject(expected);
		},
	);

	test('gets the number that another one had before in the same list', () => {
		const known = [shipmentOf(1), shipmentOf(2, { number: '' })];
		const numbers = after(known, entry(1, '007'), entry(2, '001')).map(({ number }) => number);
		expect(numbers).toEqual(['007', '001']);
	});

	test('starts over if the carrier changes its number', () => {
		const known = { marks: 'abcdef', status: 'finished' as const };
		const [changed] = after([shipmentOf(1, known)], entry(1, '002'));
		const startsOver = { number: '002', marks: '', newSince: nowMs, status: 'usual' };
		expect(changed).toMatchObject(startsOver);
	});

	const reported = { latestAt: earlier, noMovementReported: earlier };
	test.each<[string, Partial<WatchedShipment>, Partial<WatchedShipment>]>([
		[
			'the latest known date',
			{ latestAt: earlier },
			{ newSince: earlier + 1000, ownEndAfter: earlier },
		],
		['the start if no date is known', {}, { newSince: nowMs }],
		['its own start if nothing is known', { newSince: earlier }, { newSince: earlier }],
		['there, and a standstill goes on', reported, reported],
	])('whose number changes has events that are new since %s', (_, known, changed) => {
		const shipments = after([shipmentOf(1, known)], entry(1, '002'));
		expect(shipments).toMatchObject([{ number: '002', ...changed }]);
	});

	test('is still watched if the service marks it as not trackable, for example at its delivery', () => {
		const delivered = entry(1, '001', { canBeAdded: false, hasEnded: true });
		expect(after([shipmentOf(1)], delivered)).toMatchObject([
			{ listed: 'inThisReading', status: 'usual' },
		]);
	});

	describe('with a number that a later shipment uses again', () => {
		const ended = { endedAt: earlier, marks: 'abcdef', groups: 4, latestAt: earlier };
		const first = entry(1, '001', { hasEnded: true });
		const known = { number: '001', marks: 'abcdef', latestAt: earlier };
		const since = { noMovementReported: earlier, ownEndAfter: earlier };
		const own = { ...known, ...since, listed: 'inThisReading' as const };

		test.each([
			{ order: 'newest first', entries: [entry(2, '001'), first] },
			{ order: 'oldest first', entries: [first, entry(2, '001')] },
		])('leaves its place to that one once it has ended, in a list with the $order', (given) => {
			const { entries } = given;
			expect(after([shipmentOf(1, ended)], ...entries)).toEqual([shipmentOf(2, own)]);
			const living = after([shipmentOf(1)], entry(1, '001'), entry(2, '001'));
			expect(living).toEqual([shipmentOf(1, { listed: 'inThisReading' })]);
		});

		test('leaves its place although it is finished, and has no old event then', () => {
			const finished = shipmentOf(1, { ...ended, marks: '', status: 'finished' });
			const starting = { ...own, marks: '', newSince: earlier + 1000 };
			expect(after([finished], entry(2, '001'))).toEqual([shipmentOf(2, starting)]);
		});

		test('leaves its place to one whose number comes from its detail', () => {
			const index = indexOf(shipmentOf(1, ended), shipmentOf(2, { number: '' }));
			index.complete(2, '001');
			index.upsert(entry(1, '001'));
			expect(index.shipments).toMatchObject([
				{ id: 1, number: '', status: 'finished' },
				{ id: 2, ...own, status: 'usual' },
			]);
		});

		test.each([true, false])(
			'does not get it back; the list says that it ended: %s',
			(hasEnded) => {
				const [later, older] = [shipmentOf(2, { ...own, ...ended }), shipmentOf(1, { number: '' })];
				expect(after([later], entry(1, '001', { hasEnded }))).toEqual([later]);
				const index = indexOf(later, older);
				index.complete(1, '001');
				const listed = { ...later, listed: 'inThisReading' };
				expect(index.shipments).toEqual([listed, { ...older, status: 'finished' }]);
			},
		);

		test.each([{ mainId: 1 }, { mainId: 0 }, { canBeAdded: false }])(
			'keeps it if that is a piece of it or cannot be tracked: %j',
			(fields) => {
				const kept = after([shipmentOf(1, ended)], entry(2, '001', fields));
				expect(kept).toEqual([shipmentOf(1, { ...ended, listed: 'inThisReading' })]);
			},
		);

		test('keeps it if a detail says that this is a piece of it', () => {
			const index = indexOf(shipmentOf(1, ended), shipmentOf(2, { number: '' }));
			index.complete(2, '001', 1);
			expect(index.shipments).toMatchObject([
				{ id: 1, ...ended },
				{ id: 2, number: '' },
			]);
		});
	});

	// Of a piece, its main shipment may not be known yet.
	test.each([1, 0])(
		'goes on under the ID that is read for its number, as a piece of %i',
		(mainId) => {
			const known = shipmentOf(0, {
				number: '001',
				listed: 'unlisted',
				marks: 'abcdef',
				groups: 4,
			});
			const index = indexOf(known, shipmentOf(2, { number: '', listed: 'inThisReading', mainId }));
			index.complete(2, '001');
			expect(index.shipments).toEqual([
				{ ...known, number: '', status: 'finished' },
				{ ...known, id: 2, mainId, listed: 'inThisReading' },
			]);
		},
	);

	test('is requested at once if the list says that it was delivered', () => {
		const waiting = shipmentOf(1, { nextRequestAt: nowMs + 600_000 });
		const shipments = after([waiting], entry(1, '001', { hasEnded: true }));
		expect(shipments).toEqual([shipmentOf(1, { listed: 'inThisReading', endedAt: nowMs })]);
	});

	test('gets its number once; a piece with this number is finished, so that no event comes twice', () => {
		const unnumbered = shipmentOf(1, { number: '', nextRequestAt: nowMs });
		const index = indexOf(unnumbered, shipmentOf(2, { number: '', mainId: 1 }));
		index.complete(1, '007');
		index.complete(1, '008');
		index.complete(2, '007', 1);
		const finished = shipmentOf(2, { number: '', status: 'finished', mainId: 1 });
		const first = shipmentOf(1, { number: '007', listed: 'inThisReading' });
		expect(index.shipments).toEqual([first, finished]);
	});

	test('is no longer watched after the whole list was read without it twice in a row', () => {
		const index = indexOf(shipmentOf(1), shipmentOf(2));
		const listedAfter = (...ids: number[]) => {
			for (const id of ids) index.upsert(entry(id, `00${id}`));
			index.finishList();
			return index.shipments.map(({ listed }) => listed);
		};
		expect(listedAfter(1, 2)).toEqual(['inLastReading', 'inLastReading']);
		expect(listedAfter()).toEqual(['missedOnce', 'missedOnce']);
		expect(listedAfter(1)).toEqual(['inLastReading', 'unlisted']);
		expect(listedAfter()).toEqual(['missedOnce', 'unlisted']);
	});

	const activeUntil = nowMs + DAY_MS + 2 * 3_600_000;
	test.each<[string, number, boolean, object]>([
		['has events that are new since the start', nowMs, false, {}],
		['has only new events with Existing Events', 0, false, {}],
		['is active if the list was read before', nowMs, true, { activeUntil }],
	])('that is added %s', (_, newSince, wasCompleted, fields) => {
		const areExistingNew = newSince === 0;
		const state = { ...stateOf([]), areExistingNew, list: { next: 0, wasCompleted } };
		const index = new ShipmentIndex(state, nowMs + DAY_MS);
		for (let times = 0; times < 2; times++) index.upsert(entry(7, '007'));
		const added = { addedDay: 20_615, listed: 'inThisReading' as const, newSince, ...fields };
		expect(index.shipments).toEqual([shipmentOf(7, added)]);
	});
});
