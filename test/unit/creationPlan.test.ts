import fc from 'fast-check';

import { searchFrom } from '../../nodes/ParcelShipping/creation/days';
import { whileAlone } from '../../nodes/ParcelShipping/creation/lock';
import { labelOf, type Order } from '../../nodes/ParcelShipping/creation/order';
import { findRepeated, planLanes } from '../../nodes/ParcelShipping/creation/plan';

function order(itemIndex: number, carrierCode: string, label: string): Order {
	return { itemIndex, carrierCode, body: { packageNumberCustom: label } as Order['body'] };
}

const orders = fc
	.array(fc.tuple(fc.constantFrom('ANT', 'BEAVER', 'CRANE'), fc.constantFrom(...'ABCDEFGH')), {
		maxLength: 60,
	})
	.map((pairs) => pairs.map(([carrier, label], index) => order(index, carrier, label)));
const batchSize = fc.integer({ min: 1, max: 20 });

describe('The plan of requests', () => {
	test('A, B, A makes one request for each carrier', () => {
		const [first, second, third] = ['ANT', 'BEAVER', 'ANT'].map((carrier, index) =>
			order(index, carrier, `${index}`),
		) as [Order, Order, Order];
		expect(planLanes([first, second, third], 100)).toEqual([
			{ carrierCode: 'ANT', requests: [[first, third]] },
			{ carrierCode: 'BEAVER', requests: [[second]] },
		]);
	});

	test.each([
		[250, 100, [100, 100, 50]],
		[100, 100, [100]],
		[3, 1, [1, 1, 1]],
		[3, 0, [1, 1, 1]],
		[0, 100, undefined],
	])('%i orders with batches of %i', (count, size, expected) => {
		const many = Array.from({ length: count }, (_, index) => order(index, 'ANT', `${index}`));
		expect(planLanes(many, size)[0]?.requests.map(({ length }) => length)).toEqual(expected);
	});

	test('sends every order exactly once', () => {
		fc.assert(
			fc.property(orders, batchSize, (given, size) => {
				const planned = planLanes(given, size).flatMap(({ requests }) => requests.flat());
				expect(new Set(planned)).toEqual(new Set(given));
				expect(planned).toHaveLength(given.length);
			}),
		);
	});

	test('keeps each request to one carrier, within its size, and no label twice in it', () => {
		fc.assert(
			fc.property(orders, batchSize, (given, size) => {
				for (const { carrierCode, requests } of planLanes(given, size)) {
					for (const request of requests) {
						expect(request.length).toBeGreaterThan(0);
						expect(request.length).toBeLessThanOrEqual(size);
						expect(new Set(request.map(labelOf)).size).toBe(request.length);
						expect(request.every((each) => each.carrierCode === carrierCode)).toBe(true);
					}
				}
			}),
		);
	});

	test('names orders with the same label at the same carrier, and no others', () => {
		fc.assert(
			fc.property(orders, (given) => {
				const repeated = new Set(findRepeated(given).flat());
				for (const each of given) {
					const same = given.filter(
						(other) => other.carrierCode === each.carrierCode && labelOf(other) === labelOf(each),
					);
					expect(repeated.has(each)).toBe(same.length > 1);
				}
			}),
		);
	});
});

test.each([
	['2026-11-20T00:30:00Z', 0, '2026-11-19'],
	['2026-11-20T23:30:00Z', 30, '2026-10-20'],
	['2026-03-01T12:00:00Z', 1, '2026-02-27'],
])('at %s, %i days back are searched from %s on', (now, days, expected) => {
	expect(searchFrom(Date.parse(now), days)).toBe(expected);
});

describe('Work on the same label', () => {
	const tick = async () => new Promise((resolve) => setTimeout(resolve, 1));

	test('is done one after another, other work beside it', async () => {
		const log: string[] = [];
		const work = (name: string) => async () => {
			log.push(`${name} begins`);
			await tick();
			log.push(`${name} ends`);
		};
		await Promise.all([
			whileAlone(['x', 'y'], work('first')),
			whileAlone(['y', 'x'], work('second')),
			whileAlone(['z'], work('other')),
		]);
		expect(log.indexOf('second begins')).toBeGreaterThan(log.indexOf('first ends'));
		expect(log.indexOf('other begins')).toBeLessThan(log.indexOf('first ends'));
	});

	test('goes on after work that threw', async () => {
		await expect(
			whileAlone(['x'], async () => {
				throw new Error('no');
			}),
		).rejects.toThrow('no');
		await expect(whileAlone(['x', 'x'], async () => 'yes')).resolves.toBe('yes');
	});

	test('never ends in everybody waiting, and nobody is alone with a label twice', async () => {
		const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 });
		await fc.assert(
			fc.asyncProperty(fc.array(keys, { minLength: 1, maxLength: 8 }), async (works) => {
				const busy = new Set<string>();
				await Promise.all(
					works.map(async (wanted) =>
						whileAlone(wanted, async () => {
							const mine = new Set(wanted);
							for (const key of mine) {
								expect(busy.has(key)).toBe(false);
								busy.add(key);
							}
							await Promise.resolve();
							for (const key of mine) busy.delete(key);
						}),
					),
				);
			}),
		);
	});
});
