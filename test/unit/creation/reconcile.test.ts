import fc from 'fast-check';

import {
	emptyResult,
	type Evidence,
	NO_EVIDENCE,
	reconcile,
	type SentRequest,
} from '../../../nodes/ParcelShipping/creation/reconcile';
import {
	type FoundRecord,
	isRefused,
	type OrderResult,
	type Row,
} from '../../../nodes/ParcelShipping/creation/types';
import { createdRow, orderWith, recordOf, refusedRow } from '../../support/orders';
import { Reached } from '../../support/reached';
import { type Order, referenceOf } from '../../../nodes/ParcelShipping/orders/order';

const requestOf = (orders: Order[], more: Partial<SentRequest> = {}): SentRequest => ({
	orders,
	rows: [],
	candidates: [],
	batch: null,
	idsBefore: [],
	since: '2026-11-19',
	reason: 'lost',
	correlationId: null,
	...more,
});

/** IDs of the pieces, and -1 for each refusal. */
const idsOf = ({ pieces, refused }: OrderResult) => [
	...pieces.map(({ row }) => Number(row.id)),
	...refused.map(() => -1),
];

/** Results by reference; an unmatched row stands under all references it may belong to. */
function summaryOf(request: SentRequest, evidence: Partial<Evidence> = {}) {
	const { results, incomplete, pending } = reconcile(request, { ...NO_EVIDENCE, ...evidence });
	const matched = results.filter(({ orders, isUnmatched }) => orders.length === 1 && !isUnmatched);
	const unmatched = results.filter((result) => !matched.includes(result));
	return {
		matched: Object.fromEntries(
			matched.map((result) => [referenceOf(result.orders[0] as Order), idsOf(result)]),
		),
		unknown: results
			.filter(({ unknown }) => unknown)
			.map(({ orders }) => orders.map(referenceOf)[0]),
		unmatched: unmatched.flatMap(idsOf),
		incomplete: incomplete.map(referenceOf),
		isPending: pending !== undefined,
	};
}

const [a, b, c] = [orderWith('A'), orderWith('B'), orderWith('C')];

