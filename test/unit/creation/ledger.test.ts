import fc from 'fast-check';

import { Ledger } from '../../../nodes/ParcelShipping/creation/ledger';
import { emptyResult, type SentRequest } from '../../../nodes/ParcelShipping/creation/reconcile';
import type { BatchInfo, Piece } from '../../../nodes/ParcelShipping/creation/types';
import { orderWith } from '../../support/orders';
import type { Order } from '../../../nodes/ParcelShipping/orders/order';

const order = (itemIndex: number, reference: string, pieceCount = 1) =>
	orderWith(reference, { itemIndex, pieceCount });
const batch: BatchInfo = {
	batchId: 7,
	labelsUrl: 'https://service.example/labels/7',
	labelsHash: '0123456789abcdef',
	ordersUrl: null,
	ordersHash: null,
	packagesCount: 1,
	correlationId: '0b9f2b1e-6f0c-4c52-9d7e-1a2b3c4d5e6f',
};
const piece = (id: number, more: Partial<Piece> = {}): Piece => ({
	row: { id, statusCode: 200 },
	batch,
	alreadyExisted: false,
	recovered: false,
	...more,
});
const resultOf = (of: Order, pieces: Piece[]) => ({
	...emptyResult([of]),
	pieces,
	batch: pieces[0]?.batch ?? null,
});
const request = (orders: Order[]): SentRequest => ({
	orders,
	rows: [],
	candidates: [],
	since: '2026-11-19',
	idsBefore: [],
	batch: null,
	reason: 'lost',
	correlationId: null,
});

/** The store after n8n has saved it and a later try has read it. */
const saved = (store: object) => JSON.parse(JSON.stringify(store)) as Record<string, unknown>;

test('is empty until something was sent or found', () => {
	const ledger = new Ledger({}, 0);
	expect(ledger.isEmpty).toBe(true);
	const pending = ledger.add(request([order(0, 'A-0')]));
	expect(ledger.isEmpty).toBe(false);
	ledger.settle(resultOf(order(1, 'A-1'), [piece(1)]));
	expect(ledger.isEmpty).toBe(false);
	ledger.remove(pending);
	expect(ledger.isEmpty).toBe(false);
});

