import type { Fault } from '../../sandbox';
import { newAccount, sandboxCredential } from '../support/credentials';
import { startEngine } from '../support/engine';
import { fieldsOf, linksOf, valuesOf } from '../support/outputs';
import { creationForm, orderItem, orderOf, ordersOf, refusedOrder } from '../support/shop';
import { referencesIn, useShop } from '../support/useShop';

// Whatever happens to the requests and to the run, each order is sent once.

const shop = useShop();
const creations = () => shop.requests('createShipments');
const failCreation = (fault: Omit<Fault, 'operation'>) => shop.fault('createShipments', fault);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `A-${index}`);

/** Short waits keep the tests fast. */
const SHORT = { timeout: 150, maxRetryWait: 300 };
const STOP = { onError: 'stopWorkflow' } as const;
const UNKNOWN = 'Could not confirm whether ANT created the shipment of order';

describe('A creation whose response is lost', () => {
	const lost: Array<[string, Omit<Fault, 'operation'>]> = [
		['a timeout', { kind: 'noResponse' }],
		['a reset', { kind: 'reset' }],
		['502', { kind: 'html', status: 502 }],
		['504', { kind: 'status', status: 504 }],
		['half a body', { kind: 'halfBody' }],
		['a body cut off with its connection', { kind: 'halfBody', cut: true }],
		['a sign-in page', { kind: 'html' }],
	];
	test.each(lost)('by %s is read back and not sent again', async (_, fault) => {
		failCreation({ ...fault, when: 'after' });
		const orders = [orderItem('A-1', { pieceCount: 2 }), orderItem('A-2')];
		// Long enough to notice a second request.
		const { items, hints } = await shop.create(orders, { ...SHORT, maxRetryWait: 1_500 });
		const { id, labelsHash, labelsUrl } = shop.sandbox.database.batches()[0] ?? {};
		expect(creations()).toHaveLength(1);
		expect(linksOf(items)).toEqual([0, 0, 1]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ id: 1001, pieceIndex: 0, recovered: true, alreadyExisted: false },
			{ id: 1002, pieceIndex: 1, recovered: true },
			{
				id: 1003,
				packageNumberCarrier: '0012345000000000001003',
				packageNumberCustom: 'A-2',
				trackingUrl: expect.stringContaining('0012345000000000001003'),
				batchId: id,
				labelsHash,
				labelsUrl,
				recovered: true,
			},
		]);
		expect(hints[0]).toContain('read back from the service');
	});

	test('and that created nothing has an unknown outcome', async () => {
		failCreation({ kind: 'reset' });
		const { errorItems } = await shop.create(ordersOf('A-1'), SHORT);
		expect(creations()).toHaveLength(1);
		expect(errorItems[0]?.json).toMatchObject({
			error: `${UNKNOWN} "A-1"`,
			message: expect.stringMatching(
				/It was sent once\. .* Searched \d times for shipments with this number at ANT, created since \d{4}-\d\d-\d\d: found none\. It is safe to run the workflow again/,
			),
			details: { outcome: 'unknown', checked: { looks: expect.any(Number), found: [] } },
		});
	});

	test('is waited for if the service finishes after its gateway timed out', async () => {
		failCreation({ kind: 'latency', ms: 350 });
		const { items } = await shop.create(ordersOf('A-1'), { timeout: 100, maxRetryWait: 1_000 });
		expect(fieldsOf(items, 'id', 'recovered')).toEqual([[1001, true]]);
	});

	test.each([
		['an older shipment is not mistaken for it', 'create', false, 'before', undefined],
		['a canceled shipment is not mistaken for it', 'reuse', true, 'before', undefined],
		['its shipment is told from an older one', 'create', false, 'after', 1002],
	] as const)('%s', async (_, ifExists, isCanceled, when, id) => {
		const [older] = shop.sandbox.seedShipments(1, { packageNumberCustom: 'A-1' });
		if (isCanceled) shop.sandbox.cancelShipment(older?.id ?? 0);
		failCreation({ kind: 'reset', when });
		const { items, errorItems } = await shop.create(ordersOf('A-1'), { ...SHORT, ifExists });
		if (id) expect(fieldsOf(items, 'id', 'recovered')).toEqual([[id, true]]);
		else expect(errorItems[0]?.json.error).toContain(UNKNOWN);
	});

	test('has an unknown outcome if too many shipments are there to compare', async () => {
		shop.sandbox.seedShipments(150);
		failCreation({ kind: 'reset', when: 'after' });
		const { errorItems } = await shop.create(ordersOf('A-1'), { ...SHORT, ifExists: 'create' });
		expect(errorItems[0]?.json.error).toContain(UNKNOWN);
		expect(errorItems[0]?.json.message).toContain(
			'found 1151, which may or may not come from this run',
		);
	});
});

