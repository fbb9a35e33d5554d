import {
	describeError,
	isRefusal,
	requestError,
} from '../../../nodes/ParcelShipping/transport/errors';
import {
	requestWithoutRefused,
	SplitBudget,
} from '../../../nodes/ParcelShipping/transport/numbers';

import fc from 'fast-check';

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
	async function ask(numbers: string[], refused: readonly string[]) {
		let requests = 0;
		const request = async (part: string[]) => {
			requests++;
			const inPart = part.filter((number) => refused.includes(number));
			if (inPart.length === 0) return await Promise.resolve(part);
			throw errorOf(400);
		};
		const split = await requestWithoutRefused(numbers, request, new SplitBudget());
		return { ...split, refused: split.refused.map(({ number }) => number), requests };
	}

	test('one refused number is found, and the others have their rows', async () => {
		const { refused, answered, failed } = await ask(['001', '002', '003'], ['002']);
		expect([refused, answered.sort(), failed]).toEqual([['002'], ['001', '003'], []]);
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
					expect(split.failures).toEqual([]);
				},
			),
		);
	});

	test('are alone at the end if the error names them, unless it names all', async () => {
		const requestsFor = async (message: string) => {
			let requests = 0;
			const request = async (part: string[]) => {
				requests++;
				if (part.includes('002')) throw errorOf(400, message);
				return await Promise.resolve(part);
			};
			const split = await requestWithoutRefused(numbersUpTo(4), request, new SplitBudget());
			expect(split.refused.map(({ number }) => number)).toEqual(['002']);
			expect(split.answered.sort()).toEqual(['000', '001', '003']);
			return requests;
		};
		expect(await requestsFor('No shipment 002')).toBe(2);
		expect(await requestsFor('No 000, 001, 002, 003')).toBeLessThanOrEqual(8);
	});

	test('are not named by the status of the response', async () => {
		const request = async (part: string[]) => {
			if (part.includes('401')) throw errorOf(400, 'Request failed with status 400');
			return await Promise.resolve(part);
		};
		const split = await requestWithoutRefused(['400', '401'], request, new SplitBudget());
		expect([split.answered, split.refused.map(({ number }) => number)]).toEqual([['400'], ['401']]);
	});

	test('are searched for with 40 further requests at most, and what is left says so', async () => {
		const numbers = numbersUpTo(100);
		const many = numbers.filter((_, at) => at >= 50 && at % 5 === 0);
		const { requests, refused, answered, failed, failures, failure } = await ask(numbers, many);
		expect(requests).toBe(41);
		expect(describeError(failure)).toMatchObject({
			message: expect.stringContaining(
				`others that these were not requested without them: ${failed[0]}, `,
			),
			details: { notRequested: failed },
		});
		expect(refused.length).toBeGreaterThanOrEqual(3);
		expect([...refused, ...answered, ...failed].sort()).toEqual([...numbers].sort());
		expect(failures).toEqual([errorOf(400)]);
	});

	test('have the reason of the service if it has refused every request', async () => {
		const numbers = numbersUpTo(100);
		const { failed, failure } = await ask(numbers, numbers);
		expect([failed.length > 0, failure]).toEqual([true, errorOf(400)]);
	});

	test('are not searched for after another failure, and what was found so far counts', async () => {
		let requests = 0;
		const request = async (part: string[]) => {
			if (++requests === 3) throw errorOf(500);
			if (part.length > 2) throw errorOf(400);
			return await Promise.resolve(part);
		};
		const split = await requestWithoutRefused(numbersUpTo(4), request, new SplitBudget());
		expect([split.answered.length, split.failed.length]).toEqual([2, 2]);
		expect([split.failures, split.failure]).toEqual([[errorOf(500)], errorOf(500)]);
	});

	test('can be the cause of an error that is about the request, not about the moment', () => {
		const statuses = [200, 302, 400, 401, 403, 404, 408, 422, 429, 500];
		const refusals = statuses.filter((status) => isRefusal(errorOf(status)));
		expect(refusals).toEqual([200, 400, 404, 422]);
		expect(isRefusal(new Error('other'))).toBe(false);
	});
});
