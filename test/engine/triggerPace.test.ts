import { codesOf, MODES, setStage } from '../support/triggerStage';

import { prepareTrigger } from '../../bench/variants/pollContext';
import { type Sandbox, startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { startEngine } from '../support/engine';

const stage = setStage();

const HOUR_MS = 3_600_000;

// The carrier's own events are late in these tests, so that only added events count.
beforeEach(() => {
	for (const carrier of ['ANT', 'BEAVER'])
		stage.sandbox.setTracking(carrier, { lateHours: 10_000 });
});

/** Shipments whose latest event happened some hours ago. */
const seed = (count: number, category: string, hours: number, serviceType = 'ANT-HOME') => {
	const date = new Date(stage.clock.nowMs - hours * HOUR_MS).toISOString();
	const numbers = stage.seed(count, { serviceType, hoursAgo: hours + 40 });
	for (const number of numbers) stage.add(number, '700', { category, date });
	return numbers;
};
const timesRequested = (number: string | undefined, from = 0) =>
	stage
		.requested()
		.slice(from)
		.filter((numbers) => numbers.includes(number ?? '')).length;
const requests = () => stage.sandbox.requests.length;

describe('A shipment', () => {
	test.each([
		['on its way', 10, 'TransitCarrier', 5],
		['ready for pickup', 15, 'TransitReady', 5],
		['without an event for two days', 30, 'TransitCarrier', 60],
		['returned to the sender', 60, 'DeliveredBack', 5],
	])('%s is checked every %i minutes, and then in every poll', async (_, pace, category, hours) => {
		const [number] = seed(1, category, hours);
		const host = await stage.publish('default');
		const from = stage.requested().length;
		await stage.pollTimes(2 * pace, host);
		// The first time comes anywhere within the pace.
		expect(timesRequested(number, from)).toBeGreaterThanOrEqual(2);
		expect(timesRequested(number, from)).toBeLessThanOrEqual(3);
		stage.add(number, '701');
		await stage.pollTimes(pace, host);
		expect(codesOf(host)).toEqual(['701']);
		// Returned ones stay at an hour.
		if (category === 'DeliveredBack') return;
		stage.add(number, '702');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '702']);
	});

	test('whose days without movement are over is checked first, so that a newer event counts', async () => {
		const [moved, inactive] = seed(2, 'TransitCarrier', 47.9);
		const form = { events: ['all', 'noMovement'], daysWithoutMovement: 2 };
		const host = await stage.publish('default', form);
		await stage.poll(host, 5);
		stage.add(moved, '701');
		await stage.poll(host);
		expect(host.events).toMatchObject([
			{ eventGroup: 'inTransit', packageNumberCarrier: moved },
			{ eventGroup: 'noMovement', packageNumberCarrier: inactive },
		]);
	});
});

describe('Max Requests per Poll', () => {
	const form = { includeShipment: false, freshness: 'everyPoll' };

	test('limits every poll, also the first, and every shipment gets its turn', async () => {
		const ants = seed(900, 'TransitCarrier', 1);
		const numbers = [...ants, ...seed(150, 'TransitCarrier', 1, 'BEAVER-PARCEL')];
		const options = { startFrom: 'existing', maxRequestsPerPoll: 10 };
		const host = await stage.publish('default', { ...form, options });
		expect(requests()).toBe(10);
		for (let polls = 0; polls < 8; polls++) {
			const before = requests();
			await stage.poll(host);
			expect(requests() - before).toBeLessThanOrEqual(10);
		}
		expect(new Set(stage.requested().flat())).toEqual(new Set(numbers));
		const from = stage.requested().length;
		await stage.pollTimes(10, host);
		const times = numbers.map((number) => timesRequested(number, from));
		expect(Math.min(...times)).toBeGreaterThanOrEqual(3);
		expect(codesOf(host)).toHaveLength(2 * 1_050);
		expect(host.failures).toEqual([]);
	});
});

describe.each(MODES)('After the service has limited requests, in the %s mode of n8n', (mode) => {
	const publish = async (parameters = {}) => {
		const numbers = seed(3, 'TransitCarrier', 1);
		const host = await stage.publish(mode, parameters);
		await stage.poll(host);
		return { host, number: numbers[0] };
	};

	test('the trigger sends nothing for the time that it asked for, and loses no event', async () => {
		const { host, number } = await publish();
		stage.add(number, '701');
		stage.sandbox.fault({ operation: 'trackShipments', kind: 'rateLimit', retryAfter: '300' });
		await stage.poll(host);
		const sent = requests();
		await stage.pollTimes(4, host);
		expect(requests()).toBe(sent);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701']);
		expect(host.failures).toHaveLength(1);
	});
});

