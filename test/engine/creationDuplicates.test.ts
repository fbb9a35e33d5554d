import fc from 'fast-check';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { type Engine, type RunResult, startEngine } from '../support/engine';
import { Reached } from '../support/reached';
import { SERVICE_KINDS, type ServiceKind, SERVICES } from '../support/services';
import { creationForm, orderItem } from '../support/shop';

// Two n8n processes share no lock. Neither do two runs in one process that use different origins.

interface Workers {
	sandbox: Sandbox;
	first: Engine;
	second: Engine;
}

async function startWorkers(options: SandboxOptions = {}): Promise<Workers> {
	const sandbox = await startSandbox(options);
	const byName = sandbox.url.replace('127.0.0.1', 'localhost');
	return {
		sandbox,
		first: await startEngine(sandboxCredential(sandbox.url)),
		second: await startEngine(sandboxCredential(byName)),
	};
}

/** Services of the documented dialect create shipments at the address of the carrier. */
const creationAt = (kind: ServiceKind) =>
	kind === 'documented' ? 'createShipmentsOfCarrier' : 'createShipments';

const living = (sandbox: Sandbox) =>
	sandbox.database.shipments().filter(({ canceled }) => !canceled);
const livingIds = (sandbox: Sandbox) => living(sandbox).map(({ id }) => id);
const idsIn = ({ items }: RunResult) => items.map(({ json }) => json.id);
const create = async (engine: Engine, items = [orderItem('D-1')], options = {}) =>
	engine.run({
		parameters: creationForm({ maxRetryWait: 400, ...options }),
		items,
		onError: 'continueRegularOutput',
	});

describe.each(SERVICE_KINDS)('If two processes create an order at the same moment (%s)', (kind) => {
	let workers: Workers;
	beforeAll(async () => {
		workers = await startWorkers(SERVICES[kind]);
	});
	afterEach(() => workers.sandbox.reset());
	afterAll(async () => workers.sandbox.close());

	/** Both look up before either creates. */
	async function createTogether(order = orderItem('D-1')): Promise<[RunResult, RunResult]> {
		const { sandbox, first, second } = workers;
		sandbox.fault({ operation: creationAt(kind), kind: 'latency', ms: 250, times: 2 });
		return await Promise.all([create(first, [order]), create(second, [order])]);
	}

	test('one shipment stays, and both runs return it', async () => {
		const [one, other] = await createTogether();
		const [kept] = livingIds(workers.sandbox);
		expect(workers.sandbox.database.shipments()).toHaveLength(2);
		expect(livingIds(workers.sandbox)).toHaveLength(1);
		expect([idsIn(one), idsIn(other)]).toEqual([[kept], [kept]]);
		const canceled = [one, other].filter(({ items: [item] }) => item?.json.canceledDuplicate);
		expect(canceled).toHaveLength(1);
		expect(canceled[0]?.items[0]?.json).toMatchObject({ alreadyExisted: true });
		expect(canceled[0]?.hints.join()).not.toContain('Nothing was sent');
		expect(canceled[0]?.hints.join()).toContain('Another run created 1 order at the same moment');
	});

	test('all pieces of one shipment stay', async () => {
		const [one, other] = await createTogether(orderItem('D-1', { pieceCount: 3 }));
		expect(livingIds(workers.sandbox)).toHaveLength(3);
		expect(idsIn(one)).toEqual(livingIds(workers.sandbox));
		expect(idsIn(other)).toEqual(livingIds(workers.sandbox));
	});
});

