import type { IDataObject } from 'n8n-workflow';

import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { linksOf } from '../support/outputs';
import { creationForm, orderItem, orderOf } from '../support/shop';

import { type Fault, type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const creations = () =>
	sandbox.requests.filter(({ operationId }) => operationId === 'createShipments');
const referencesOf = ({ body }: { body: unknown }) =>
	(body as Array<{ packageNumberCustom: string }>).map((order) => order.packageNumberCustom);
const sentReferences = () => creations().flatMap(referencesOf);
const bookedReferences = () =>
	sandbox.database.shipments().map(({ packageNumberCustom }) => packageNumberCustom);

const ordersOf = (count: number, more: IDataObject = {}) =>
	Array.from({ length: count }, (_, index) => orderItem(`P-${index}`, more));
const everyReference = (count: number) => ordersOf(count).map((order) => order.packageNumberCustom);
const creationFault = (fault: Omit<Fault, 'operation'>) =>
	sandbox.fault({ operation: 'createShipments', ...fault });
const slow = (ms: number, more: Partial<Fault> = {}) =>
	creationFault({ kind: 'latency', ms, times: Infinity, ...more });

/**
 * The highest number of these requests that the service worked on at the same time. A request whose
 * answer was cut off has no end.
 */
function mostAtOnce(requests: Sandbox['requests']): number {
	const changes = requests.flatMap(({ at, finishedAt }) => [
		{ at, by: 1 },
		{ at: finishedAt ?? Infinity, by: -1 },
	]);
	// A request that ends in the millisecond in which another one starts is not at the same time.
	changes.sort((a, b) => a.at - b.at || a.by - b.by);
	let count = 0;
	return Math.max(0, ...changes.map(({ by }) => (count += by)));
}

describe('The batches of one carrier', () => {
	test.each([
		[undefined, 4],
		[1, 1],
		[2, 2],
		[8, 8],
	])('with Max Concurrency %s are sent %i at a time', async (maxConcurrency, expected) => {
		slow(50);
		const { items } = await engine.run({
			parameters: creationForm({ batchSize: 1, ...(maxConcurrency ? { maxConcurrency } : {}) }),
			items: ordersOf(16),
		});
		expect(mostAtOnce(creations())).toBe(expected);
		expect(linksOf(items)).toEqual([...ordersOf(16).keys()]);
		expect(items.map(({ json }) => json.packageNumberCustom)).toEqual(everyReference(16));
		expect(bookedReferences().sort()).toEqual(everyReference(16).sort());
	});

	test('share Max Concurrency with those of other carriers', async () => {
		slow(50);
		const carriers = ['ANT', 'BEAVER', 'CRANE'];
		const items = ordersOf(18).map((order, index) =>
			orderOf(carriers[index % 3] as string, String(order.packageNumberCustom)),
		);
		await engine.run({ parameters: creationForm({ batchSize: 1 }), items });
		expect(mostAtOnce(creations())).toBe(4);
		expect(bookedReferences().sort()).toEqual(everyReference(18).sort());
	});
});

describe('Under Create Another One', () => {
	test('orders with the same number are never sent at the same time, and others are', async () => {
		slow(40);
		const items = ordersOf(12).map((order, index) => (index % 3 === 0 ? orderItem('SAME') : order));
		const result = await engine.run({
			parameters: creationForm({ batchSize: 2, ifExists: 'create' }),
			items,
		});
		const withSame = creations().filter((request) => referencesOf(request).includes('SAME'));
		expect(withSame).toHaveLength(4);
		expect(mostAtOnce(withSame)).toBe(1);
		expect(mostAtOnce(creations())).toBeGreaterThan(2);
		expect(linksOf(result.items)).toEqual([...items.keys()]);
		expect(new Set(result.items.map(({ json }) => json.id)).size).toBe(12);
	});

	test('four answers are lost at once, and each shipment is told from an older one with its number', async () => {
		for (const reference of everyReference(8)) {
			sandbox.seedShipments(1, { packageNumberCustom: String(reference) });
		}
		slow(30);
		creationFault({ kind: 'reset', when: 'after', times: 4 });
		const { items } = await engine.run({
			parameters: creationForm({ batchSize: 2, ifExists: 'create', maxRetryWait: 2_000 }),
			items: ordersOf(8),
		});
		expect(items.map(({ json }) => json.recovered)).toEqual(Array(8).fill(true));
		expect(items.map(({ json }) => json.packageNumberCustom)).toEqual(everyReference(8));
		expect(items.every(({ json }) => Number(json.id) > 1008)).toBe(true);
		expect(creations()).toHaveLength(4);
		const lists = sandbox.requests.filter(({ operationId }) => operationId === 'findShipments');
		// The numbers of all shipments before, once.
		expect(lists.filter(({ at }) => at <= (creations()[0]?.at ?? 0))).toHaveLength(1);
	});
});

describe('If four answers are lost at once', () => {
	const lost: Array<[string, Omit<Fault, 'operation'>]> = [
		['by resets', { kind: 'reset', when: 'after' }],
		['by timeouts', { kind: 'noResponse', when: 'after' }],
		['by 502', { kind: 'html', status: 502, when: 'after' }],
	];
	test.each(lost)('%s, all shipments are read back, each once', async (_, fault) => {
		slow(30);
		creationFault({ ...fault, times: 4 });
		const { items, hints } = await engine.run({
			parameters: creationForm({ batchSize: 3, timeout: 300, maxRetryWait: 3_000 }),
			items: ordersOf(18, { pieceCount: 2 }),
		});
		expect(sentReferences().sort()).toEqual(everyReference(18).sort());
		expect(sandbox.database.shipments()).toHaveLength(36);
		expect(linksOf(items)).toEqual([...ordersOf(18).keys()].flatMap((item) => [item, item]));
		const recovered = items.filter(({ json }) => json.recovered);
		expect(recovered).toHaveLength(4 * 3 * 2);
		// Each with its own batch.
		const batchOf = new Map(sandbox.database.shipments().map(({ id, batchId }) => [id, batchId]));
		for (const { json } of items) expect(json.batchId).toBe(batchOf.get(Number(json.id)));
		expect(hints[0]).toContain('read back from the service');
	});

	test('and nothing was created, the outcome of exactly these orders is unknown', async () => {
		creationFault({ kind: 'reset', times: 4 });
		const { items, errorItems } = await engine.run({
			parameters: creationForm({ batchSize: 1, maxRetryWait: 100 }),
			items: ordersOf(10),
			onError: 'continueErrorOutput',
		});
		expect(creations()).toHaveLength(10);
		expect(items).toHaveLength(6);
		expect(errorItems.map(({ json }) => json.error)).toEqual(
			Array(4).fill(expect.stringContaining('Could not confirm whether ANT created shipment')),
		);
		expect(bookedReferences()).toHaveLength(6);
	});

	test('the next try of the node finds what appeared after the first, and sends nothing again', async () => {
		slow(500, { times: 4 });
		const { items, error } = await engine.run({
			parameters: creationForm({ batchSize: 2, timeout: 150, maxRetryWait: 200 }),
			items: ordersOf(8),
			tries: 3,
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.recovered)).toEqual(Array(8).fill(true));
		expect(creations()).toHaveLength(4);
		expect(sandbox.database.shipments()).toHaveLength(8);
	});
});

describe('An error that every further request would get', () => {
	test('keeps further batches from being sent, and those under way have their results', async () => {
		creationFault({ kind: 'status', status: 401 });
		slow(200, { skip: 1 });
		const { items, errorItems } = await engine.run({
			parameters: creationForm({ batchSize: 1 }),
			items: ordersOf(10),
			onError: 'continueErrorOutput',
		});
		expect(creations()).toHaveLength(4);
		expect(items).toHaveLength(3);
		expect(errorItems.map(({ json }) => json.error)).toEqual(
			Array(7).fill('The service refused the credential (401)'),
		);
		expect(sandbox.database.shipments()).toHaveLength(3);
	});

	test.each([
		['429', { kind: 'rateLimit' }],
		['503', { kind: 'status', status: 503, retryAfter: '0' }],
	] satisfies Array<[string, Omit<Fault, 'operation'>]>)(
		'and never goes away (%s): no further batch is sent after Max Retry Wait',
		async (_, fault) => {
			creationFault({ ...fault, times: Infinity });
			const started = Date.now();
			const { errorItems } = await engine.run({
				parameters: creationForm({ batchSize: 1, maxRetryWait: 800 }),
				items: ordersOf(20),
				onError: 'continueErrorOutput',
			});
			expect(Date.now() - started).toBeLessThan(5_000);
			expect(errorItems).toHaveLength(20);
			expect(new Set(sentReferences()).size).toBe(4);
		},
	);
});

test('a service that allows a few requests per second gets all orders, each once', async () => {
	const limited = await startSandbox({ rateLimit: { requests: 5, perMs: 300 } });
	const atLimit = await startEngine(sandboxCredential(limited.url));
	const { items, error } = await atLimit.run({
		parameters: creationForm({ batchSize: 1 }),
		items: ordersOf(20),
	});
	expect(error).toBeUndefined();
	expect(linksOf(items)).toEqual([...ordersOf(20).keys()]);
	expect(limited.database.shipments()).toHaveLength(20);
	await limited.close();
});