test('a settled result is the same after n8n has saved it', () => {
	const pieces = fc.array(
		fc.record({
			id: fc.nat(),
			existed: fc.boolean(),
			recovered: fc.boolean(),
			inBatch: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 3 },
	);
	fc.assert(
		fc.property(fc.array(pieces, { maxLength: 8 }), (ofOrders) => {
			const store = {};
			const ledger = new Ledger(store, 0);
			const results = ofOrders.map((given, index) =>
				resultOf(
					order(index, `A-${index}`, given.length),
					given.map(({ id, existed, recovered, inBatch }) =>
						piece(id, { alreadyExisted: existed, recovered, batch: inBatch ? batch : null }),
					),
				),
			);
			for (const result of results) ledger.settle(result);
			expect(new Ledger(saved(store), 0).settledResults()).toEqual(results);
		}),
	);
});

test('a settled result keeps differences, doubles, and whether its label was printed', () => {
	const double = { id: 2, carrierCode: 'ANT', packageNumberCarrier: 'N2' };
	const results = [
		{
			...resultOf(order(0, 'A', 2), [
				piece(1, { alreadyExisted: true, printed: false, batch: null }),
				piece(2, { recovered: true, printed: true }),
			]),
			differences: [{ field: 'recZip', caption: 'Zip', ordered: '1', existing: '2' }],
			canceledDouble: double,
			doubleOf: { ...double, reason: 'handed over' },
		},
		resultOf(order(1, 'B'), [piece(3)]),
	];
	const store = {};
	const ledger = new Ledger(store, 0);
	for (const result of results) ledger.settle(result);
	ledger.settle(emptyResult([]));
	const later = new Ledger(saved(store), 0);
	expect(later.settledResults()).toEqual(results);
	expect(later.settledIds()).toEqual([1, 2, 3]);
});

test('a batch takes space once, also if a later try adds shipments to it', () => {
	const store = {};
	new Ledger(store, 0).settle(resultOf(order(0, 'A'), [piece(1), piece(2)]));
	const next = saved(store);
	new Ledger(next, 0).settle(resultOf(order(1, 'B'), [piece(3)]));
	const other = { ...batch, batchId: 8 };
	new Ledger(next, 0).settle(resultOf(order(2, 'C'), [piece(4, { batch: other })]));
	expect(JSON.stringify(next).match(/"batchId"/g)).toHaveLength(2);
	const batches = new Ledger(saved(next), 0).settledResults().map((result) => result.batch);
	expect(batches).toEqual([batch, batch, other]);
});

test('a pending request is the same in a later try, and each has its own number', () => {
	const store = {};
	const ledger = new Ledger(store, 0);
	const first = { ...request([order(0, 'A', 2)]), candidates: [order(1, 'B')], idsBefore: null };
	const second = { ...request([order(2, 'C')]), rows: [{ id: 9, statusCode: 200 }], batch };
	ledger.add(first);
	ledger.add(second);
	const later = new Ledger(saved(store), 0);
	expect(later.pendingRequests()).toEqual([
		{ id: '1', request: first },
		{ id: '2', request: second },
	]);
	expect(later.add(request([])).id).toBe('3');
});

test('refused pieces and an unknown outcome of a created order are kept', () => {
	const store = {};
	const result = {
		...resultOf(order(0, 'A', 3), [piece(1)]),
		refused: [{ id: 0, statusCode: 400, carrierErrors: 'Too heavy' }],
		unknown: {
			since: '2026-11-19',
			reason: 'lost',
			correlationId: null,
			searches: 1,
			possible: [],
			unmatchedIds: [],
		},
	};
	new Ledger(store, 0).settle(result);
	expect(new Ledger(saved(store), 0).settledResults()).toEqual([result]);
});

test('a request is in the ledger from before it is sent until it certainly was not carried out', () => {
	const store = {};
	const ledger = new Ledger(store, 0);
	const pending = ledger.add(request([order(0, 'A'), order(1, 'B')]));
	const later = new Ledger(saved(store), 0);
	expect([later.has(0), later.has(1), later.has(2)]).toEqual([true, true, false]);
	expect(later.pendingRequests()).toMatchObject([
		{ request: { reason: 'lost', orders: [{ itemIndex: 0 }, { itemIndex: 1 }] } },
	]);
	ledger.remove(pending);
	expect(new Ledger(saved(store), 0).has(0)).toBe(false);
});

test('an item is found even if its values have changed', () => {
	const ledger = new Ledger({}, 0);
	ledger.settle(resultOf(order(0, 'A at 10:00'), [piece(1)]));
	expect(ledger.has(order(0, 'A at 10:01').itemIndex)).toBe(true);
});

test('another iteration of a loop starts with an empty ledger', () => {
	const store = {};
	new Ledger(store, 0).settle(resultOf(order(0, 'A'), [piece(1)]));
	expect(new Ledger(store, 1).has(0)).toBe(false);
	expect(new Ledger(store, 0).has(0)).toBe(true);
});

test('clearing keeps other iterations and leaves nothing else behind', () => {
	const store = {};
	const first = new Ledger(store, 0);
	const second = new Ledger(store, 1);
	second.settle(resultOf(order(0, 'A'), [piece(1)]));
	first.clear();
	expect(new Ledger(saved(store), 1).has(0)).toBe(true);
	second.clear();
	expect(store).toEqual({});
});

test('references of other pending requests are contested, those of the same request are not', () => {
	const ledger = new Ledger({}, 0);
	ledger.add(request([order(0, 'A')]));
	const second = ledger.add(request([order(1, 'A'), order(2, 'B')]));
	expect(ledger.contestedReferences(second)).toEqual(new Set(['A']));
	const elsewhere = ledger.add(request([orderWith('A', { carrierCode: 'BEAVER' })]));
	expect(ledger.contestedReferences(elsewhere)).toEqual(new Set());
	expect(ledger.contestedReferences({ id: '9', request: request([]) })).toEqual(new Set());
});

test('a thousand orders take less than 300 bytes each', () => {
	const store = {};
	const ledger = new Ledger(store, 0);
	for (let index = 0; index < 1_000; index++) {
		ledger.settle(resultOf(order(index, `A-${index}`), [piece(index)]));
	}
	expect(JSON.stringify(store).length).toBeLessThan(300_000);
});