describe('If another process has created the order meanwhile', () => {
	let workers: Workers;
	beforeAll(async () => {
		workers = await startWorkers();
	});
	afterEach(() => workers.sandbox.reset());
	afterAll(async () => workers.sandbox.close());

	/** Another process creates the order between the look-up and the creation, and does not check. */
	function otherCreates({ times = 1, isCanceled = false } = {}): void {
		const { sandbox } = workers;
		const rewrite = (answer: unknown) => {
			for (let count = 0; count < times; count++) {
				const [other] = sandbox.seedShipments(1, { packageNumberCustom: 'D-1', hoursAgo: 0 });
				if (isCanceled) sandbox.cancelShipment(other?.id ?? 0);
			}
			return answer;
		};
		sandbox.fault({ operation: 'findShipments', kind: 'body', rewrite: rewrite as never });
	}

	test('and another one as well, the oldest stays and this run cancels only its own', async () => {
		otherCreates({ times: 2 });
		const { items } = await create(workers.first);
		const [oldest, later, own] = workers.sandbox.database.shipments();
		expect(livingIds(workers.sandbox)).toEqual([oldest?.id, later?.id]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{
				id: oldest?.id,
				alreadyExisted: true,
				canceledDuplicate: { id: own?.id, packageNumberCarrier: own?.packageNumberCarrier },
				duplicates: [{ id: later?.id }],
			},
		]);
	});

	test('and canceled it, the own one stays', async () => {
		otherCreates({ isCanceled: true });
		const { items } = await create(workers.first);
		const [, own] = workers.sandbox.database.shipments();
		expect(livingIds(workers.sandbox)).toEqual([own?.id]);
		expect(items[0]?.json).toMatchObject({ id: own?.id, alreadyExisted: false });
		expect(items[0]?.json).not.toHaveProperty('canceledDuplicate');
	});

	test('and the answer to the cancellation is lost, the records show that it is canceled', async () => {
		otherCreates();
		workers.sandbox.fault({ operation: 'cancelShipments', kind: 'reset', when: 'after' });
		const { items } = await create(workers.first);
		expect(items[0]?.json).toMatchObject({ alreadyExisted: true, canceledDuplicate: {} });
		expect(livingIds(workers.sandbox)).toEqual(idsIn({ items } as RunResult));
		const cancellations = workers.sandbox.requests.filter(
			({ operationId }) => operationId === 'cancelShipments',
		);
		expect(cancellations).toHaveLength(1);
	});

	test('and another order makes n8n try again, the retry says the same', async () => {
		otherCreates();
		const bad = orderItem('D-0', { serviceType: 'ANT-POINT', branchId: 'NOWHERE' });
		const { items } = await workers.first.run({
			parameters: creationForm(),
			items: [bad, orderItem('D-1')],
			onError: 'continueRegularOutput',
			tries: 2,
		});
		const [older, own] = workers.sandbox.database.shipments();
		expect(livingIds(workers.sandbox)).toEqual([older?.id]);
		expect(items[1]?.json).toMatchObject({ id: older?.id, canceledDuplicate: { id: own?.id } });
	});

	test('and a piece of the own one was refused, both stay', async () => {
		otherCreates();
		workers.sandbox.fault({
			operation: 'createShipments',
			kind: 'body',
			rewrite: ((answer: { result: object[] }) => ({
				...answer,
				result: [answer.result[0], { ...answer.result[1], id: 0, statusCode: 400 }],
			})) as never,
		});
		const { items } = await create(workers.first, [orderItem('D-1', { pieceCount: 2 })]);
		const [older, own] = workers.sandbox.database.shipments();
		expect(livingIds(workers.sandbox).slice(0, 2)).toEqual([older?.id, own?.id]);
		expect(items[0]?.json).toMatchObject({ id: own?.id, alreadyExisted: false });
	});

	test('and the service refuses to cancel, the item and a hint name both', async () => {
		otherCreates();
		workers.sandbox.fault({ operation: 'cancelShipments', kind: 'status', status: 500, times: 9 });
		const { items, hints } = await create(workers.first);
		const [older, own] = workers.sandbox.database.shipments();
		expect(items[0]?.json).toMatchObject({
			id: own?.id,
			alreadyExisted: false,
			duplicateOf: { id: older?.id, reason: expect.any(String) },
		});
		expect(hints.join()).toMatch(/1 order has more than one shipment: D-1 \(item 0, also ID \d+/);
	});

	test('and Check for Duplicates is off, nothing is checked', async () => {
		otherCreates();
		await create(workers.first, undefined, { checkForDuplicates: false });
		expect(livingIds(workers.sandbox)).toHaveLength(2);
		const operations = workers.sandbox.requests.map(({ operationId }) => operationId);
		expect(operations.slice(-2)).toEqual(['findShipments', 'createShipments']);
	});

	test('and the records cannot be read, the created shipment is returned with a hint', async () => {
		const { sandbox, first } = workers;
		sandbox.fault({ operation: 'findShipments', kind: 'status', skip: 1, times: 9 });
		const { items, hints } = await create(first);
		expect(idsIn({ items } as RunResult)).toEqual(livingIds(sandbox));
		expect(hints.join()).toContain('could not check whether another run created the same orders');
	});
});

