import fc from 'fast-check';

import { Ledger } from '../../nodes/ParcelShipping/creation/ledger';
import type { Order } from '../../nodes/ParcelShipping/creation/order';
import type { BatchFacts, Piece } from '../../nodes/ParcelShipping/creation/piece';

function order(itemIndex: number, label: string, pieceCount = 1): Order {
	const body = { serviceType: 'ANT-HOME', packageNumberCustom: label, pieceCount };
	return { itemIndex, carrierCode: 'ANT', body: body as Order['body'] };
}
const batch: BatchFacts = {
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
const request = (orders: Order[]) => ({
	orders,
	rows: [],
	linked: [],
	since: '2026-11-19',
	known: [],
	batch: null,
	reason: 'lost',
	correlationId: null,
});

/** What is left of the store after n8n has saved it and a later try has read it. */
const saved = (store: object) => JSON.parse(JSON.stringify(store)) as Record<string, unknown>;

test('what was settled comes back as it was, after n8n has saved it', () => {
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
			const settled = ofOrders.map((given, index) => ({
				order: order(index, `A-${index}`, given.length),
				settled: {
					pieces: given.map(({ id, existed, recovered, inBatch }) =>
						piece(id, { alreadyExisted: existed, recovered, batch: inBatch ? batch : null }),
					),
					refused: [],
				},
			}));
			for (const each of settled) ledger.settle(each.order, each.settled);
			expect(new Ledger(saved(store), 0).settledOrders()).toEqual(settled);
		}),
	);
});

test('a request is known from before it is sent until it is certain that nothing happened', () => {
	const store = {};
	const ledger = new Ledger(store, 0);
	const open = ledger.open(request([order(0, 'A'), order(1, 'B')]));
	const later = new Ledger(saved(store), 0);
	expect([later.knows(0), later.knows(1), later.knows(2)]).toEqual([true, true, false]);
	expect(later.openRequests()).toMatchObject([{ reason: 'lost', orders: [{ itemIndex: 0 }, {}] }]);
	ledger.close(open);
	expect(new Ledger(saved(store), 0).knows(0)).toBe(false);
});

test('an item is known whatever its values have become', () => {
	const ledger = new Ledger({}, 0);
	ledger.settle(order(0, 'A at 10:00'), { pieces: [piece(1)], refused: [] });
	expect(ledger.knows(order(0, 'A at 10:01').itemIndex)).toBe(true);
});

test('another round of a loop starts with nothing', () => {
	const store = {};
	new Ledger(store, 0).settle(order(0, 'A'), { pieces: [piece(1)], refused: [] });
	expect(new Ledger(store, 1).knows(0)).toBe(false);
	expect(new Ledger(store, 0).knows(0)).toBe(true);
});

test('clearing leaves other rounds alone and nothing behind', () => {
	const store = {};
	const first = new Ledger(store, 0);
	const second = new Ledger(store, 1);
	second.settle(order(0, 'A'), { pieces: [piece(1)], refused: [] });
	first.clear();
	expect(new Ledger(saved(store), 1).knows(0)).toBe(true);
	second.clear();
	expect(store).toEqual({});
});

test('labels of other open requests are contested, those of the own one are not', () => {
	const ledger = new Ledger({}, 0);
	ledger.open(request([order(0, 'A')]));
	const second = ledger.open(request([order(1, 'A'), order(2, 'B')]));
	expect(ledger.labelsInOtherRequests(second)).toEqual(new Set(['A']));
});

test('a thousand orders take less than 300 bytes each', () => {
	const store = {};
	const ledger = new Ledger(store, 0);
	for (let index = 0; index < 1_000; index++) {
		ledger.settle(order(index, `A-${index}`), { pieces: [piece(index)], refused: [] });
	}
	expect(JSON.stringify(store).length).toBeLessThan(300_000);
});
