import fc from 'fast-check';

import {
	createShipments,
	findRepeated,
	planRequests,
} from '../../../nodes/ParcelShipping/creation/createShipments';
import { Ledger } from '../../../nodes/ParcelShipping/creation/ledger';
import {
	type CreationClient,
	type CreationSettings,
	type Order,
	referenceOf,
	searchStart,
} from '../../../nodes/ParcelShipping/creation/types';
import { ServiceError } from '../../../nodes/ParcelShipping/transport/errors';
import { createMemoryClient } from '../../support/creationClient';
import { orderWith, SETTINGS } from '../../support/orders';

const orderOf = (itemIndex: number, carrierCode: string, reference: string) =>
	orderWith(reference, { itemIndex, carrierCode });

const orders = fc
	.array(fc.tuple(fc.constantFrom('ANT', 'BEAVER', 'CRANE'), fc.constantFrom(...'ABCDEFGH')), {
		maxLength: 60,
	})
	.map((pairs) => pairs.map(([carrier, reference], index) => orderOf(index, carrier, reference)));
const batchSize = fc.integer({ min: 1, max: 20 });

describe('The plan of requests', () => {
	test('carriers A, B, A make one request for each carrier', () => {
		const [first, second, third] = ['ANT', 'BEAVER', 'ANT'].map((carrier, index) =>
			orderOf(index, carrier, `${index}`),
		) as [Order, Order, Order];
		expect(planRequests([first, second, third], 100)).toEqual([
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
		const many = Array.from({ length: count }, (_, index) => orderOf(index, 'ANT', `${index}`));
		expect(planRequests(many, size)[0]?.requests.map(({ length }) => length)).toEqual(expected);
	});

	test('sends every order exactly once', () => {
		fc.assert(
			fc.property(orders, batchSize, (given, size) => {
				const planned = planRequests(given, size).flatMap(({ requests }) => requests.flat());
				expect(new Set(planned)).toEqual(new Set(given));
				expect(planned).toHaveLength(given.length);
			}),
		);
	});

	test('keeps each request to one carrier, the batch size and distinct references', () => {
		fc.assert(
			fc.property(orders, batchSize, (given, size) => {
				for (const { carrierCode, requests } of planRequests(given, size)) {
					for (const request of requests) {
						expect(request.length).toBeGreaterThan(0);
						expect(request.length).toBeLessThanOrEqual(size);
						expect(new Set(request.map(referenceOf)).size).toBe(request.length);
						expect(request.every((each) => each.carrierCode === carrierCode)).toBe(true);
					}
				}
			}),
		);
	});

	test.each(['allCarriers', 'sameCarrier'] as const)(
		'finds orders with the same reference, looking at %s, and no others',
		(scope) => {
			fc.assert(
				fc.property(orders, (given) => {
					const repeated = new Set(findRepeated(given, scope).flat());
					for (const each of given) {
						const same = given.filter(
							(other) =>
								(scope === 'allCarriers' || other.carrierCode === each.carrierCode) &&
								referenceOf(other) === referenceOf(each),
						);
						expect(repeated.has(each)).toBe(same.length > 1);
					}
				}),
			);
		},
	);
});

test.each([
	['2026-11-20T00:30:00Z', 0, '2026-11-19'],
	['2026-11-20T23:30:00Z', 30, '2026-10-20'],
	['2026-03-01T12:00:00Z', 1, '2026-02-27'],
])('at %s, a look-back of %i days starts on %s', (now, days, expected) => {
	expect(searchStart(Date.parse(now), days)).toBe(expected);
});

const sixOrders = Array.from({ length: 6 }, (_, index) => orderOf(index, 'ANT', `A-${index}`));

const create = async (
	orders: Order[],
	client: CreationClient,
	{ store = {}, settings = SETTINGS }: { store?: object; settings?: CreationSettings } = {},
) =>
	createShipments(orders, {
		client,
		settings,
		ledger: new Ledger(store as Record<string, unknown>, 0),
		hasInvalidItems: false,
	});

const failure = (mayHaveActed: boolean, cause?: 'rate-limited') =>
	new ServiceError({
		message: 'no answer',
		description: '',
		endpoint: '',
		mayHaveActed,
		isTransient: true,
		...(cause ? { cause } : {}),
	});

test('a node that crashes after sending does not send again in its next try', async () => {
	const { client, sent } = createMemoryClient([], {
		onCreate: () => {
			throw failure(true);
		},
	});
	const store = {};
	const crashing: CreationClient = {
		...client,
		findShipments: async () => ({ rows: [], total: 0 }),
		listShipments: async () => [],
		pause: async () => {
			throw new TypeError('crashed');
		},
	};
	const orders = sixOrders.slice(0, 2);
	await expect(create(orders, crashing, { store })).rejects.toThrow('crashed');

	const saved = JSON.parse(JSON.stringify(store)) as object;
	const results = await create(orders, client, { store: saved });
	expect(sent).toHaveLength(1);
	expect(results).toMatchObject([
		{ orders: [{ itemIndex: 0 }], pieces: [{ row: { id: 1 }, recovered: true }] },
		{ orders: [{ itemIndex: 1 }], pieces: [{ row: { id: 2 }, recovered: true }] },
	]);
});

test('requests of one carrier go one after another, those of several carriers in parallel', async () => {
	const single = createMemoryClient([]);
	await create(sixOrders, single.client);
	expect(single.running).toEqual([1, 1, 1]);

	const mixed = sixOrders.map(({ itemIndex }) =>
		orderOf(itemIndex, itemIndex % 2 ? 'BEAVER' : 'ANT', `A-${itemIndex}`),
	);
	const several = createMemoryClient([]);
	await create(mixed, several.client);
	expect(Math.max(...several.running)).toBe(2);

	const limited = createMemoryClient([], { limit: 1 });
	await create(mixed, limited.client);
	expect(Math.max(...limited.running)).toBe(1);
});

test.each([
	['a rate limit ends the requests of its carrier', failure(false, 'rate-limited'), 1],
	['a request that is refused for its content does not end them', failure(false), 3],
	['a lost answer does not end them', failure(true), 3],
])('%s', async (_, error, requests) => {
	const { client, sent } = createMemoryClient([], {
		onCreate: () => {
			throw error;
		},
	});
	const results = await create(sixOrders, client);
	expect(sent).toHaveLength(requests);
	expect(results.flatMap((result) => result.orders)).toEqual(sixOrders);
});

test('if items stop the workflow, nothing is sent when one of them exists already', async () => {
	const { client, sent } = createMemoryClient([]);
	await create(sixOrders.slice(0, 1), client);
	const settings = { ...SETTINGS, ifExists: 'fail' as const, stopOnError: true };
	const results = await create(sixOrders, client, { settings });
	expect(sent).toEqual([['A-0']]);
	expect(results).toMatchObject([{ orders: [{ itemIndex: 0 }], notCreated: expect.anything() }]);
});
