import fc from 'fast-check';

import { matchRows } from '../../nodes/ParcelShipping/creation/matching';
import { labelOf, type Order } from '../../nodes/ParcelShipping/creation/order';
import type { Row } from '../../nodes/ParcelShipping/creation/piece';

function order(label: string, pieceCount = 1): Order {
	const body = { packageNumberCustom: label, pieceCount } as Order['body'];
	return { itemIndex: 0, carrierCode: 'ANT', body };
}
const created = (id: number, label: string | null): Row => ({
	id,
	packageNumberCustom: label,
	statusCode: 200,
});
const refused = (label: string | null): Row => ({
	id: 0,
	packageNumberCustom: label,
	statusCode: 400,
});

/** Who got which rows, by label and id; -1 is a refusal. */
function outcomeOf(orders: Order[], rows: Row[], told?: Map<number, string>) {
	const { given, stray, short } = matchRows(orders, rows, told);
	const show = (row: Row) => (row.statusCode === 200 ? Number(row.id) : -1);
	return {
		given: Object.fromEntries([...given].map(([key, of]) => [labelOf(key), of.map(show)])),
		stray: stray.map(show),
		short: short.map(labelOf),
	};
}

describe('Which row belongs to which order', () => {
	const [a, b, c] = [order('A'), order('B'), order('C')];
	const cases: Array<[string, Order[], Row[], ReturnType<typeof outcomeOf>]> = [
		[
			'rows in another order than the request',
			[a, b],
			[created(2, 'B'), created(1, 'A')],
			{ given: { A: [1], B: [2] }, stray: [], short: [] },
		],
		[
			'a refused row among created ones',
			[a, b],
			[created(1, 'A'), refused('B')],
			{ given: { A: [1], B: [-1] }, stray: [], short: [] },
		],
		[
			'a missing row',
			[a, b],
			[created(1, 'A')],
			{ given: { A: [1], B: [] }, stray: [], short: ['B'] },
		],
		[
			'a missing piece',
			[order('A', 3), b],
			[created(1, 'A'), created(2, 'A'), created(3, 'B')],
			{ given: { A: [1, 2], B: [3] }, stray: [], short: ['A'] },
		],
		[
			'the same shipment twice',
			[a],
			[created(1, 'A'), created(1, 'A')],
			{ given: { A: [1] }, stray: [], short: [] },
		],
		[
			'more pieces than asked for, and nobody else they could be for',
			[a, b],
			[created(1, 'A'), created(2, 'A'), created(3, 'B')],
			{ given: { A: [1, 2], B: [3] }, stray: [], short: [] },
		],
		[
			'two rows with one label, while another order has none',
			[a, b],
			[created(1, 'A'), created(2, 'A')],
			{ given: { A: [], B: [] }, stray: [1, 2], short: ['A', 'B'] },
		],
		[
			'a created row without label, even if one order is left',
			[a, b],
			[created(1, 'A'), created(2, null)],
			{ given: { A: [1], B: [] }, stray: [2], short: ['B'] },
		],
		[
			'a refusal without label, and one order is left',
			[a, b, c],
			[created(1, 'A'), refused(null), created(3, 'C')],
			{ given: { A: [1], B: [-1], C: [3] }, stray: [], short: [] },
		],
		[
			'two refusals without label, and two orders are left',
			[a, b, c],
			[refused(null), refused(''), created(3, 'C')],
			{ given: { A: [], B: [], C: [3] }, stray: [-1, -1], short: ['A', 'B'] },
		],
		[
			'a refusal of a foreign label is for nobody',
			[a],
			[refused('FOREIGN')],
			{ given: { A: [] }, stray: [-1], short: ['A'] },
		],
		[
			'a row too many that is of nobody',
			[a],
			[created(1, 'A'), created(9, 'FOREIGN')],
			{ given: { A: [1] }, stray: [9], short: [] },
		],
	];
	test.each(cases)('%s', (_, orders, rows, expected) => {
		expect(outcomeOf(orders, rows)).toEqual(expected);
	});

	test("what the service's own records say counts more than what a row says", () => {
		const told = new Map([
			[1, 'A'],
			[2, 'B'],
		]);
		const expected = { given: { A: [1], B: [2] }, stray: [], short: [] };
		expect(outcomeOf([a, b], [created(2, null), created(1, null)], told)).toEqual(expected);
		expect(outcomeOf([a, b], [created(1, 'A'), created(2, 'A')], told)).toEqual(expected);
		expect(outcomeOf([a, b], [created(1, 'B'), created(2, 'A')], told)).toEqual(expected);
	});
});

describe('Whatever a service does to the rows of an answer', () => {
	interface Told {
		orders: Order[];
		/** Row -> the label of the order that it is really of. */
		truth: Map<Row, string>;
		rows: Row[];
	}

	/** Rows shuffled, some missing, some without their label. */
	const answer: fc.Arbitrary<Told> = fc
		.array(fc.record({ pieces: fc.integer({ min: 1, max: 3 }), isRefused: fc.boolean() }), {
			minLength: 1,
			maxLength: 12,
		})
		.chain((shape) => {
			const orders = shape.map(({ pieces }, index) => order(`ORDER-${index}`, pieces));
			let id = 0;
			const truth = new Map<Row, string>();
			for (const [index, { pieces, isRefused }] of shape.entries()) {
				const label = `ORDER-${index}`;
				if (isRefused) truth.set(refused(label), label);
				else for (let piece = 0; piece < pieces; piece++) truth.set(created(++id, label), label);
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

	test('no row is given to an order that it is not of', () => {
		fc.assert(
			fc.property(answer, ({ orders, truth, rows }) => {
				for (const [to, given] of matchRows(orders, rows).given) {
					for (const row of given) expect(truth.get(row)).toBe(labelOf(to));
				}
			}),
		);
	});

	test('no row is lost and none is given twice', () => {
		fc.assert(
			fc.property(answer, ({ orders, rows }) => {
				const { given, stray } = matchRows(orders, rows);
				const all = [...[...given.values()].flat(), ...stray];
				expect(all).toHaveLength(rows.length);
				expect(new Set(all)).toEqual(new Set(rows));
			}),
		);
	});

	test('with all labels in place nothing is left over, however the rows are shuffled', () => {
		fc.assert(
			fc.property(answer, ({ orders, truth }) => {
				const rows = [...truth.keys()].reverse();
				for (const row of rows) row.packageNumberCustom = truth.get(row) ?? null;
				expect(matchRows(orders, rows)).toMatchObject({ stray: [], short: [] });
			}),
		);
	});
});
