import { groupBy } from '../../../nodes/ParcelShipping/lists';
import { matchRows } from '../../../nodes/ParcelShipping/creation/rows';
import { mainPieceIdOf } from '../../../nodes/ParcelShipping/creation/shipments';
import type { Row, Shipment } from '../../../nodes/ParcelShipping/creation/types';
import { referenceOf } from '../../../nodes/ParcelShipping/orders/order';
import { createdRow, orderWith, refusedRow } from '../../support/orders';

const [A, B, OF_TWO] = [orderWith('A'), orderWith('B'), orderWith('A', { pieceCount: 2 })];
const EXCHANGE = orderWith('A');
Object.assign(EXCHANGE.body, { exchangeOrder: true });

/** What the rows prove: the order numbers in each state, with the IDs of their rows. */
function proved(orders: Array<typeof A>, rows: Row[]) {
	const { matched, unassigned } = matchRows(orders, rows);
	const idsIn = (own: readonly Row[]) => own.map(({ id }) => id).join();
	const states = groupBy(matched, ({ state }) => state);
	const list = (own: typeof matched) =>
		own.map((each) => `${referenceOf(each.order)} ${idsIn(each.rows)}`.trim());
	return {
		...Object.fromEntries([...states].map(([state, own]) => [state, list(own)])),
		...(unassigned.length > 0 ? { unassigned: idsIn(unassigned) } : {}),
	};
}

const [A1, A2, B3] = [createdRow(1, 'A'), createdRow(2, 'A'), createdRow(3, 'B')];
const withoutId = (row: Row): Row => ({ ...row, id: null });
const nameless = (row: Row): Row => ({ ...row, packageNumberCustom: null });

test.each<[name: string, orders: Array<typeof A>, rows: Row[], expected: object]>([
	['in another order', [A, B], [B3, A1], { created: ['A 1', 'B 3'] }],
	['with a refusal', [A, B], [A1, refusedRow('B')], { created: ['A 1'], refused: ['B 0'] }],
	['for each piece', [OF_TWO], [A1, A2], { created: ['A 1,2'] }],
	['with a refused piece', [OF_TWO], [A1, refusedRow('A')], { created: ['A 1,0'] }],
	['too few', [OF_TWO, B], [A1, B3], { open: ['A 1', 'B 3'] }],
	['too many', [A], [A1, A2], { open: ['A 1,2'] }],
	['none', [A], [], { open: ['A'] }],
	['without an ID', [A], [withoutId(A1)], { open: ['A'] }],
	['one of them without an ID', [OF_TWO], [A1, withoutId(A2)], { open: ['A 1,'] }],
	['twice the same', [A], [A1, A1], { created: ['A 1'] }],
	['without an order number', [A], [nameless(A1)], { created: ['A 1'] }],
	[
		'without an order number, and for several orders',
		[A, B],
		[A1, nameless(B3)],
		{ open: ['A 1', 'B'], unassigned: '3' },
	],
	['of another order', [A], [A1, B3], { open: ['A 1'], unassigned: '3' }],
	['more than one for an exchange', [EXCHANGE], [A1, A2], { created: ['A 1,2'] }],
])('rows of a response: %s', (_, orders, rows, expected) => {
	expect(proved(orders, rows)).toEqual(expected);
});

test('A shipment of 200,000 rows has a main piece', () => {
	const pieces = Array.from({ length: 200_000 }, (_, at) => ({
		row: createdRow(200_000 - at, 'A-1'),
	}));
	expect(mainPieceIdOf({ pieces } as Shipment)).toBe(1);
});