describe('The rows of an answer', () => {
	const cases: Array<[string, Order[], Row[], Partial<ReturnType<typeof summaryOf>>]> = [
		[
			'in another order than the request are matched by reference',
			[a, b],
			[createdRow(2, 'B'), createdRow(1, 'A')],
			{ matched: { A: [1], B: [2] }, incomplete: [], isPending: false },
		],
		[
			'may be refused for one order and created for another',
			[a, b],
			[createdRow(1, 'A'), refusedRow('B')],
			{ matched: { A: [1], B: [-1] }, unknown: [], isPending: false },
		],
		[
			'keep the refused pieces of an order of which others were created',
			[orderWith('A', { pieceCount: 2 })],
			[createdRow(1, 'A'), refusedRow('A')],
			{ matched: { A: [1, -1] }, unknown: [], isPending: false },
		],
		[
			'may lack an order, whose outcome is then unknown',
			[a, b],
			[createdRow(1, 'A')],
			{ matched: { A: [1], B: [] }, unknown: ['B'], incomplete: ['B'], isPending: true },
		],
		[
			'may lack a piece, which is then unknown',
			[orderWith('A', { pieceCount: 3 }), b],
			[createdRow(1, 'A'), createdRow(2, 'A'), createdRow(3, 'B')],
			{ matched: { A: [1, 2], B: [3] }, unknown: ['A'], incomplete: ['A'], isPending: false },
		],
		[
			'may contain the same shipment twice, which counts once',
			[a],
			[createdRow(1, 'A'), createdRow(1, 'A')],
			{ matched: { A: [1] }, unmatched: [] },
		],
		[
			'may have more pieces than ordered if no other order lacks rows',
			[a, b],
			[createdRow(1, 'A'), createdRow(2, 'A'), createdRow(3, 'B')],
			{ matched: { A: [1, 2], B: [3] }, unmatched: [] },
		],
		[
			'with one reference twice are unmatched while another order has no row',
			[a, b],
			[createdRow(1, 'A'), createdRow(2, 'A')],
			{ unmatched: [1, 2], incomplete: ['A', 'B'], isPending: true },
		],
		[
			'without a reference are unmatched if they were created, even if one order is left',
			[a, b],
			[createdRow(1, 'A'), createdRow(2, null)],
			{ matched: { A: [1] }, unmatched: [2], incomplete: ['B'], isPending: true },
		],
		[
			'without a reference belong to the only order left if they were refused',
			[a, b, c],
			[createdRow(1, 'A'), refusedRow(null), createdRow(3, 'C')],
			{ matched: { A: [1], B: [-1], C: [3] }, unknown: [], incomplete: [], isPending: false },
		],
		[
			'without a reference refuse as many orders as there are refusals',
			[a, b, c],
			[refusedRow(null), refusedRow(''), createdRow(3, 'C')],
			{ matched: { C: [3] }, unmatched: [-1, -1], unknown: [], isPending: false },
		],
		[
			'without a reference refuse no order if there are more orders than refusals',
			[a, b],
			[refusedRow(null)],
			{ matched: { A: [], B: [] }, unmatched: [-1], unknown: ['A', 'B'], isPending: true },
		],
		[
			'may refuse all pieces of an order with one row',
			[orderWith('A', { pieceCount: 2 })],
			[refusedRow('A')],
			{ matched: { A: [-1] }, unknown: [], incomplete: [], isPending: false },
		],
		[
			'may leave out the IDs of refused pieces, each of which counts',
			[orderWith('A', { pieceCount: 2 })],
			[refusedRow('A'), refusedRow('A')],
			{ matched: { A: [-1, -1] }, unmatched: [], isPending: false },
		],
		[
			'may lack one piece of an order that was refused otherwise',
			[orderWith('A', { pieceCount: 3 })],
			[createdRow(1, 'A'), refusedRow('A')],
			{ matched: { A: [1, -1] }, unknown: ['A'], incomplete: [], isPending: false },
		],
		[
			'without a reference do not belong to an order that already has a row',
			[orderWith('A', { pieceCount: 2 }), b],
			[createdRow(1, 'A'), refusedRow(null), createdRow(3, 'B')],
			{ matched: { A: [1], B: [3] }, unmatched: [-1], unknown: ['A'], incomplete: ['A'] },
		],
		[
			'with an unknown reference refuse no order',
			[a],
			[refusedRow('OTHER')],
			{ unknown: ['A'], incomplete: ['A'], isPending: true },
		],
		[
			'with an unknown reference do not disturb the others',
			[a, c],
			[createdRow(1, 'A'), createdRow(3, 'C'), createdRow(9, 'OTHER')],
			{ matched: { A: [1], C: [3] }, unmatched: [9], unknown: [], isPending: true },
		],
		[
			'without a reference are enough for as many orders without a row',
			[a, b],
			[createdRow(1, null), createdRow(2, null)],
			{ unmatched: [1, 2], unknown: [], isPending: true },
		],
		[
			'without a reference are not enough for more orders than rows',
			[a, b, c],
			[createdRow(1, null), createdRow(2, null)],
			{ unmatched: [1, 2], unknown: ['A', 'B', 'C'], isPending: true },
		],
		[
			'with unknown references are not enough for orders without a row',
			[a, b],
			[createdRow(1, 'X'), createdRow(2, 'Y')],
			{ unmatched: [1, 2], unknown: ['A', 'B'], isPending: true },
		],
	];
	test.each(cases)('%s', (_, orders, rows, expected) => {
		expect(summaryOf(requestOf(orders, { rows }))).toMatchObject(expected);
	});

	test("match the service's records rather than their own reference", () => {
		const records = [recordOf(1, 'A'), recordOf(2, 'B')];
		for (const rows of [
			[createdRow(2, null), createdRow(1, null)],
			[createdRow(1, 'A'), createdRow(2, 'A')],
			[createdRow(1, 'B'), createdRow(2, 'A')],
		]) {
			expect(summaryOf(requestOf([a, b], { rows }), { records })).toMatchObject({
				matched: { A: [1], B: [2] },
				unmatched: [],
				isPending: false,
			});
		}
	});

	test('without a reference are all kept if there are more refusals than orders left', () => {
		const rows = [createdRow(1, 'A'), refusedRow(null), refusedRow('')];
		const { results } = reconcile(requestOf([a, b], { rows }), NO_EVIDENCE);
		expect(results.flatMap(({ refused }) => refused)).toEqual(rows.slice(1));
	});

	test('with one reference twice stay with their order if a record confirms them', () => {
		const rows = [createdRow(1, 'A'), createdRow(2, 'A')];
		const request = requestOf([a, b], { rows });
		expect(summaryOf(request, { records: [recordOf(1, 'A')] })).toMatchObject({
			matched: { A: [1], B: [] },
			unmatched: [2],
			unknown: ['B'],
		});
	});

	test('stay with the orders they may belong to, also in a later try', () => {
		const rows = [createdRow(1, null)];
		const { pending } = reconcile(requestOf([a, b], { rows }), NO_EVIDENCE);
		expect(pending).toMatchObject({ orders: [a, b], candidates: [a, b], rows });
		const later = reconcile({ ...(pending as SentRequest), orders: [] }, NO_EVIDENCE);
		expect(later.results).toMatchObject([{ orders: [a, b], isUnmatched: true }]);
	});
});

