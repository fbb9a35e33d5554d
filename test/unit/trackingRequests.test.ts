import type { TrackingResult } from '../../nodes/ParcelShipping/transport/contract';
import { ServiceError } from '../../nodes/ParcelShipping/transport/errors';
import {
	isRefusal,
	requestWithoutRefused,
	Splitting,
} from '../../nodes/ParcelShipping/transport/refusals';
import {
	byNumber,
	planBatches,
	planRequests,
	rowOf,
} from '../../nodes/ParcelShipping/transport/trackingRequests';
import { shipmentOf } from '../support/watched';

import fc from 'fast-check';

const row = (packageNumberCarrier: unknown, statusCode = 200, message = 'OK') =>
	({ packageNumberCarrier, statusCode, message, events: [] }) as unknown as TrackingResult;
const requested = (number: string) => ({ carrierCode: 'ANT', number, correlationId: 'c-1' });

test.each<[string, unknown[], string, number]>([
	['in the requested order', ['1', '2'], '2', 1],
	['reordered', ['2', '1'], '2', 0],
	['with a row that was not requested', ['9', '2'], '2', 1],
	['with leading zeros', ['12', '0012'], '0012', 1],
	['the same number twice: the first row counts', ['2', '2'], '2', 0],
])('a row is assigned by the number in it: %s', (_, numbers, number, place) => {
	const rows = numbers.map((each) => row(each));
	expect(rowOf(byNumber(rows), requested(number))).toBe(rows[place]);
});

test.each<[string, unknown[], string]>([
	['a missing row', ['1'], '2'],
	['an empty response', [], '2'],
	['a number with other zeros', ['12'], '0012'],
	['a number in another case', ['bv1'], 'BV1'],
	['a number instead of text', [2], '2'],
	['a row without a number', [null], '2'],
])('%s is an error that names the shipment and its carrier', (_, numbers, number) => {
	expect(rowOf(byNumber(numbers.map((each) => row(each))), requested(number))).toMatchObject({
		message: `No tracking result for shipment ${number} of carrier ANT`,
		details: { packageNumberCarrier: number, carrierCode: 'ANT', correlationId: 'c-1' },
	});
});

test.each([
	[404, 'Unknown shipment', 'The service said: Unknown shipment'],
	[500, '', "The service can't track shipment 2 of carrier ANT (500)"],
])('a row with status %i and the message "%s" is an error', (statusCode, text, message) => {
	const error = rowOf(byNumber([row('2', statusCode, text)]), requested('2'));
	const details = { statusCode, packageNumberCarrier: '2', ...(text && { serviceMessage: text }) };
	expect(error).toMatchObject({ message, details });
});

test('the numbers of all items need one request per carrier, with each number once', () => {
	const questions = [
		{ item: 0, carrierCode: 'ANT', numbers: ['A1'] },
		{ item: 1, carrierCode: 'BEAVER', numbers: ['B1'] },
		{ item: 2, carrierCode: 'ANT', numbers: ['A2', 'A1'] },
	];
	expect(planRequests(questions)).toEqual([
		{ carrierCode: 'ANT', numbers: ['A1', 'A2'] },
		{ carrierCode: 'BEAVER', numbers: ['B1'] },
	]);
});

test('watched shipments are requested by carrier, a hundred at a time, in their order', () => {
	const beavers = [shipmentOf(1, { carrier: 'BEAVER' }), shipmentOf(2, { carrier: 'BEAVER' })];
	const ants = Array.from({ length: 150 }, (_, at) => shipmentOf(at + 10));
	const batchesAfter = (count: number) => {
		const batches = planBatches([...ants.slice(0, count), ...beavers, ...ants.slice(count)]);
		return batches.map(({ carrier, shipments }) => `${shipments.length} ${carrier}`);
	};
	expect(batchesAfter(120)).toEqual(['100 ANT', '50 ANT', '2 BEAVER']);
	expect(batchesAfter(90)).toEqual(['100 ANT', '2 BEAVER', '50 ANT']);
});

describe('Numbers that the service refuses', () => {
	const errorOf = (status: number, serviceMessage = 'Entity not found') =>
		new ServiceError({
			...{ message: `The service said: ${serviceMessage}`, description: '', status },
			...{ endpoint: 'POST /ANT/Tracking', mayHaveActed: false, isTransient: false },
			details: { serviceMessage },
		});
	const numbersUpTo = (count: number) => Array.from({ length: count }, (_, at) => `00${at}`);

	/** Requests from a service that refuses each request with one of these numbers. */
	async function ask(numbers: string[], refused: readonly string[], isNamed = false) {
		let requests = 0;
		const request = async (part: string[]) => {
			requests++;
			const found = part.filter((number) => refused.includes(number));
			if (found.length === 0) return await Promise.resolve(part);
			throw errorOf(400, isNamed ? `Entity not found (${found[0]})` : undefined);
		};
		const split = await requestWithoutRefused(numbers, request, new Splitting());
		return { ...split, refused: split.refused.map(({ number }) => number), requests };
	}

	test('are found with one more request each if the error names them', async () => {
		const split = await ask(numbersUpTo(100), ['0037', '0038'], true);
		expect(split).toMatchObject({ refused: ['0037', '0038'], requests: 3, failed: [] });
		expect(split.answered).toHaveLength(98);
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

	test('are searched for with 40 further requests at most, and what is left has no response', async () => {
		const numbers = numbersUpTo(100);
		const many = numbers.filter((_, at) => at >= 50 && at % 5 === 0);
		const { requests, refused, answered, failed, failures } = await ask(numbers, many);
		expect(requests).toBe(41);
		expect(refused.length).toBeGreaterThanOrEqual(3);
		expect([...refused, ...answered, ...failed].sort()).toEqual([...numbers].sort());
		expect(failures).toEqual([errorOf(400)]);
	});

	test('do not hide the others although they are half of them, because single ones are tried', async () => {
		const numbers = numbersUpTo(100);
		const { answered } = await ask(
			numbers,
			numbers.filter((_, at) => at % 2 === 0),
		);
		expect(answered.length).toBeGreaterThan(0);
	});

	test('are not searched for after another failure, and what was found so far counts', async () => {
		let requests = 0;
		const request = async (part: string[]) => {
			if (++requests === 3) throw errorOf(500);
			if (part.length > 2) throw errorOf(400);
			return await Promise.resolve(part);
		};
		const split = await requestWithoutRefused(numbersUpTo(4), request, new Splitting());
		expect([split.answered.length, split.failed.length]).toEqual([2, 2]);
		expect(split.failures).toEqual([errorOf(500)]);
	});

	test('are not searched for after the end of the poll', async () => {
		const request = async () => await Promise.reject(errorOf(400));
		const splitting = new Splitting(() => false);
		const { failed } = await requestWithoutRefused(numbersUpTo(3), request, splitting);
		expect(failed).toEqual(['000', '001', '002']);
	});

	test.each<[boolean, number[]]>([
		[true, [200, 400, 404, 422]],
		[false, [302, 401, 403, 408, 429, 500]],
	])('can be the cause (%s) of an error with status %j', (expected, statuses) => {
		expect(statuses.filter((status) => isRefusal(errorOf(status)) !== expected)).toEqual([]);
		expect(isRefusal(new Error('other'))).toBe(false);
	});
});
