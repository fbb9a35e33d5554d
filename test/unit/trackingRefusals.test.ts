import {
	isRefusal,
	requestWithoutRefused,
	Splitting,
} from '../../nodes/ParcelShipping/transport/trackingRequests';
import { ServiceError } from '../../nodes/ParcelShipping/transport/errors';

import fc from 'fast-check';

const errorOf = (status: number, serviceMessage = 'Entity not found') =>
	new ServiceError({
		message: `The service said: ${serviceMessage}`,
		description: '',
		endpoint: 'POST /ANT/Tracking',
		mayHaveActed: false,
		isTransient: false,
		status,
		details: { serviceMessage },
	});

const numbersUpTo = (count: number) => Array.from({ length: count }, (_, at) => `00${at}`);

/** Asks a service that refuses each request with one of these numbers. */
async function ask(
	numbers: string[],
	refused: readonly string[],
	{ isNamed = false, splitting = new Splitting() } = {},
) {
	const asked: string[][] = [];
	const request = async (part: string[]) => {
		asked.push(part);
		const found = part.filter((number) => refused.includes(number));
		if (found.length === 0) return await Promise.resolve(part);
		throw errorOf(400, isNamed ? `Entity not found (${found[0]})` : 'Entity not found');
	};
	const answer = await requestWithoutRefused(numbers, request, splitting);
	return { ...answer, refused: answer.refused.map(({ number }) => number), asked };
}

describe('Numbers that the service refuses', () => {
	test('are found in two requests each if the error names them', async () => {
		const numbers = numbersUpTo(100);
		const { asked, refused, answered } = await ask(numbers, ['0037', '0038'], { isNamed: true });
		expect(refused).toEqual(['0037', '0038']);
		expect(answered).toHaveLength(98);
		expect(asked.map(({ length }) => length)).toEqual([100, 99, 98]);
	});

	test('are found without a name, each other number is answered once, and requests are few', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 2, max: 100 }),
				fc.uniqueArray(fc.nat({ max: 99 }), { maxLength: 3 }),
				async (count, places) => {
					const numbers = numbersUpTo(count);
					const refused = places.map((at) => `00${at}`).filter((each) => numbers.includes(each));
					fc.pre(refused.length < count);
					const answer = await ask(numbers, refused);
					expect(answer.asked.length).toBeLessThanOrEqual(1 + 14 * refused.length);
					expect(answer.refused.sort()).toEqual(refused.sort());
					expect(answer.answered.sort()).toEqual(
						numbers.filter((number) => !refused.includes(number)).sort(),
					);
					expect(answer.failures).toEqual([]);
				},
			),
		);
	});

	test('are at most as many as the bound allows; what is left has no answer', async () => {
		const numbers = numbersUpTo(100);
		const many = numbers.filter((_, at) => at >= 50 && at % 5 === 0);
		const { asked, refused, answered, failed, failures } = await ask(numbers, many);
		expect(asked).toHaveLength(41);
		expect(refused.length).toBeGreaterThanOrEqual(3);
		expect([...refused, ...answered, ...failed].sort()).toEqual([...numbers].sort());
		expect(failures).toEqual([errorOf(400)]);
	});

	test('are not searched for long if no number is answered', async () => {
		const numbers = numbersUpTo(100);
		const splitting = new Splitting();
		const { asked, answered } = await ask(numbers, numbers, { splitting });
		expect(answered).toEqual([]);
		expect(asked.map(({ length }) => length)).toEqual([100, 50, 50, 25, 25, 25, 25, 1, 1, 1, 1]);
		expect(splitting.isUnanswered).toBe(true);
	});

	test('are found although half of the numbers are refused, because single ones are tried', async () => {
		const numbers = numbersUpTo(100);
		const { answered } = await ask(
			numbers,
			numbers.filter((_, at) => at % 2 === 0),
		);
		expect(answered.length).toBeGreaterThan(0);
	});

	test('are not searched if splitting is not allowed', async () => {
		const splitting = new Splitting(() => false);
		const { asked, failed } = await ask(numbersUpTo(10), ['003'], { splitting });
		expect(asked).toHaveLength(1);
		expect(failed).toHaveLength(10);
	});
});

test('another failure ends the search, and what was found so far counts', async () => {
	let requests = 0;
	const request = async (part: string[]) => {
		if (++requests === 3) throw errorOf(500);
		if (part.length > 2) throw errorOf(400);
		return await Promise.resolve(part);
	};
	const answer = await requestWithoutRefused(numbersUpTo(4), request, new Splitting());
	expect(answer.answered).toHaveLength(2);
	expect(answer.failed).toHaveLength(2);
	expect(answer.failures).toEqual([errorOf(500)]);
});

test.each([
	[400, true],
	[404, true],
	[422, true],
	[401, false],
	[403, false],
	[408, false],
	[429, false],
	[500, false],
	[200, true],
	[302, false],
])('an error with status %i can be about a shipment number: %p', (status, expected) => {
	expect(isRefusal(errorOf(status))).toBe(expected);
	expect(isRefusal(new Error('other'))).toBe(false);
});