test('the trigger also pauses if the service has limited an action node with the same credential', async () => {
	seed(3, 'TransitCarrier', 1);
	const engine = await startEngine(sandboxCredential(stage.sandbox.url));
	const trigger = (await prepareTrigger(stage.sandbox.url))();
	await trigger.poll();
	stage.sandbox.fault({ operation: '*', kind: 'rateLimit', retryAfter: '90' });
	const { error } = await engine.run({
		parameters: { resource: 'carrier', operation: 'getAll', options: { maxRetryWait: 0 } },
	});
	expect(error?.message).toContain('rate-limiting');
	const sent = requests();
	stage.clock.nowMs += 60_000;
	await trigger.poll();
	expect(requests()).toBe(sent);
	stage.clock.nowMs += 60_000;
	await trigger.poll();
	expect(requests()).toBeGreaterThan(sent);
});

test.each(MODES)(
	'in the %s mode, shipments are requested in turns, within the time budget of n8n',
	async (mode) => {
		stage.seed(2_000);
		const form = { freshness: 'everyPoll', options: { maxConcurrency: 1 } };
		const host = await stage.publish(mode, form);
		await stage.poll(host);
		const from = stage.requested().length;
		// 20 requests of 4 seconds, while a poll in the durable mode has 36.
		stage.rewrite('trackShipments', () => (stage.clock.nowMs += 4_000));
		const isDurable = mode === 'durable';
		for (let polls = 0; polls < 3; polls++) {
			const startedMs = stage.clock.nowMs;
			await host.tick();
			expect(stage.clock.nowMs - startedMs).toBeLessThanOrEqual(isDurable ? 36_000 : 300_000);
		}
		const turns = stage.requested().slice(from).flat();
		expect(new Set(turns.slice(0, 2_000)).size).toBe(2_000);
		if (!isDurable) expect(turns).toHaveLength(6_000);
	},
);

test('thousands of existing events are emitted in several executions', async () => {
	stage.sandbox.setTracking('ANT', { lateHours: 0 });
	stage.seed(1_200);
	const form = { options: { startFrom: 'existing', maxConcurrency: 1 } };
	const host = await stage.publish('default', form);
	// Responses to requests that are already running when the limit is reached are emitted as well.
	const [first = 0] = host.executions.map(({ length }) => length);
	expect(first).toBeGreaterThanOrEqual(5_000);
	expect(first).toBeLessThan(6_000);
	await stage.poll(host);
	expect(host.executions.map(({ length }) => length)).toEqual([first, 6_000 - first]);
	expect(new Set(host.events.map(({ eventId }) => eventId)).size).toBe(6_000);
});

describe('At a service whose list has no carrier numbers', () => {
	let sandbox: Sandbox;
	beforeEach(async () => {
		const clock = { now: () => new Date(stage.clock.nowMs) };
		sandbox = await startSandbox({ listRecords: 'documented', clock });
	});
	afterEach(async () => sandbox.close());
	const publish = async () => {
		const host = await stage.newHost('default');
		host.credential.data = sandboxCredential(sandbox.url);
		await host.publish({ includeShipment: false });
		return host;
	};

	test('each number is read once', async () => {
		sandbox.seedShipments(250, { hoursAgo: 20 });
		const host = await publish();
		await stage.pollTimes(2, host);
		const details = sandbox.requests.filter(({ operationId }) => operationId === 'getShipment');
		expect(details).toHaveLength(250);
	});

	test.each<[string, number, boolean]>([
		['additional pieces', 3, false],
		['shipments whose details are only at the short address', 1, true],
		['additional pieces whose details are only at the short address', 3, true],
	])('%s are watched as well', async (_, pieceCount, hasOnlyShortAddress) => {
		const pieces = sandbox.seedShipments(1, { hoursAgo: 20, pieceCount });
		if (hasOnlyShortAddress) {
			sandbox.fault({ operation: 'getShipment', kind: 'status', status: 404, times: Infinity });
		}
		const host = await publish();
		for (const [at, { packageNumberCarrier }] of pieces.entries()) {
			sandbox.addEvent(packageNumberCarrier, { code: `70${at}` });
		}
		await stage.poll(host);
		expect(codesOf(host).sort()).toEqual(['700', '701', '702'].slice(0, pieceCount));
	});
});
