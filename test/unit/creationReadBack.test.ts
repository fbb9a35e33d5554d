import type { Found } from '../../nodes/ParcelShipping/creation/found';
import { labelOf, type Order } from '../../nodes/ParcelShipping/creation/order';
import type { Row } from '../../nodes/ParcelShipping/creation/piece';
import {
	areAccountedFor,
	type Doubt,
	judge,
	pausesBetweenLooks,
	readBack,
	silentOrders,
} from '../../nodes/ParcelShipping/creation/readBack';

function order(label: string, pieceCount = 1): Order {
	const body = { packageNumberCustom: label, pieceCount } as Order['body'];
	return { itemIndex: 0, carrierCode: 'ANT', body };
}
const found = (id: number, label: string): Found => ({ id, label, isCanceled: false, record: {} });
const doubtOf = (orders: Order[], more: Partial<Doubt> = {}): Doubt => ({
	orders,
	rows: [],
	known: new Set(),
	contested: new Set(),
	...more,
});
const row = (id: number, label: string | null, statusCode = 200): Row => ({
	id,
	packageNumberCustom: label,
	statusCode,
});

describe('How often it is looked', () => {
	test.each([
		[60_000, [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 14_500]],
		[400, [50, 100, 200, 50]],
		[0, []],
	])('within %i ms', (maxWaitMs, pauses) => {
		expect(pausesBetweenLooks(maxWaitMs)).toEqual(pauses);
	});

	async function look(answers: Array<Found[] | Error>, isStopped = () => false, lookTakesMs = 0) {
		const paused: number[] = [];
		let looks = 0;
		const result = await readBack(
			doubtOf([order('A'), order('B')]),
			async () => {
				const answer = answers[looks++] ?? [];
				if (answer instanceof Error) throw answer;
				return answer;
			},
			[1, 2, 4],
			{ nowMs: () => looks * lookTakesMs, pause: async (ms) => void paused.push(ms), isStopped },
		);
		const recovered = [...result.recovered].map(([key, of]) => [labelOf(key), of.length]);
		return { paused, looks, recovered, lastThrown: result.lastThrown, counted: result.looks };
	}

	test('once, if everything is there', async () => {
		const { paused, looks } = await look([[found(1, 'A'), found(2, 'B')]]);
		expect({ paused, looks }).toEqual({ paused: [], looks: 1 });
	});

	test('again, with growing pauses, until everything is there', async () => {
		const { paused, recovered } = await look([[], [found(1, 'A')], [found(2, 'B')]]);
		expect({ paused, recovered }).toEqual({
			paused: [1, 2],
			recovered: [
				['A', 1],
				['B', 1],
			],
		});
	});

	test('to the end, if something never comes; what came stays', async () => {
		const { paused, recovered } = await look([[found(1, 'A')]]);
		expect({ paused, recovered }).toEqual({ paused: [1, 2, 4], recovered: [['A', 1]] });
	});

	test('again after a look that could not be taken', async () => {
		const no = new Error('no');
		const { recovered, counted } = await look([no, [found(1, 'A'), found(2, 'B')]]);
		expect({ recovered, counted }).toMatchObject({ counted: 1, recovered: { length: 2 } });
		expect(await look([no, no, no, no])).toMatchObject({ lastThrown: no, counted: 0 });
	});

	test('no more, when looking itself takes too long', async () => {
		expect(await look([[]], undefined, 10)).toMatchObject({ looks: 2 });
	});

	test('no more, once the workflow is stopped', async () => {
		expect(await look([[]], () => true)).toMatchObject({ looks: 0 });
	});
});

describe('What is found', () => {
	const a = order('A');
	const claims = (doubt: Doubt, shipments: Found[]) => {
		const { recovered, possible } = judge(doubt, shipments);
		const ids = (of: Map<Order, Found[]>) => [...of.values()].flat().map(({ id }) => id);
		return { recovered: ids(recovered), possible: ids(possible) };
	};

	const cases: Array<[string, Partial<Doubt>, ReturnType<typeof claims>]> = [
		['is of the request, if it was not there before', {}, { recovered: [1], possible: [] }],
		['is not, if it was there before', { known: new Set([1]) }, { recovered: [], possible: [] }],
		[
			'may be or not, if it is not known what was there before',
			{ known: null },
			{ recovered: [], possible: [1] },
		],
		[
			'may be or not, if another open request has its label',
			{ contested: new Set(['A']) },
			{ recovered: [], possible: [1] },
		],
		[
			'is the row of the answer, if it has its id',
			{ rows: [row(1, null)] },
			{ recovered: [], possible: [] },
		],
	];
	test.each(cases)('%s', (_, more, expected) => {
		expect(claims(doubtOf([a], more), [found(1, 'A'), found(2, 'AA')])).toEqual(expected);
	});

	test('completes the pieces that the answer tells of', () => {
		const three = order('A', 3);
		const doubt = doubtOf([three], { rows: [row(1, 'A'), row(3, 'A')] });
		const { match, recovered } = judge(doubt, [found(1, 'A'), found(2, 'A'), found(3, 'A')]);
		expect(match.given.get(three)?.map(({ id }) => id)).toEqual([1, 3]);
		expect(recovered.get(three)?.map(({ id }) => id)).toEqual([2]);
	});
});

describe('Orders without a row', () => {
	const [a, b] = [order('A'), order('B')];
	const silentWith = (rows: Row[]) => {
		const judged = judge(doubtOf([a, b], { rows }), []);
		const silent = silentOrders([a, b], judged);
		return { silent: silent.map(labelOf), accounted: areAccountedFor(silent, judged) };
	};

	test('are silent', () => {
		expect(silentWith([row(1, 'A')])).toEqual({ silent: ['B'], accounted: false });
	});
	test('were refused, if there are as many refusals without a label', () => {
		expect(silentWith([row(0, null, 400), row(0, null, 400)]).silent).toEqual([]);
	});
	test('are accounted for by as many created rows without a label', () => {
		expect(silentWith([row(1, null), row(2, null)]).accounted).toBe(true);
		expect(silentWith([row(1, null)]).accounted).toBe(false);
	});
	test('are not accounted for by rows of other labels', () => {
		expect(silentWith([row(1, 'X'), row(2, 'Y')]).accounted).toBe(false);
	});
});