describe('If four responses are lost at once', () => {
	const ALL = numbered(16);
	const slow = (ms: number, more = {}) => failCreation({ kind: 'latency', ms, ...more });

	test.each([
		['by resets', 'reuse', { kind: 'reset' }],
		['by timeouts', 'reuse', { kind: 'noResponse' }],
		['although older shipments have the same numbers', 'create', { kind: 'reset' }],
	] as const)('%s, all shipments are read back, each once', async (_, ifExists, fault) => {
		const before = ifExists === 'create' ? ALL : [];
		for (const packageNumberCustom of before) {
			shop.sandbox.seedShipments(1, { packageNumberCustom });
		}
		slow(30, { times: Infinity });
		failCreation({ ...fault, when: 'after', times: 4 });
		const options = { batchSize: 3, timeout: 300, maxRetryWait: 3_000, ifExists };
		const orders = ALL.map((reference) => orderItem(reference, { pieceCount: 2 }));
		const { items } = await shop.create(orders, options);
		expect(shop.sentReferences().sort()).toEqual([...ALL].sort());
		expect(linksOf(items)).toEqual([...ALL.keys()].flatMap((item) => [item, item]));
		expect(valuesOf(items, 'recovered').filter(Boolean)).toHaveLength(4 * 3 * 2);
		// Each with its own batch.
		const created = shop.shipments().slice(before.length);
		expect(fieldsOf(items, 'id', 'batchId').sort()).toEqual(
			created.map(({ id, batchId }) => [id, batchId]).sort(),
		);
	});

	test('the next try of the node finds what appeared after the first, and sends nothing again', async () => {
		slow(500, { times: 4 });
		const options = { batchSize: 2, timeout: 150, maxRetryWait: 200 };
		const orders = ordersOf(...numbered(8));
		const { items, error } = await shop.create(orders, options, { ...STOP, tries: 3 });
		expect(error).toBeUndefined();
		expect(valuesOf(items, 'recovered')).toEqual(Array(8).fill(true));
		expect(shop.sentReferences().sort()).toEqual(numbered(8));
	});
});