describe('A record found after a lost answer', () => {
	const records = [recordOf(1, 'A'), recordOf(2, 'AA')];
	const outcomeOf = (request: Partial<SentRequest>, evidence: Partial<Evidence> = {}) => {
		const { results } = reconcile(requestOf([a], request), {
			...NO_EVIDENCE,
			records,
			...evidence,
		});
		return {
			recovered: results.flatMap(({ pieces }) =>
				pieces.filter(({ recovered }) => recovered).map(({ row }) => row.id),
			),
			possible: results.flatMap(({ unknown }) => unknown?.possible.map(({ id }) => id) ?? []),
		};
	};
	const cases: Array<
		[string, Partial<SentRequest>, Partial<Evidence>, ReturnType<typeof outcomeOf>]
	> = [
		['is recovered if it was not there before', {}, {}, { recovered: [1], possible: [] }],
		['is ignored if it was there before', { idsBefore: [1] }, {}, { recovered: [], possible: [] }],
		[
			'is ignored if this run has another result for it',
			{},
			{ settledIds: [1] },
			{ recovered: [], possible: [] },
		],
		[
			'is only possible if what was there before could not be read',
			{ idsBefore: null },
			{},
			{ recovered: [], possible: [1] },
		],
		[
			'is only possible if another pending request has its reference',
			{},
			{ contested: new Set(['A']) },
			{ recovered: [], possible: [1] },
		],
		[
			'confirms the row of the answer with its ID',
			{ rows: [createdRow(1, null)] },
			{},
			{ recovered: [], possible: [] },
		],
	];
	test.each(cases)('%s', (_, request, evidence, expected) => {
		expect(outcomeOf(request, evidence)).toEqual(expected);
	});

	test('completes the pieces of the answer with free piece numbers', () => {
		const three = orderWith('A', { pieceCount: 3 });
		const rows = [
			{ ...createdRow(1, 'A'), pieceIndex: 0 },
			{ ...createdRow(3, 'A'), pieceIndex: 2 },
		];
		const found = [1, 2, 3].map((id) => recordOf(id, 'A'));
		const { results } = reconcile(requestOf([three], { rows }), { ...NO_EVIDENCE, records: found });
		expect(results).toMatchObject([
			{
				pieces: [
					{ row: { id: 1, pieceIndex: 0 }, recovered: false },
					{ row: { id: 2, pieceIndex: 1 }, recovered: true, alreadyExisted: false },
					{ row: { id: 3, pieceIndex: 2 }, recovered: false },
				],
			},
		]);
		expect(results[0]).not.toHaveProperty('unknown');
	});

	test('completes an order of which the answer has one of two pieces', () => {
		const two = orderWith('A', { pieceCount: 2 });
		const request = requestOf([two], { rows: [createdRow(1, 'A')] });
		expect(summaryOf(request, { records: [recordOf(2, 'A')] })).toMatchObject({
			matched: { A: [1, 2] },
			unknown: [],
			isPending: false,
		});
	});
});

