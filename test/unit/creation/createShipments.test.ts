import fc from 'fast-check';

import {
	createShipments,
	planRequests,
} from '../../../nodes/ParcelShipping/creation/createShipments';
import { Ledger } from '../../../nodes/ParcelShipping/creation/ledger';
import {
	type CreationClient,
	type CreationSettings,
	searchStart,
} from '../../../nodes/ParcelShipping/creation/types';
import { ServiceError } from '../../../nodes/ParcelShipping/transport/errors';
import { createMemoryClient } from '../../support/creationClient';
import { orderWith, SETTINGS } from '../../support/orders';
import { findRepeated } from '../../../nodes/ParcelShipping/orders/readOrders';
import { type Order, referenceOf } from '../../../nodes/ParcelShipping/orders/order';

const orderOf = (itemIndex: number, carrierCode: string, reference: string) =>
	orderWith(reference, { itemIndex, carrierCode });

const orders = fc
	.array(fc.tuple(fc.constantFrom('ANT', 'BEAVER', 'CRANE'), fc.constantFrom(...'ABCDEFGH')), {
		maxLength: 60,
	})
	.map((pairs) => pairs.map(([carrier, reference], index) => orderOf(index, carrier, reference)));
const batchSize = fc.integer({ min: 1, max: 20 });
const ordersOf = (round: ReturnType<typeof planRequests>[number]) =>
	round.flatMap((request) => request.orders);