describe('Retry On Fail', () => {
	const orders = [refusedOrder('A-1'), ...ordersOf('A-2', 'A-3')];

	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'sends each good order once although the first one is refused in every try (%s)',
		async (onError) => {
			const { items, errorItems, error } = await shop.create(orders, {}, { tries: 3, onError });
			expect(shop.sentReferences()).toEqual(['A-1', 'A-2', 'A-3', 'A-1', 'A-1']);
			expect(shop.references()).toEqual(['A-2', 'A-3']);
			if (onError === 'stopWorkflow') {
				expect(error?.description).toMatch(/A-2 \(ID 1001.*A-3 \(ID 1002/);
			} else {
				const good = items.filter(({ json }) => json.id);
				expect(fieldsOf(good, 'id', 'alreadyExisted')).toEqual([
					[1001, false],
					[1002, false],
				]);
				expect(linksOf([...items, ...errorItems]).sort()).toEqual([0, 1, 2]);
			}
		},
	);

	test('does not repeat the first request if the second fails, and still outputs its shipments', async () => {
		failCreation({ kind: 'status', status: 400, skip: 1 });
		const options = { batchSize: 1, maxConcurrency: 1 };
		const three = ordersOf('A-1', 'A-2', 'A-3');
		const { items, error } = await shop.create(three, options, { ...STOP, tries: 2 });
		expect(error).toBeUndefined();
		expect(shop.sentReferences()).toEqual(['A-1', 'A-2', 'A-3', 'A-2']);
		expect(valuesOf(items, 'packageNumberCustom')).toEqual(['A-1', 'A-2', 'A-3']);
	});

	test('reports the created shipments although the second try cannot read the carriers', async () => {
		shop.rewrite('createShipments', (response: unknown) => {
			// The second try must read the carriers again.
			shop.engine.credential.data = newAccount(shop.sandbox.url);
			shop.fault('findCarriers', { kind: 'html', times: Infinity });
			return response;
		});
		const { error } = await shop.create(orders, {}, { ...STOP, tries: 2 });
		expect(error?.message).toContain('The service returned a web page instead of data');
		expect(error?.description).toContain('A-2 (ID 1001');
	});

	test('does not send an order again if its number contains the current time', async () => {
		const names = [...Object.keys(orderItem('')), 'branchId'];
		const value = {
			...Object.fromEntries(names.map((name) => [name, `={{ $json.${name} }}`])),
			packageNumberCustom: '={{ $json.packageNumberCustom + $now.toMillis() }}',
		};
		const { items } = await shop.engine.run({
			parameters: {
				...creationForm({ ifExists: 'create' }),
				shipment: { mappingMode: 'defineBelow', value },
			} as never,
			items: orders.slice(0, 2),
			tries: 3,
			onError: 'continueRegularOutput',
		});
		expect(shop.shipments()).toHaveLength(1);
		expect(valuesOf(items, 'id')).toEqual([undefined, 1001]);
	});
});

describe('Several batches of orders', () => {
	/** The highest number of these requests that the service worked on at the same time. */
	function mostAtOnce(requests: ReturnType<typeof creations>): number {
		const changes = requests.flatMap(({ at, finishedAt }) => [
			{ at, by: 1 },
			{ at: finishedAt ?? Infinity, by: -1 },
		]);
		// A request that ends in the millisecond in which another one starts is not at the same time.
		changes.sort((a, b) => a.at - b.at || a.by - b.by);
		let count = 0;
		return Math.max(0, ...changes.map(({ by }) => (count += by)));
	}

	test.each([
		[undefined, 4],
		[1, 1],
		[8, 8],
	])('with Max Concurrency %s are sent %i at a time, of all carriers', async (max, expected) => {
		failCreation({ kind: 'latency', ms: 50, times: Infinity });
		const all = numbered(16);
		const orders = all.map((reference, index) => orderOf(index % 2 ? 'ANT' : 'CRANE', reference));
		const options = { batchSize: 1, ...(max ? { maxConcurrency: max } : {}) };
		const { items } = await shop.create(orders, options);
		expect(mostAtOnce(creations())).toBe(expected);
		expect(valuesOf(items, 'packageNumberCustom')).toEqual(all);
		expect(shop.references().sort()).toEqual([...all].sort());
	});

	test('with the same number are never sent at the same time, and others are', async () => {
		failCreation({ kind: 'latency', ms: 40, times: Infinity });
		const orders = numbered(12).map((reference, index) =>
			orderItem(index % 3 === 0 ? 'SAME' : reference),
		);
		const { items } = await shop.create(orders, { batchSize: 2, ifExists: 'create' });
		const withSame = creations().filter(({ body }) => referencesIn(body).includes('SAME'));
		expect(withSame).toHaveLength(4);
		expect(mostAtOnce(withSame)).toBe(1);
		expect(mostAtOnce(creations())).toBeGreaterThan(2);
		expect(linksOf(items)).toEqual([...orders.keys()]);
		expect(new Set(valuesOf(items, 'id')).size).toBe(12);
	});

	test('are not sent after a wrong credential, and those under way have their results', async () => {
		failCreation({ kind: 'status', status: 401 });
		failCreation({ kind: 'latency', ms: 200, times: Infinity, skip: 1 });
		const { items, errorItems } = await shop.create(ordersOf(...numbered(10)), { batchSize: 1 });
		expect(creations()).toHaveLength(4);
		expect(items).toHaveLength(3);
		expect(valuesOf(errorItems, 'error')).toEqual(
			Array(7).fill('The service refused the credential (401)'),
		);
		expect(shop.shipments()).toHaveLength(3);
	});
});

test('a session that expires between two requests causes one sign-in and no extra shipment', async () => {
	const signedIn = await startEngine(sandboxCredential(shop.sandbox.url, 'signIn'));
	failCreation({ kind: 'status', status: 401, skip: 1 });
	const { items } = await signedIn.run({
		parameters: creationForm({ batchSize: 1, maxConcurrency: 1 }),
		items: ordersOf('A-1', 'A-2'),
	});
	expect(valuesOf(items, 'id')).toEqual([1001, 1002]);
	expect(shop.sandbox.signIns).toBe(2);
	expect(shop.sentReferences()).toEqual(['A-1', 'A-2', 'A-2']);
});

describe('A service that limits the rate', () => {
	test('with Retry-After: 2 gets the next request after two seconds', async () => {
		failCreation({ kind: 'rateLimit', retryAfter: '2' });
		const { items } = await shop.create(ordersOf('A-1'));
		const [first, second, ...more] = creations();
		expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2_000);
		expect(more).toEqual([]);
		expect(valuesOf(items, 'id')).toEqual([1001]);
	});

	test.each([
		['429', { kind: 'rateLimit' }, 'The service is rate-limiting requests (429)'],
		[
			'503',
			{ kind: 'status', status: 503, retryAfter: '0' },
			'The service is temporarily unavailable (503)',
		],
	] as const)(
		'and never stops (%s) fails the orders after Max Retry Wait',
		async (_, fault, error) => {
			failCreation({ ...fault, times: Infinity });
			const started = Date.now();
			const options = { batchSize: 1, maxRetryWait: 800 };
			const { errorItems } = await shop.create(ordersOf(...numbered(20)), options);
			expect(Date.now() - started).toBeLessThan(5_000);
			expect(valuesOf(errorItems, 'error')).toEqual(Array(20).fill(error));
			expect(errorItems[0]?.json.message).toContain('Max Retry Wait (0.8 s)');
			expect(new Set(shop.sentReferences()).size).toBe(4);
		},
	);
});

