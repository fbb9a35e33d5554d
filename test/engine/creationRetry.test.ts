import { type Engine, startEngine } from '../support/engine';
import { newAccount, sandboxCredential } from '../support/credentials';
import { linksOf } from '../support/outputs';
import { creationForm, orderItem, orderOf } from '../support/shop';

import { type Sandbox, startSandbox } from '../../sandbox';

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
const sentReferences = () =>
	creations().flatMap(({ body }) =>
		(body as Array<{ packageNumberCustom: string }>).map((order) => order.packageNumberCustom),
	);
const bookedLabels = () =>
	sandbox.database.shipments().map(({ packageNumberCustom }) => packageNumberCustom);
const idsOf = (items: Array<{ json: object }>) =>
	items.map(({ json }) => (json as { id: number }).id);

/** Refused by the carrier, not by the node. */
const bad = { serviceType: 'ANT-POINT', branchId: 'NOWHERE' };
/** Short waits keep the tests fast. */
const SWIFT = { timeout: 150, maxRetryWait: 300 };

describe('Retry On Fail', () => {
	const orders = [orderItem('A-1', bad), orderItem('A-2'), orderItem('A-3')];

	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'sends each good order once although the first one is refused in every try (%s)',
		async (onError) => {
			const { items, errorItems, error } = await engine.run({
				parameters: creationForm(),
				items: orders,
				tries: 3,
				onError,
			});
			expect(sentReferences()).toEqual(['A-1', 'A-2', 'A-3', 'A-1', 'A-1']);
			expect(bookedLabels()).toEqual(['A-2', 'A-3']);
			if (onError === 'stopWorkflow') {
				expect(error?.description).toContain('A-2 (ID 1001');
				expect(error?.description).toContain('A-3 (ID 1002');
			} else {
				const good = items.filter(({ json }) => json.id);
				expect(idsOf(good)).toEqual([1001, 1002]);
				expect(good.map(({ json }) => json.alreadyExisted)).toEqual([false, false]);
				expect(linksOf([...items, ...errorItems]).sort()).toEqual([0, 1, 2]);
			}
		},
	);

	test('does not repeat the first request if the second fails, and still outputs its shipments', async () => {
		sandbox.fault({ operation: 'createShipments', kind: 'status', status: 400, skip: 1 });
		const { items, error } = await engine.run({
			parameters: creationForm({ batchSize: 1, maxConcurrency: 1 }),
			items: [orderItem('A-1'), orderItem('A-2'), orderItem('A-3')],
			tries: 2,
		});
		expect(error).toBeUndefined();
		expect(sentReferences()).toEqual(['A-1', 'A-2', 'A-3', 'A-2']);
		expect(items.map(({ json }) => json.packageNumberCustom)).toEqual(['A-1', 'A-2', 'A-3']);
	});

	test('does not send an order with an unknown outcome again, even without a look-up', async () => {
		sandbox.fault({ operation: 'createShipments', kind: 'reset' });
		const { error } = await engine.run({
			parameters: creationForm({ ...SWIFT, ifExists: 'create' }),
			items: [orderItem('A-1')],
			tries: 3,
		});
		expect(error?.message).toContain('Could not confirm whether');
		expect(creations()).toHaveLength(1);
	});

	test('finds shipments in the second try that appeared after the first', async () => {
		sandbox.fault({ operation: 'createShipments', kind: 'latency', ms: 450 });
		const { items, error } = await engine.run({
			parameters: creationForm({ timeout: 150, maxRetryWait: 200 }),
			items: [orderItem('A-1')],
			tries: 2,
		});
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ id: 1001, recovered: true });
		expect(creations()).toHaveLength(1);
	});

	test('reports the created shipments although the second try cannot read the carriers', async () => {
		sandbox.fault({
			operation: 'createShipments',
			kind: 'body',
			rewrite: (answer) => {
				// What the first try has read is not used any more.
				engine.credential.data = newAccount(sandbox.url);
				sandbox.fault({ operation: 'findCarriers', kind: 'html', times: Infinity });
				return answer;
			},
		});
		const { error } = await engine.run({
			parameters: creationForm(),
			items: orders,
			tries: 2,
		});
		expect(error?.message).toContain('The service returned a web page instead of data');
		expect(error?.description).toContain('A-2 (ID 1001');
	});

	test('does not send an order again if its number contains the current time', async () => {
		const { items } = await engine.run({
			parameters: {
				...creationForm({ ifExists: 'create' }),
				shipment: {
					mappingMode: 'defineBelow',
					value: Object.fromEntries([
						...Object.keys(orderItem('')).map((name) => [name, `={{ $json.${name} }}`]),
						['branchId', '={{ $json.branchId }}'],
						['packageNumberCustom', '={{ $json.packageNumberCustom + $now.toMillis() }}'],
					]),
				},
			} as never,
			items: [orderItem('A-1', bad), orderItem('A-2')],
			tries: 3,
			onError: 'continueRegularOutput',
		});
		expect(sandbox.database.shipments()).toHaveLength(1);
		expect(idsOf(items)).toEqual([undefined, 1001]);
	});
});