describe('The plan of requests', () => {
	test('carriers A, B, A make one request for each carrier, and both may be sent in parallel', () => {
		const [first, second, third] = ['ANT', 'BEAVER', 'ANT'].map((carrier, index) =>
			orderOf(index, carrier, `${index}`),
		) as [Order, Order, Order];
		expect(planRequests([first, second, third], 100)).toEqual([
			[
				{ carrierCode: 'ANT', orders: [first, third] },
				{ carrierCode: 'BEAVER', orders: [second] },
			],
		]);
	});

	test('an order with the same reference at the same carrier is sent in a later round', () => {
		const [first, second, other, third] = [
			orderOf(0, 'ANT', 'A'),
			orderOf(1, 'ANT', 'A'),
			orderOf(2, 'BEAVER', 'A'),
			orderOf(3, 'ANT', 'B'),
		] as [Order, Order, Order, Order];
		expect(planRequests([first, second, other, third], 100)).toEqual([
			[
				{ carrierCode: 'ANT', orders: [first, third] },
				{ carrierCode: 'BEAVER', orders: [other] },
			],
			[{ carrierCode: 'ANT', orders: [second] }],
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
		expect(planRequests(many, size)[0]?.map((request) => request.orders.length)).toEqual(expected);
	});

	test('sends every order exactly once', () => {
		fc.assert(
			fc.property(orders, batchSize, (given, size) => {
				const planned = planRequests(given, size).flatMap(ordersOf);
				expect(new Set(planned)).toEqual(new Set(given));
				expect(planned).toHaveLength(given.length);
			}),
		);
	});

	test('keeps each request to one carrier, the batch size and distinct references', () => {
		fc.assert(
			fc.property(orders, batchSize, (given, size) => {
				for (const request of planRequests(given, size).flat()) {
					const { length } = request.orders;
					expect(length).toBeGreaterThan(0);
					expect(length).toBeLessThanOrEqual(size);
					expect(new Set(request.orders.map(referenceOf)).size).toBe(length);
					const { carrierCode } = request;
					expect(request.orders.every((each) => each.carrierCode === carrierCode)).toBe(true);
				}
			}),
		);
	});

	test('never has a reference of a carrier twice in a round, and keeps the order of those that repeat it', () => {
		fc.assert(
			fc.property(orders, batchSize, (given, size) => {
				const last = new Map<string, number>();
				for (const round of planRequests(given, size)) {
					const planned = ordersOf(round);
					const keys = planned.map((each) => `${each.carrierCode} ${referenceOf(each)}`);
					expect(new Set(keys).size).toBe(keys.length);
					for (const [index, key] of keys.entries()) {
						const { itemIndex } = planned[index] as Order;
						expect(itemIndex).toBeGreaterThan(last.get(key) ?? -1);
						last.set(key, itemIndex);
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

const ordersAt = (carrierCode: string, count: number) =>
	Array.from({ length: count }, (_, index) => orderOf(index, carrierCode, `A-${index}`));
const sixOrders = ordersAt('ANT', 6);

const create = async (
	orders: Order[],
	client: CreationClient,
	{ store = {}, settings = SETTINGS }: { store?: object; settings?: CreationSettings } = {},
) =>
	createShipments(
		{
			references: orders.map(referenceOf),
			checked: Promise.resolve({ orders, invalid: [] }),
		},
		{ client, settings, ledger: new Ledger(store as Record<string, unknown>, 0) },
	);

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
	// Long enough to search again on a busy machine.
	const settings = { ...SETTINGS, maxRetryWait: 5_000 };
	await expect(create(orders, crashing, { store, settings })).rejects.toThrow('crashed');

	const saved = JSON.parse(JSON.stringify(store)) as object;
	const results = await create(orders, client, { store: saved });
	expect(sent).toHaveLength(1);
	expect(results).toMatchObject([
		{ orders: [{ itemIndex: 0 }], pieces: [{ row: { id: 1 }, recovered: true }] },
		{ orders: [{ itemIndex: 1 }], pieces: [{ row: { id: 2 }, recovered: true }] },
	]);
});

test.each([1, 2, 4, 20])('requests run in parallel, with %i at most', async (limit) => {
	const single = createMemoryClient([], { limit });
	const results = await create(ordersAt('ANT', 60), single.client);
	expect(Math.max(...single.running)).toBe(limit);
	expect(single.sent).toHaveLength(30);
	expect(results.flatMap((result) => result.orders)).toEqual(ordersAt('ANT', 60));

	const several = createMemoryClient([], { limit });
	await create([...ordersAt('ANT', 30), ...ordersAt('BEAVER', 30)], several.client, {
		settings: { ...SETTINGS, lookUpScope: 'sameCarrier' },
	});
	expect(Math.max(...several.running)).toBe(limit);
});

/** A client whose creations take some milliseconds, with the references that are under way. */
function createSlowClient(limit: number) {
	const memory = createMemoryClient([], { limit });
	const underWay = new Set<readonly string[]>();
	const overlaps: string[] = [];
	let most = 0;
	const client: CreationClient = {
		...memory.client,
		async createShipments(carrierCode, bodies, ...rest) {
			const references = bodies.map((body) => `${carrierCode} ${body.packageNumberCustom}`);
			const others = new Set([...underWay].flat());
			overlaps.push(...references.filter((reference) => others.has(reference)));
			underWay.add(references);
			most = Math.max(most, underWay.size);
			await new Promise((resolve) => setTimeout(resolve, 1 + (memory.sent.length % 3)));
			return await memory.client
				.createShipments(carrierCode, bodies, ...rest)
				.finally(() => underWay.delete(references));
		},
	};
	return { ...memory, client, overlaps, most: () => most };
}

test('under Create Another One, requests with the same reference never overlap, and others do', async () => {
	const repeated = Array.from({ length: 40 }, (_, index) =>
		orderOf(index, index % 3 ? 'ANT' : 'BEAVER', index % 4 ? `A-${index}` : 'A-0'),
	);
	const { client, sent, overlaps, most } = createSlowClient(4);
	const settings = { ...SETTINGS, ifExists: 'create' as const };
	const results = await create(repeated, client, { settings });
	expect(overlaps).toEqual([]);
	expect(most()).toBe(4);
	expect(sent.flat()).toHaveLength(40);
	expect(new Set(results.map(({ pieces }) => pieces[0]?.row.id)).size).toBe(40);
});

test('without a look-up, the IDs of each carrier are read once before anything is sent', async () => {
	const { client, requests } = createMemoryClient([]);
	const settings = { ...SETTINGS, ifExists: 'create' as const };
	const sentBefore: string[] = [];
	const watched: CreationClient = {
		...client,
		async createShipments(...given) {
			sentBefore.push(...requests);
			return await client.createShipments(...given);
		},
	};
	await create([...ordersAt('ANT', 20), ...ordersAt('BEAVER', 20)], watched, { settings });
	expect(requests).toEqual(['list', 'list']);
	expect(new Set(sentBefore)).toEqual(new Set(['list']));
	expect(sentBefore).toHaveLength(2 * 20);
});

test.each([
	['a rate limit ends the requests of its carrier', failure(false, 'rate-limited'), 4, 4],
	['a rate limit ends them, with one at a time', failure(false, 'rate-limited'), 1, 1],
	['a request that is refused for its content does not end them', failure(false), 4, 10],
	['a lost answer does not end them', failure(true), 4, 10],
])('%s', async (_, error, limit, requests) => {
	const { client, sent } = createMemoryClient([], {
		limit,
		onCreate: () => {
			throw error;
		},
	});
	const orders = ordersAt('ANT', 20);
	const results = await create(orders, client);
	expect(sent).toHaveLength(requests);
	expect(new Set(results.flatMap((result) => result.orders))).toEqual(new Set(orders));
});

test('an error that ends the requests of a carrier ends none of another carrier', async () => {
	const { client, sent } = createMemoryClient([], { limit: 1 });
	const refusing: CreationClient = {
		...client,
		async createShipments(carrierCode, ...rest) {
			if (carrierCode === 'ANT') throw failure(false, 'rate-limited');
			return await client.createShipments(carrierCode, ...rest);
		},
	};
	const beaver = Array.from({ length: 6 }, (_, index) =>
		orderOf(index + 6, 'BEAVER', `B-${index}`),
	);
	const results = await create([...sixOrders, ...beaver], refusing);
	expect(sent).toEqual([
		['B-0', 'B-1'],
		['B-2', 'B-3'],
		['B-4', 'B-5'],
	]);
	expect(results.filter(({ notCreated }) => notCreated !== undefined)).toHaveLength(6);
});

test('a bug in one request does not end the run before the others have a result', async () => {
	const store: Record<string, unknown> = {};
	const { client, sent } = createSlowClient(4);
	const crashing: CreationClient = {
		...client,
		async createShipments(carrierCode, bodies, ...rest) {
			if (bodies[0]?.packageNumberCustom === 'A-2') return { result: [null] } as never;
			return await client.createShipments(carrierCode, bodies, ...rest);
		},
	};
	await expect(create(ordersAt('ANT', 20), crashing, { store })).rejects.toThrow(TypeError);
	expect(sent).toHaveLength(3);
	const ledger = new Ledger(store, 0);
	expect(ledger.settledResults()).toHaveLength(6);
	expect(ledger.pendingRequests().map(({ request }) => request.orders.map(referenceOf))).toEqual([
		['A-2', 'A-3'],
	]);
});

test('a node that is killed with several requests under way finds all their shipments in its next try', async () => {
	const orders = ordersAt('ANT', 20);
	const { client, sent } = createMemoryClient([]);
	const store = {};
	let saved: object | undefined;
	const killed: CreationClient = {
		...client,
		// The locks of a killed process are gone, so they must not be those of the next test.
		address: { base: 'https://killed.example/api', origin: 'https://killed.example' },
		async createShipments(...given) {
			const answer = await client.createShipments(...given);
			// The service has created four batches, and none of the answers has arrived.
			if (sent.length === 4) saved ??= JSON.parse(JSON.stringify(store)) as object;
			return await new Promise(() => answer);
		},
	};
	void create(orders, killed, { store });
	while (saved === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
	expect(new Ledger(structuredClone(saved) as never, 0).pendingRequests()).toHaveLength(4);

	const results = await create(orders, client, { store: saved });
	expect(sent.flat().sort()).toEqual(orders.map(referenceOf).sort());
	const recovered = results.filter(({ pieces }) => pieces[0]?.recovered);
	expect(recovered.map(({ orders: [order] }) => order?.itemIndex)).toEqual([
		0, 1, 2, 3, 4, 5, 6, 7,
	]);
	expect(results.every(({ pieces, unknown }) => pieces.length === 1 && !unknown)).toBe(true);
});

test('if items stop the workflow, nothing is sent when one of them exists already', async () => {
	const { client, sent } = createMemoryClient([]);
	await create(sixOrders.slice(0, 1), client);
	const settings = { ...SETTINGS, ifExists: 'fail' as const, stopOnError: true };
	const results = await create(sixOrders, client, { settings });
	expect(sent).toEqual([['A-0']]);
	expect(results).toMatchObject([{ orders: [{ itemIndex: 0 }], notCreated: expect.anything() }]);
});

test('a request is in the ledger before it is sent, so that a crash meanwhile does not lose it', async () => {
	const store: Record<string, unknown> = {};
	const { client } = createMemoryClient([]);
	const inLedger: string[] = [];
	const watched: CreationClient = {
		...client,
		async createShipments(...given) {
			const saved = JSON.parse(JSON.stringify(store)) as Record<string, unknown>;
			const pending = new Ledger(saved, 0).pendingRequests();
			inLedger.push(...pending.flatMap(({ request }) => request.orders.map(referenceOf)));
			return await client.createShipments(...given);
		},
	};
	await create(sixOrders.slice(0, 2), watched, { store });
	expect(inLedger).toEqual(['A-0', 'A-1']);
});

test('orders of another service do not wait for a slow service, although the numbers are the same', async () => {
	let answer = () => {};
	const slow = createMemoryClient([]);
	const waiting: CreationClient = {
		...slow.client,
		async createShipments(...given) {
			await new Promise<void>((resolve) => (answer = resolve));
			return await slow.client.createShipments(...given);
		},
	};
	const other = createMemoryClient([]);
	const address = { base: 'https://other.example/api', origin: 'https://other.example' };

	const first = create(sixOrders.slice(0, 1), waiting);
	const second = await create(sixOrders.slice(0, 1), { ...other.client, address });
	expect(second).toMatchObject([{ pieces: [{ row: { id: 1 } }] }]);
	expect(slow.sent).toEqual([]);
	answer();
	await first;
});

test('if items stop the workflow, nothing is sent when the look-up of another carrier failed', async () => {
	const { client, sent } = createMemoryClient([]);
	const failing: CreationClient = {
		...client,
		async listShipments(filter, ...rest) {
			if (filter.carrierCodes?.includes('BEAVER')) throw failure(false);
			return await client.listShipments(filter, ...rest);
		},
	};
	const orders = [orderOf(0, 'ANT', 'A-0'), orderOf(1, 'BEAVER', 'A-1')];
	const settings = { ...SETTINGS, lookUpScope: 'sameCarrier' as const, stopOnError: true };
	const results = await create(orders, failing, { settings });
	expect(sent).toEqual([]);
	expect(results).toMatchObject([{ orders: [{ itemIndex: 1 }], notCreated: expect.anything() }]);
});
