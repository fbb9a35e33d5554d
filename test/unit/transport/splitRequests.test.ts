import fc from 'fast-check';

import {
	describeError,
	isRefusal,
	requestError,
} from '../../../nodes/ParcelShipping/transport/errors';
import {
	requestWithoutRefused,
	SplitBudget,
} from '../../../nodes/ParcelShipping/transport/numbers';

describe('Numbers that the service refuses', () => {
	const errorOf = (status: number, serviceMessage = 'Entity not found') =>
		requestError(
			'POST /ANT/Tracking',
			'The provider said: Entity not found',
			'',
			{ mayHaveActed: false, status },
			{ serviceMessage },
		);
	const numbersUpTo = (count: number) => Array.from({ length: count }, (_, at) => `00${at}`);

	/** Requests from a service that refuses each request with one of these numbers. */
	async function ask(numbers: string[], refused: readonly string[], message?: string) {
		let requests = 0;
		const request = async (part: string[]) => {
			requests++;
			if (!part.some((number) => refused.includes(number))) return await Promise.resolve(part);
			throw errorOf(400, message);
		};
		const split = await requestWithoutRefused(numbers, request, new SplitBudget());
		return { ...split, refused: split.refused.map(({ number }) => number), requests };
	}

	test('do not fail because a response has 200,000 rows', async () => {
		const rows = numbersUpTo(200_000);
		const request = async () => await Promise.resolve(rows);
		const split = await requestWithoutRefused(['1'], request, new SplitBudget());
		expect([split.rows.length, split.left]).toEqual([200_000, undefined]);
	});

	test('are found without a name, with few requests, and every other number has a response', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 2, max: 100 }),
				fc.uniqueArray(fc.nat({ max: 99 }), { maxLength: 3 }),
				async (count, places) => {
					const numbers = numbersUpTo(count);
					const refused = numbers.filter((_, at) => places.includes(at));
					fc.pre(refused.length < count);
					const split = await ask(numbers, refused);
					expect(split.requests).toBeLessThanOrEqual(1 + 14 * refused.length);
					const others = numbers.filter((number) => !refused.includes(number));
					expect(new Set(split.refused)).toEqual(new Set(refused));
					expect(split.answered.sort()).toEqual(others.sort());
					expect(split.left).toBeUndefined();
				},
			),
		);
	});

	test.each([
		['if the error names them', numbersUpTo(4), '002', 'No shipment 002', 2],
		['also if it names all', numbersUpTo(4), '002', 'No 000, 001, 002, 003', 7],
		['and not by the status of the response', ['400', '401'], '401', 'Failed with 400', 3],
	])('are alone at the end, %s', async (_, numbers, wrong, message, most) => {
		const { refused, answered, requests } = await ask(numbers, [wrong], message);
		expect([refused, requests <= most]).toEqual([[wrong], true]);
		expect(answered.sort()).toEqual(numbers.filter((each) => each !== wrong));
	});

	test.each([
		['some', 41, (at: number) => at >= 50 && at % 5 === 0],
		['all', 11, () => true],
	])(
		'are searched for with few further requests if %s are wrong, and what is left has no reason of another one',
		async (_, most, isWrong) => {
			const numbers = numbersUpTo(100);
			const wrong = numbers.filter((_, at) => isWrong(at));
			const { requests, refused, answered, left } = await ask(numbers, wrong);
			expect(requests).toBe(most);
			const { numbers: notRequested = [], failure } = left ?? {};
			expect(describeError(failure)).toEqual({
				message: expect.stringContaining(`requested without them: ${notRequested[0]}, `),
				description: expect.stringContaining('The provider said: Entity not found'),
				details: { notRequested },
			});
			expect([...refused, ...answered, ...notRequested].sort()).toEqual([...numbers].sort());
		},
	);

	test('are not searched for after another failure, and what was found so far counts', async () => {
		let requests = 0;
		const request = async (part: string[]) => {
			if (++requests === 3) throw errorOf(500);
			if (part.length > 2) throw errorOf(400);
			return await Promise.resolve(part);
		};
		const split = await requestWithoutRefused(numbersUpTo(4), request, new SplitBudget());
		expect(split.answered).toHaveLength(2);
		expect(split.left).toEqual({ numbers: expect.any(Array), failure: errorOf(500) });
		expect(split.left?.numbers).toHaveLength(2);
	});

	test('can be the cause of an error that is about the request, not about the moment', () => {
		const statuses = [200, 302, 400, 401, 403, 404, 408, 422, 429, 500];
		const refusals = statuses.filter((status) => isRefusal(errorOf(status)));
		expect(refusals).toEqual([200, 400, 404, 422]);
		expect(isRefusal(new Error('other'))).toBe(false);
	});
});