test('a session that expires between two requests causes one sign-in and no extra shipment', async () => {
	const signedIn = await startEngine(sandboxCredential(sandbox.url, 'signIn'));
	sandbox.fault({ operation: 'createShipments', kind: 'status', status: 401, skip: 1 });
	const { items } = await signedIn.run({
		parameters: creationForm({ batchSize: 1, maxConcurrency: 1 }),
		items: [orderItem('A-1'), orderItem('A-2')],
	});
	expect(idsOf(items)).toEqual([1001, 1002]);
	expect(sandbox.signIns).toBe(2);
	expect(sentReferences()).toEqual(['A-1', 'A-2', 'A-2']);
});

describe('A service that limits the rate', () => {
	test('with Retry-After: 2 gets the next request after two seconds', async () => {
		sandbox.fault({ operation: 'createShipments', kind: 'rateLimit', retryAfter: '2' });
		const { items } = await engine.run({ parameters: creationForm(), items: [orderItem('A-1')] });
		const [first, second, ...more] = creations();
		expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2_000);
		expect(more).toEqual([]);
		expect(idsOf(items)).toEqual([1001]);
	});

	test('and never stops fails the unsent orders after Max Retry Wait', async () => {
		sandbox.fault({ operation: 'createShipments', kind: 'rateLimit', times: Infinity, skip: 1 });
		const started = Date.now();
		const { items, errorItems } = await engine.run({
			parameters: creationForm({ maxRetryWait: 800, batchSize: 1, maxConcurrency: 1 }),
			items: [orderItem('A-1'), orderItem('A-2'), orderItem('A-3')],
			onError: 'continueErrorOutput',
		});
		expect(Date.now() - started).toBeLessThan(3_000);
		expect(idsOf(items)).toEqual([1001]);
		expect(errorItems.map(({ json }) => json.error)).toEqual([
			'The service is rate-limiting requests (429)',
			'The service is rate-limiting requests (429)',
		]);
		expect(errorItems[0]?.json.message).toContain('would exceed Max Retry Wait (0.8 s)');
		expect(sentReferences()).not.toContain('A-3');
	});
});

test('stopping the workflow ends a large run between two requests', async () => {
	const references = Array.from({ length: 20 }, (_, index) => `A-${index}`);
	const items = references.map((reference) => orderItem(reference));
	let stop = () => {};
	sandbox.fault({
		operation: 'createShipments',
		kind: 'body',
		skip: 2,
		rewrite: (answer) => {
			stop();
			return answer;
		},
	});
	const parameters = creationForm({ batchSize: 1, maxConcurrency: 1 });
	await engine.run({ parameters, items, onStart: (stopRun) => (stop = stopRun) }).catch(() => {});
	// The same order waits until the stopped run has ended.
	await engine.run({ parameters, items: items.slice(-1) });
	expect(sentReferences()).toEqual([...references.slice(0, 3), references.at(-1)]);
});

test('if a worker is killed and the shop sends all orders again, each exists once', async () => {
	const orders = ['ANT', 'BEAVER', 'CRANE', 'ANT', 'ANT'].map((carrier, index) =>
		orderOf(carrier, `A-${index}`),
	);
	// The orders that the killed worker had sent exist, without any record of it in n8n.
	await engine.run({ parameters: creationForm({ batchSize: 2 }), items: orders.slice(0, 3) });
	const again = await startEngine(sandboxCredential(sandbox.url));
	const { items } = await again.run({ parameters: creationForm({ batchSize: 2 }), items: orders });
	expect(linksOf(items)).toEqual([0, 1, 2, 3, 4]);
	expect(items.map(({ json }) => json.alreadyExisted)).toEqual([true, true, true, false, false]);
	expect(bookedLabels().sort()).toEqual(['A-0', 'A-1', 'A-2', 'A-3', 'A-4']);
});

test('two executions with the same orders at the same moment create each order once', async () => {
	sandbox.fault({ operation: 'createShipments', kind: 'latency', ms: 60, times: Infinity });
	const references = ['A-1', 'A-2', 'A-3'];
	const run = async (ordered: string[]) =>
		engine.run({
			parameters: creationForm(),
			items: ordered.map((reference) => orderItem(reference)),
		});
	const runs = await Promise.all([
		run(references),
		run([...references].reverse()),
		run(['A-2', 'B-1']),
	]);
	expect(bookedLabels().sort()).toEqual(['A-1', 'A-2', 'A-3', 'B-1']);
	expect(runs.map(({ items }) => items.length)).toEqual([3, 3, 2]);
});