describe('The result of an order', () => {
	const BATCH = {
		batchId: 7,
		labelsUrl: null,
		labelsHash: 'abc',
		ordersUrl: null,
		ordersHash: null,
		packagesCount: 2,
		correlationId: null,
	};

	test('says what is known of an unknown outcome', () => {
		const request = requestOf([a, b, c], {
			rows: [createdRow(9, null), refusedRow('OTHER')],
			idsBefore: null,
			reason: 'No answer',
			correlationId: '0b9f',
		});
		const possible = recordOf(1, 'A');
		const evidence = { ...NO_EVIDENCE, records: [possible], searches: 3, searchError: 'down' };
		const known = {
			since: '2026-11-19',
			reason: 'No answer',
			correlationId: '0b9f',
			searches: 3,
			searchError: 'down',
			possible: [],
			unmatchedIds: [9],
		};
		const unknown = reconcile(request, evidence).results.filter((result) => result.unknown);
		expect(unknown).toEqual(
			[a, b, c].map((order) => ({
				...emptyResult([order]),
				unknown: { ...known, possible: order === a ? [possible] : [] },
			})),
		);
		const [first] = reconcile(requestOf([a]), NO_EVIDENCE).results;
		expect(first?.unknown).not.toHaveProperty('searchError');
	});

	test('has the batch of the answer, also for refused rows and for rows without a certain order', () => {
		const rows = [createdRow(1, 'A'), refusedRow('B'), createdRow(9, 'X'), refusedRow('Y')];
		const { results } = reconcile(requestOf([a, b], { rows, batch: BATCH }), NO_EVIDENCE);
		expect(results).toEqual([
			{
				orders: [a],
				pieces: [{ row: rows[0], batch: BATCH, alreadyExisted: false, recovered: false }],
				refused: [],
				batch: BATCH,
			},
			{ orders: [b], pieces: [], refused: [rows[1]], batch: BATCH },
			{
				orders: [a, b],
				pieces: [{ row: rows[2], batch: BATCH, alreadyExisted: false, recovered: false }],
				refused: [],
				batch: BATCH,
				isUnmatched: true,
			},
			{ orders: [a, b], pieces: [], refused: [rows[3]], batch: BATCH },
		]);
	});

	test('has a row like that of an answer for a record that was read back', () => {
		const found: FoundRecord = {
			...recordOf(5, 'A'),
			record: {
				packageNumberCarrier: 'N5',
				orderId: 8,
				trackingUrl: 'https://service.example/5',
				serviceCode: 'ANT-HOME',
			},
		};
		const { results } = reconcile(requestOf([a]), { ...NO_EVIDENCE, records: [found] });
		const row = {
			id: 5,
			carrierCode: 'ANT',
			packageNumberCarrier: 'N5',
			packageNumberCustom: 'A',
			pieceIndex: 0,
			orderId: 8,
			orderNumber: null,
			labelUrl: null,
			trackingUrl: 'https://service.example/5',
			statusCode: 200,
			message: 'Created; read back from the service',
			carrierErrors: null,
			serviceType: 'ANT-HOME',
		};
		expect(results[0]?.pieces.map((piece) => piece.row)).toEqual([row]);
		const bare = { ...found, record: { serviceType: 'ANT-POINT', serviceCode: 'ANT-HOME' } };
		const [second] = reconcile(requestOf([a]), { ...NO_EVIDENCE, records: [bare] }).results;
		expect(second?.pieces.map((piece) => piece.row)).toEqual([
			{
				...row,
				packageNumberCarrier: null,
				orderId: null,
				trackingUrl: null,
				serviceType: 'ANT-POINT',
			},
		]);
		const none = { ...found, record: {} };
		const [third] = reconcile(requestOf([a]), { ...NO_EVIDENCE, records: [none] }).results;
		expect(third?.pieces[0]?.row).not.toHaveProperty('serviceType');
	});

	test('has its pieces in their order, by number and then by ID', () => {
		const three = orderWith('A', { pieceCount: 3 });
		const rows = [3, 1, 2].map((id) => ({ ...createdRow(id, 'A'), pieceIndex: id }));
		expect(summaryOf(requestOf([three], { rows })).matched).toEqual({ A: [1, 2, 3] });
		const numbered = [3, 1, 2].map((id) => recordOf(id, 'A'));
		expect(summaryOf(requestOf([three]), { records: numbered }).matched).toEqual({ A: [1, 2, 3] });
		const unnumbered = numbered.map((record) => ({ ...record, record: {} }));
		expect(summaryOf(requestOf([three]), { records: unnumbered }).matched).toEqual({
			A: [1, 2, 3],
		});
		const unmatched = rows.map((row) => ({ ...row, packageNumberCustom: null }));
		expect(summaryOf(requestOf([a, b, c], { rows: unmatched })).unmatched).toEqual([1, 2, 3]);
	});
});

