import { codesOf, MODES, setStage } from '../support/triggerStage';

import type { IDataObject } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';

const stage = setStage();

const SECOND_MS = 1_000;

/** Makes every response to `operation` take some time on the clock of the test. */
const slowDown = (operation: string, ms: number) =>
	stage.sandbox.fault({
		operation,
		kind: 'body',
		times: Infinity,
		rewrite: (body: unknown) => {
			stage.clock.nowMs += ms;
			return body;
		},
	} as never);

/** A service whose list records have only the documented fields, and so no carrier numbers. */
async function withDocumentedRecords(work: (sandbox: Sandbox) => Promise<void>): Promise<void> {
	const sandbox = await startSandbox({
		listRecords: 'documented',
		clock: { now: () => new Date(stage.clock.nowMs) },
	});
	try {
		await work(sandbox);
	} finally {
		await sandbox.close();
	}
}

const numbersOf = (bodies: IDataObject[]) => bodies.flatMap(({ packages }) => packages as string[]);

describe.each(MODES)('Too much for one poll, in the %s mode of n8n', (mode) => {
	test('shipments are requested in turns, within the time budget', async () => {
		stage.sandbox.seedShipments(2_000, { hoursAgo: 20 });
		const host = await stage.newHost(mode);
		host.budgetMs = 36 * SECOND_MS;
		await host.publish({ freshness: 'everyPoll', options: { maxConcurrency: 1 } });
		await stage.poll(host);
		// 20 requests of 4 seconds, while a poll in the durable mode has 36.
		slowDown('trackShipments', 4 * SECOND_MS);
		const turns: string[][] = [];
		for (let polls = 0; polls < 3; polls++) {
			const before = { nowMs: stage.clock.nowMs, asked: stage.asked('trackShipments').length };
			await host.tick();
			const budget = mode === 'durable' ? 36 : 300;
			expect(stage.clock.nowMs - before.nowMs).toBeLessThanOrEqual(budget * SECOND_MS);
			turns.push(numbersOf(stage.asked('trackShipments').slice(before.asked)));
		}
		const asked = turns.flat();
		if (mode === 'durable') {
			expect(turns[0]?.length).toBeLessThan(2_000);
			expect(new Set(asked.slice(0, 2_000)).size).toBe(2_000);
		} else {
			expect(turns.map(({ length }) => length)).toEqual([2_000, 2_000, 2_000]);
		}
	});

	test('a list that is too long for one poll is continued by the next one', async () => {
		stage.sandbox.seedShipments(1_500, { hoursAgo: 20 });
		const host = await stage.newHost(mode);
		await host.publish({});
		const starts = () => stage.asked('findShipments').map(({ start }) => start);
		expect(starts()).toHaveLength(15);

		stage.sandbox.requests.length = 0;
		for (let polls = 0; polls < 3; polls++) await stage.poll(host, 5);
		const pages = starts();
		expect(pages.filter((start) => start === 0)).toHaveLength(3);
		// In 15 of the 30 minutes in which it is read completely.
		expect(new Set(pages).size).toBe(10);
		expect(pages).toHaveLength(3 + 9);
		for (let polls = 0; polls < 2; polls++) await stage.poll(host, 5);
		expect(new Set(starts()).size).toBe(15);
	});

	test('numbers that the list does not contain are read once each', async () => {
		await withDocumentedRecords(async (sandbox) => {
			const [first] = sandbox.seedShipments(250, { hoursAgo: 20 });
			const host = await stage.newHost(mode);
			host.credential.data = sandboxCredential(sandbox.url);
			const details = () =>
				sandbox.requests.filter(({ operationId }) => operationId === 'getShipment').length;
			await host.publish({ includeShipment: false });
			expect(details()).toBe(250);
			await stage.poll(host);
			sandbox.addEvent(first?.packageNumberCarrier ?? '', { code: '701' });
			await stage.poll(host);
			expect(codesOf(host)).toEqual(['701']);
			expect(details()).toBe(250);
		});
	});
});

test('thousands of existing events are emitted in several executions', async () => {
	stage.sandbox.seedShipments(1_200, { hoursAgo: 20 });
	const host = await stage.newHost('default');
	await host.publish({ startFrom: 'existing', options: { maxConcurrency: 1 } });
	// Responses to requests that are already running when the limit is reached are emitted as well.
	const [first = 0] = host.executions.map(({ length }) => length);
	expect(first).toBeGreaterThanOrEqual(5_000);
	expect(first).toBeLessThan(6_000);
	await stage.poll(host);
	expect(host.executions.map(({ length }) => length)).toEqual([first, 6_000 - first]);
	expect(new Set(host.events.map(({ eventId }) => eventId)).size).toBe(6_000);
});

