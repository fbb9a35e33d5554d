import fc from 'fast-check';

import { Ledger } from '../../../nodes/ParcelShipping/creation/ledger';
import { emptyResult, type SentRequest } from '../../../nodes/ParcelShipping/creation/reconcile';
import type { BatchInfo, Order, Piece } from '../../../nodes/ParcelShipping/creation/types';
import { orderWith } from '../../support/orders';

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
});

test('a thousand orders take less than 300 bytes each', () => {
	const store = {};
	const ledger = new Ledger(store, 0);
	for (let index = 0; index < 1_000; index++) {
		ledger.settle(resultOf(order(index, `A-${index}`), [piece(index)]));
	}
	expect(JSON.stringify(store).length).toBeLessThan(300_000);
});