test('Two shipments of an order are named as duplicates, also if another order makes n8n try again', async () => {
	const { sandbox, first } = await startWorkers();
	for (const hoursAgo of [2, 1]) sandbox.seedShipments(1, { packageNumberCustom: 'D-1', hoursAgo });
	const bad = orderItem('D-0', { serviceType: 'ANT-POINT', branchId: 'NOWHERE' });
	const { items, hints } = await first.run({
		parameters: creationForm({ ifDiffers: 'reuse' }),
		items: [bad, orderItem('D-1')],
		onError: 'continueRegularOutput',
		tries: 2,
	});
	const [older, later] = livingIds(sandbox);
	const creations = sandbox.requests.filter(({ operationId }) => operationId === 'createShipments');
	expect(creations).toHaveLength(2);
	expect(items[1]?.json).toMatchObject({ id: older, duplicates: [{ id: later }] });
	expect(hints.join()).toContain(`D-1 (item 1, also ID ${later})`);
	await sandbox.close();
});

test('A service without cancellations gets no second attempt, and the item says which is the older one', async () => {
	const workers = await startWorkers({ withoutExtras: true });
	const { sandbox, first, second } = workers;
	sandbox.fault({ operation: 'createShipments', kind: 'latency', ms: 250, times: 2 });
	const runs = await Promise.all([create(first), create(second)]);
	const [older] = livingIds(sandbox);
	const doubled = runs.flatMap(({ items }) => items).filter(({ json }) => json.duplicateOf);
	expect(doubled.map(({ json }) => json)).toMatchObject([
		{
			alreadyExisted: false,
			duplicateOf: { id: older, reason: expect.stringContaining('not offer') },
		},
	]);
	await sandbox.close();
});

const ORDINARY_RUNS = 12;
const RUNS = Number(process.env.DOUBLE_RUNS ?? ORDINARY_RUNS);

const reached = new Reached([
	'no double',
	'double canceled',
	'lost creation read back',
	'answer to the cancellation lost',
]);
let played = 0;

test.each(SERVICE_KINDS)(
	'Whatever the order of the requests and whichever answers are lost, no order has two living shipments (%s)',
	async (kind) => {
		const { sandbox, first, second } = await startWorkers(SERVICES[kind]);
		const latency = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 8, maxLength: 8 });
		const scenario = fc.record({
			find: latency,
			create: latency,
			orders: fc.integer({ min: 1, max: 4 }),
			startsLaterMs: fc.integer({ min: 0, max: 40 }),
			lostCreations: fc.array(fc.integer({ min: 0, max: 1 }), { maxLength: 1 }),
			isCancellationLost: fc.boolean(),
		});
		let doubled = 0;
		const play = async ({
			find,
			create: creation,
			orders,
			...rest
		}: typeof scenario extends fc.Arbitrary<infer S> ? S : never) => {
			sandbox.reset();
			played++;
			for (const ms of find) sandbox.fault({ operation: 'findShipments', kind: 'latency', ms });
			for (const skip of rest.lostCreations) {
				sandbox.fault({ operation: creationAt(kind), kind: 'reset', when: 'after', skip });
			}
			for (const ms of creation)
				sandbox.fault({ operation: creationAt(kind), kind: 'latency', ms });
			if (rest.isCancellationLost) {
				sandbox.fault({ operation: 'cancelShipments', kind: 'reset', when: 'after' });
			}
			const items = Array.from({ length: orders }, (_, index) => orderItem(`D-${index}`));
			const later = new Promise((resolve) => setTimeout(resolve, rest.startsLaterMs));
			const runs = await Promise.all([
				create(first, items),
				later.then(async () => create(second, items)),
			]);
			const created = sandbox.database.shipments().length;
			if (created > orders) doubled++;
			const rows = runs.flatMap(({ items: each }) => each.map(({ json }) => json));
			const isCanceled = rows.some(({ canceledDuplicate }) => canceledDuplicate);
			reached.note('no double', created === orders);
			reached.note('double canceled', isCanceled);
			reached.note(
				'lost creation read back',
				rows.some(({ recovered }) => recovered),
			);
			reached.note('answer to the cancellation lost', isCanceled && rest.isCancellationLost);
			const references = living(sandbox).map(({ input }) => input.packageNumberCustom);
			expect([...references].sort()).toEqual(items.map((item) => item.packageNumberCustom));
			const returned = runs.flatMap(idsIn).filter((id) => id !== undefined);
			expect(livingIds(sandbox)).toEqual(expect.arrayContaining(returned));
		};
		await fc.assert(fc.asyncProperty(scenario, play), { numRuns: RUNS });
		await sandbox.close();
		// Otherwise the scenarios would prove nothing.
		expect(doubled).toBeGreaterThan(RUNS / 5);
	},
	600_000,
);

test('The random scenarios above reach each case', () => {
	const ordinaryRuns = ORDINARY_RUNS * SERVICE_KINDS.length;
	reached.expectAll({ runs: played, ordinaryRuns });
});