test('stopping the workflow ends a large run between two requests', async () => {
	let stop = () => {};
	const stopNow = (response: unknown) => {
		stop();
		return response;
	};
	shop.rewrite('createShipments', stopNow, { skip: 2 });
	const options = { batchSize: 1, maxConcurrency: 1 };
	const orders = ordersOf(...numbered(20));
	await shop.create(orders, options, { onStart: (stopRun) => (stop = stopRun) }).catch(() => {});
	// The same order waits until the stopped run has ended.
	await shop.create(orders.slice(-1));
	expect(shop.sentReferences()).toEqual(['A-0', 'A-1', 'A-2', 'A-19']);
});

test('if a worker is killed and the shop sends all orders again, each exists once', async () => {
	const orders = ['ANT', 'BEAVER', 'CRANE', 'ANT', 'ANT'].map((carrier, index) =>
		orderOf(carrier, `A-${index}`),
	);
	// The orders that the killed worker had sent exist, without any record of it in n8n.
	await shop.create(orders.slice(0, 3), { batchSize: 2 });
	const again = await startEngine(sandboxCredential(shop.sandbox.url));
	const { items } = await again.run({ parameters: creationForm({ batchSize: 2 }), items: orders });
	expect(linksOf(items)).toEqual([0, 1, 2, 3, 4]);
	expect(valuesOf(items, 'alreadyExisted')).toEqual([true, true, true, false, false]);
	expect(shop.references().sort()).toEqual(numbered(5));
});

test('two executions with the same orders at the same moment create each order once', async () => {
	failCreation({ kind: 'latency', ms: 60, times: Infinity });
	const references = [
		['A-1', 'A-2', 'A-3'],
		['A-3', 'A-2', 'A-1'],
		['A-2', 'B-1'],
	];
	const runs = await Promise.all(references.map(async (each) => shop.create(ordersOf(...each))));
	expect(shop.references().sort()).toEqual(['A-1', 'A-2', 'A-3', 'B-1']);
	expect(runs.map(({ items }) => items.length)).toEqual([3, 3, 2]);
});
