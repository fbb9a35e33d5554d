import { startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { creationForm, orderItem, orderOf } from '../support/shop';

import { type Sandbox, startSandbox } from '../../sandbox';

/** Each test has a service of its own, because this process remembers what a service offers. */
let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox();
});
afterEach(async () => {
	jest.restoreAllMocks();
	await sandbox.close();
});

const engineFor = async (change = {}) =>
	await startEngine({ ...sandboxCredential(sandbox.url), ...change });

function countOffers(): number {
	const offers = ['findCarriers', 'findServices'];
	return sandbox.requests.filter(({ operationId }) => offers.includes(operationId ?? '')).length;
}

test('A second order asks neither for carriers nor for services', async () => {
	const engine = await engineFor();
	await engine.run({ parameters: creationForm(), items: [orderItem('A-1')] });
	sandbox.requests.length = 0;
	const { items } = await engine.run({ parameters: creationForm(), items: [orderItem('A-2')] });
	expect(items[0]?.json).toMatchObject({ packageNumberCustom: 'A-2', statusCode: 200 });
	expect(sandbox.requests.map(({ operationId }) => operationId)).toEqual([
		'findShipments',
		'createShipments',
		// The check for duplicates.
		'findShipments',
	]);
});

describe('The first order, which comes alone,', () => {
	const operations = () => sandbox.requests.map(({ operationId }) => operationId);

	test('is not created if its carrier does not offer the service', async () => {
		const engine = await engineFor();
		const { errorItems } = await engine.run({
			parameters: creationForm(),
			items: [orderItem('A-1', { serviceType: 'ANT-NONE' })],
			onError: 'continueErrorOutput',
		});
		expect(errorItems).toHaveLength(1);
		expect(operations()).not.toContain('createShipments');
	});

	test('is not created if it exists already, or if that is unknown', async () => {
		const engine = await engineFor();
		const run = {
			parameters: creationForm({ maxRetryWait: 0, ifDiffers: 'reuse' }),
			items: [orderItem('A-1')],
			onError: 'continueErrorOutput' as const,
		};
		sandbox.fault({ operation: 'findShipments', kind: 'status', status: 400 });
		const unknown = await engine.run(run);
		expect(unknown.errorItems).toHaveLength(1);
		sandbox.seedShipments(1, { packageNumberCustom: 'A-1', hoursAgo: 1 });
		const existing = await engine.run(run);
		expect(existing.items[0]?.json).toMatchObject({ alreadyExisted: true });
		expect(operations()).not.toContain('createShipments');
	});

	test('is created once if two executions get it', async () => {
		sandbox.fault({ operation: 'findCarriers', kind: 'latency', ms: 100, times: 2 });
		const engine = await engineFor();
		const runs = await Promise.all(
			[1, 2].map(async () => engine.run({ parameters: creationForm(), items: [orderItem('A-1')] })),
		);
		const existed = runs.map(({ items: [item] }) => item?.json.alreadyExisted);
		expect(existed.sort()).toEqual([false, true]);
		expect(operations().filter((each) => each === 'createShipments')).toHaveLength(1);
	});
});

test('Two orders at the same moment ask once', async () => {
	const engine = await engineFor();
	await Promise.all(
		['A-1', 'A-2', 'A-3'].map(async (reference) =>
			engine.run({ parameters: creationForm(), items: [orderItem(reference)] }),
		),
	);
	expect(sandbox.database.shipments()).toHaveLength(3);
	expect(countOffers()).toBe(2);
});

test('Another account asks for itself', async () => {
	const first = await engineFor();
	const second = await engineFor({ allowedHttpRequestDomains: 'all' });
	for (const engine of [first, second]) {
		await engine.run({ parameters: creationForm({ dryRun: true }), items: [orderItem('A-1')] });
	}
	expect(countOffers()).toBe(4);
});

test('After ten minutes an order asks again', async () => {
	const engine = await engineFor();
	const now = Date.now();
	const clock = jest.spyOn(Date, 'now');
	const counts: number[] = [];
	for (const minutes of [0, 9, 11]) {
		clock.mockReturnValue(now + minutes * 60_000);
		const run = { parameters: creationForm({ dryRun: true }), items: [orderItem('A-1')] };
		await engine.run(run);
		counts.push(countOffers());
	}
	expect(counts).toEqual([2, 2, 4]);
});

test('An order for a carrier that was activated a moment ago is created', async () => {
	sandbox.setCarrierStatus('BEAVER', 'Inactive');
	const engine = await engineFor();
	const run = { parameters: creationForm(), onError: 'continueErrorOutput' as const };
	const before = await engine.run({ ...run, items: [orderOf('BEAVER', 'B-1')] });
	expect(before.errorItems[0]?.json.error).toContain('is not activated');

	sandbox.setCarrierStatus('BEAVER', 'Active');
	const after = await engine.run({ ...run, items: [orderOf('BEAVER', 'B-1')] });
	expect(after.items[0]?.json).toMatchObject({ packageNumberCustom: 'B-1', statusCode: 200 });
});

test('An order that is invalid for another reason does not ask again', async () => {
	const engine = await engineFor();
	const run = { parameters: creationForm({ dryRun: true }) };
	await engine.run({ ...run, items: [orderItem('A-1')] });
	await engine.run({ ...run, items: [orderItem('A-1', { recPhone: 'none' })] });
	expect(countOffers()).toBe(2);
});

test('An order does not fail because another execution was stopped while it asked', async () => {
	sandbox.fault({ operation: 'findCarriers', kind: 'latency', ms: 400 });
	const engine = await engineFor();
	const stopped = engine
		.run({
			parameters: creationForm(),
			items: [orderItem('A-1')],
			onStart: (stop) => setTimeout(stop, 150),
		})
		.catch(() => undefined);
	const { items } = await engine.run({ parameters: creationForm(), items: [orderItem('A-2')] });
	await stopped;
	expect(items[0]?.json).toMatchObject({ packageNumberCustom: 'A-2', statusCode: 200 });
	expect(sandbox.database.shipments()).toHaveLength(1);
});

test('Carrier: Get Many always asks, because somebody wants to see the current list', async () => {
	const engine = await engineFor();
	const list = { parameters: { resource: 'carrier', operation: 'getAll' } };
	await engine.run(list);
	sandbox.setCarrierStatus('BEAVER', 'Inactive');
	const { items } = await engine.run({ parameters: { ...list.parameters } });
	const beaver = items.find(({ json }) => json.code === 'BEAVER');
	expect(beaver?.json.status).toBe('Inactive');
});