test.each<[string, number, boolean]>([
	['additional pieces, whose numbers only the detail of the main shipment contains,', 3, false],
	['shipments of a service that has details only at the short address', 1, true],
	['additional pieces of a service that has details only at the short address', 3, true],
])('%s are watched as well', async (_, pieceCount, hasOnlyShortAddress) => {
	await withDocumentedRecords(async (sandbox) => {
		const pieces = sandbox.seedShipments(1, { hoursAgo: 20, pieceCount });
		expect(pieces).toHaveLength(pieceCount);
		if (hasOnlyShortAddress) {
			sandbox.fault({ operation: 'getShipment', kind: 'status', status: 404, times: Infinity });
		}
		const host = await stage.newHost('default');
		host.credential.data = sandboxCredential(sandbox.url);
		await host.publish({});
		for (const [at, { packageNumberCarrier }] of pieces.entries()) {
			sandbox.addEvent(packageNumberCarrier, { code: `70${at}` });
		}
		await stage.poll(host);
		expect(codesOf(host).sort()).toEqual(['700', '701', '702'].slice(0, pieceCount));
	});
});

test('the trigger works in an n8n without a time budget for polls', async () => {
	const [shipment] = stage.sandbox.seedShipments(3, { hoursAgo: 20 });
	const host = await stage.newHost('default');
	host.knowsBudget = false;
	await host.publish({});
	stage.sandbox.addEvent(shipment?.packageNumberCarrier ?? '', { code: '701' });
	await stage.poll(host);
	expect(codesOf(host)).toEqual(['701']);
});

test('a shipment that was created too long ago is no longer requested, and emits nothing twice later', async () => {
	const [old] = stage.sandbox.seedShipments(1, { hoursAgo: 46 });
	stage.sandbox.setTracking('ANT', { lateHours: 1_000 });
	const host = await stage.newHost('default');
	const filters = { createdWithinDays: 2 };
	await host.publish({ filters });
	stage.sandbox.addEvent(old?.packageNumberCarrier ?? '', { code: '701' });
	await stage.poll(host);
	stage.clock.nowMs += 30 * 3_600 * SECOND_MS;
	await stage.poll(host);
	const asked = stage.asked('trackShipments').length;
	stage.sandbox.addEvent(old?.packageNumberCarrier ?? '', { code: '702' });
	await stage.poll(host);
	expect(stage.asked('trackShipments')).toHaveLength(asked);

	await host.republish('update', { filters: { createdWithinDays: 5 } });
	await stage.poll(host);
	expect(codesOf(host)).toEqual(['701', '702']);
});

test('10,000 shipments with ten events each: requests, time and state of a poll', async () => {
	stage.sandbox.setTracking('ANT', { lateHours: 10_000 });
	const shipments = stage.sandbox.seedShipments(10_000, { hoursAgo: 20 });
	for (const { packageNumberCarrier } of shipments) {
		for (let code = 701; code < 710; code++) {
			stage.sandbox.addEvent(packageNumberCarrier, { code: String(code) });
		}
	}
	const host = await stage.newHost('durable');
	const measured: Record<string, object> = {};
	const measure = async (name: string, work: () => Promise<void>) => {
		stage.sandbox.requests.length = 0;
		const startedMs = performance.now();
		const cpu = process.cpuUsage();
		await work();
		const { user, system } = process.cpuUsage(cpu);
		measured[name] = {
			requests: stage.sandbox.requests.length,
			seconds: round((performance.now() - startedMs) / 1_000),
			cpuSeconds: round((user + system) / 1e6),
			stateKilobytes: round(Buffer.byteLength(JSON.stringify(host.savedState ?? '')) / 1_000),
		};
	};
	await measure('first poll', () => host.publish({ events: ['all', 'noMovement'] }));
	await measure('second poll', () => stage.poll(host));
	stage.sandbox.addEvent(shipments[5_000]?.packageNumberCarrier ?? '', { code: '777' });
	await measure('poll with an event', () => stage.poll(host));
	console.table(measured);

	expect(codesOf(host)).toEqual(['777']);
	expect(measured['first poll']).toMatchObject({ requests: 200 });
	// The first page, some more pages of the list, and a hundred requests with a hundred numbers each.
	expect(stage.sandbox.requests.length).toBeLessThanOrEqual(115);
	expect(Buffer.byteLength(JSON.stringify(host.savedState))).toBeLessThan(1_500_000);
	expect(measured['second poll']).toHaveProperty('seconds', expect.any(Number));
	expect((measured['second poll'] as { seconds: number }).seconds).toBeLessThan(20);
}, 120_000);

function round(value: number): number {
	return Math.round(value * 100) / 100;
}