describe('Whatever a service does to the rows of an answer', () => {
	interface Answer {
		orders: Order[];
		/** Row -> the reference of the order that it really belongs to. */
		truth: Map<Row, string>;
		rows: Row[];
	}

	/** Rows are shuffled, some are missing, some lack their reference. */
	const answer: fc.Arbitrary<Answer> = fc
		.array(fc.record({ pieceCount: fc.integer({ min: 1, max: 3 }), isBad: fc.boolean() }), {
			minLength: 1,
			maxLength: 12,
		})
		.chain((shape) => {
			const orders = shape.map(({ pieceCount }, index) =>
				orderWith(`ORDER-${index}`, { pieceCount }),
			);
			let id = 0;
			const truth = new Map<Row, string>();
			for (const [index, { pieceCount, isBad }] of shape.entries()) {
				const reference = `ORDER-${index}`;
				if (isBad) truth.set(refusedRow(reference), reference);
				else {
					for (let piece = 0; piece < pieceCount; piece++) {
						truth.set(createdRow(++id, reference), reference);
					}
				}
			}
			const all = [...truth.keys()];
			return fc
				.tuple(
					fc.shuffledSubarray(all),
					fc.array(fc.boolean(), { minLength: all.length, maxLength: all.length }),
				)
				.map(([rows, keeps]) => {
					for (const [index, row] of rows.entries()) {
						if (!keeps[index]) row.packageNumberCustom = null;
					}
					return { orders, truth, rows };
				});
		});
	const rowsOf = ({ pieces, refused }: OrderResult) => [
		...pieces.map(({ row }) => row),
		...refused,
	];

	test('no row is matched to an order that it does not belong to', () => {
		const reached = new Reached([
			'matched row',
			'unmatched row',
			'refused row',
			'row without a reference',
			'missing row',
		]);
		fc.assert(
			fc.property(answer, ({ orders, truth, rows }) => {
				const { results } = reconcile(requestOf(orders, { rows }), NO_EVIDENCE);
				for (const result of results) {
					const references = result.orders.map(referenceOf);
					for (const row of rowsOf(result)) {
						reached.note('refused row', isRefused(row));
						reached.note('row without a reference', row.packageNumberCustom === null);
						reached.note('unmatched row', result.isUnmatched === true);
						if (result.isUnmatched || isRefused(row)) continue;
						reached.note('matched row');
						expect(references).toEqual([truth.get(row)]);
					}
				}
				reached.note('missing row', rows.length < truth.size);
			}),
		);
		reached.expectAll({ runs: 100, ordinaryRuns: 100 });
	});

	test('every row has exactly one result', () => {
		fc.assert(
			fc.property(answer, ({ orders, rows }) => {
				const { results } = reconcile(requestOf(orders, { rows }), NO_EVIDENCE);
				const all = results.flatMap(rowsOf);
				expect(all).toHaveLength(rows.length);
				expect(new Set(all)).toEqual(new Set(rows));
			}),
		);
	});

	test('every order has a result, or a row that may belong to it', () => {
		fc.assert(
			fc.property(answer, ({ orders, rows }) => {
				const { results } = reconcile(requestOf(orders, { rows }), NO_EVIDENCE);
				expect(new Set(results.flatMap((result) => result.orders))).toEqual(new Set(orders));
			}),
		);
	});

	test('with all references in place nothing is unmatched, however the rows are shuffled', () => {
		fc.assert(
			fc.property(answer, ({ orders, truth }) => {
				const rows = [...truth.keys()].reverse();
				for (const row of rows) row.packageNumberCustom = truth.get(row) ?? null;
				const summary = summaryOf(requestOf(orders, { rows }));
				expect(summary).toMatchObject({ unmatched: [], incomplete: [], isPending: false });
			}),
		);
	});
});
