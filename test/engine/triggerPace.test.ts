import { codesOf, MODES, setStage } from '../support/triggerStage';

import type { IDataObject } from 'n8n-workflow';

import { prepareTrigger } from '../../bench/variants/pollContext';
import { paces } from '../../nodes/ParcelShipping/tracking/select';
import { sandboxCredential } from '../support/credentials';
import { startEngine } from '../support/engine';

// The carrier's own events are late in these tests, so that only added events count.
const stage = setStage();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

beforeEach(() => {
	for (const carrier of ['ANT', 'BEAVER'])
		stage.sandbox.setTracking(carrier, { lateHours: 10_000 });
});

/** Shipments whose latest event happened some hours ago. */
const seed = (count: number, category: string, hoursAgo: number, serviceType = 'ANT-HOME') => {
	const date = new Date(stage.clock.nowMs - hoursAgo * HOUR_MS).toISOString();
	return stage.sandbox
		.seedShipments(count, { serviceType, hoursAgo: hoursAgo + 40 })
		.map(({ packageNumberCarrier }) => {
			stage.sandbox.addEvent(packageNumberCarrier, { category, date });
			return packageNumberCarrier;
		});
};
const add = (number: string | undefined, code: string) =>
	stage.sandbox.addEvent(number ?? '', { code });
const asked = (from = 0) =>
	stage
		.asked('trackShipments')
		.slice(from)
		.map(({ packages }) => packages as string[]);
const timesAsked = (number: string | undefined, from = 0) =>
	asked(from).filter((packages) => packages.includes(number ?? '')).length;
const requests = () => stage.sandbox.requests.length;
const TWO_MINUTES_MS = 120_000;

describe.each(MODES)('In the %s mode of n8n, a shipment', (mode) => {
	test.each<[keyof typeof paces, string, number]>([
		['moving', 'TransitCarrier', 5],
		['readyForPickup', 'TransitReady', 5],
		['inactive', 'TransitCarrier', 60],
		['arrived', 'DeliveredBack', 5],
	])('is checked at the pace "%s", and an event comes within it', async (pace, category, hours) => {
		const [number] = seed(1, category, hours);
		const host = await stage.newHost(mode);
		await host.publish({});
		const { minutes } = paces[pace];
		const from = asked().length;
		for (let polls = 0; polls < 4 * minutes; polls++) await stage.poll(host);
		// The first time comes anywhere within the pace.
		expect(timesAsked(number, from)).toBeGreaterThanOrEqual(4);
		expect(timesAsked(number, from)).toBeLessThanOrEqual(5);

		add(number, '701');
		let late = 0;
		while (host.executions.length === 0 && late < 100) {
			await stage.poll(host);
			late++;
		}
		expect(codesOf(host)).toEqual(['701']);
		expect(late).toBeLessThanOrEqual(minutes);
		// Delivered and returned ones stay at an hour.
		if (pace === 'arrived') return;
		add(number, '702');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '702']);
	});

	test('is checked in every poll for two hours after an event, and then at its pace again', async () => {
		const [number] = seed(1, 'TransitCarrier', 5);
		const host = await stage.newHost(mode);
		await host.publish({});
		add(number, '701');
		await stage.poll(host, 10);
		const from = asked().length;
		for (let polls = 0; polls < 120; polls++) await stage.poll(host);
		expect(timesAsked(number, from)).toBe(120);
		for (let polls = 0; polls < 100; polls++) await stage.poll(host);
		expect(timesAsked(number, from)).toBeLessThanOrEqual(120 + 11);
	});

	test('that was just created is checked in every poll', async () => {
		seed(3, 'TransitCarrier', 60);
		const host = await stage.newHost(mode);
		await host.publish({});
		const [created] = stage.sandbox.seedShipments(1);
		await stage.poll(host);
		for (let polls = 0; polls < 30; polls++) await stage.poll(host);
		expect(timesAsked(created?.packageNumberCarrier)).toBe(31);
	});

	test('is checked in every poll with Every Poll, also if it was checked at its pace before', async () => {
		const [number] = seed(1, 'TransitCarrier', 60);
		const host = await stage.newHost(mode);
		await host.publish({});
		await stage.poll(host);
		const from = asked().length;
		await host.republish('update', { freshness: 'everyPoll' });
		for (let polls = 0; polls < 5; polls++) await stage.poll(host);
		expect(timesAsked(number, from)).toBeGreaterThanOrEqual(5);
		add(number, '701');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701']);
	});

	test('whose days without movement are over is checked first, so that a newer event counts', async () => {
		const [moved, silent] = seed(2, 'TransitCarrier', 47.9);
		const host = await stage.newHost(mode);
		await host.publish({ events: ['all', 'noMovement'], daysWithoutMovement: 2 });
		await stage.poll(host, 5);
		add(moved, '701');
		await stage.poll(host);
		expect(
			host.events.map(({ code, packageNumberCarrier }) => [code, packageNumberCarrier]),
		).toEqual([
			['701', moved],
			['', silent],
		]);
	});
});

test(
	'shipments are spread over the polls, in full requests',
	async () => {
		seed(1_200, 'TransitCarrier', 60);
		const host = await stage.newHost('default');
		await host.publish({});
		const from = asked().length;
		const lengths: number[] = [];
		for (let polls = 0; polls < 30; polls++) {
			const before = asked().length;
			await stage.poll(host);
			lengths.push(asked(before).length);
		}
		// Twelve requests of a hundred shipments in half an hour.
		expect(asked(from).length).toBeLessThanOrEqual(14);
		expect(Math.max(...lengths)).toBe(1);
		expect(new Set(asked(from).flat()).size).toBe(1_200);
	},
	TWO_MINUTES_MS,
);

describe('Max Requests per Poll', () => {
	const publish = async (parameters: IDataObject) => {
		const host = await stage.newHost('default');
		const others = { startFrom: 'existing', includeShipment: false };
		await host.publish({ ...others, ...parameters } as never);
		return host;
	};

	test('limits every poll, also the first, and no shipment has to wait forever', async () => {
		const ants = seed(900, 'TransitCarrier', 1);
		const beavers = seed(150, 'TransitCarrier', 1, 'BEAVER-PARCEL');
		const host = await publish({
			freshness: 'everyPoll',
			options: { maxRequestsPerPoll: 10 },
		});
		expect(requests()).toBe(10);
		for (let polls = 0; polls < 8; polls++) {
			const before = requests();
			await stage.poll(host);
			expect(requests() - before).toBeLessThanOrEqual(10);
		}
		for (const number of [...ants, ...beavers]) {
			expect(timesAsked(number)).toBeGreaterThan(0);
		}
		// Each shipment comes in its turn, whatever its carrier.
		const from = asked().length;
		for (let polls = 0; polls < 10; polls++) await stage.poll(host);
		const times = [...ants, ...beavers].map((number) => timesAsked(number, from));
		expect(Math.min(...times)).toBeGreaterThanOrEqual(3);
		expect(codesOf(host)).toHaveLength(2 * 1_050);
		expect(host.failures).toEqual([]);
	});

	test('is at least 10, so that both the list and the events are read', async () => {
		seed(600, 'TransitCarrier', 1);
		const host = await publish({ options: { maxRequestsPerPoll: 1 } });
		expect(requests()).toBe(10);
		await stage.poll(host);
		expect(new Set(asked().flat()).size).toBe(600);
	});
});

describe.each(MODES)('After the service has limited requests, in the %s mode of n8n', (mode) => {
	const publish = async (events = {}) => {
		const numbers = seed(3, 'TransitCarrier', 1);
		const host = await stage.newHost(mode);
		await host.publish(events);
		await stage.poll(host);
		return { host, numbers };
	};

	test('the trigger sends nothing for the time that it asked for, and loses no event', async () => {
		const { host, numbers } = await publish();
		add(numbers[0], '701');
		stage.sandbox.fault({ operation: 'trackShipments', kind: 'rateLimit', retryAfter: '300' });
		await stage.poll(host);
		const sent = requests();
		for (let polls = 0; polls < 4; polls++) await stage.poll(host);
		expect(requests()).toBe(sent);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701']);
		expect(host.failures).toHaveLength(1);
	});

	test('the trigger pauses for longer each time if it asked for none', async () => {
		const { host, numbers } = await publish();
		add(numbers[0], '701');
		stage.sandbox.fault({ operation: '*', kind: 'rateLimit', times: Infinity });
		const polls: number[] = [];
		for (let minute = 1; minute <= 30; minute++) {
			const before = requests();
			await stage.poll(host);
			if (requests() > before) polls.push(minute);
		}
		expect(polls).toEqual([1, 2, 4, 7, 13, 25]);
		stage.sandbox.clearFaults();
		for (let minute = 0; minute < 15; minute++) await stage.poll(host);
		expect(codesOf(host)).toEqual(['701']);
	});

	test('No Movement still comes on time', async () => {
		const { host } = await publish({ events: ['noMovement'], daysWithoutMovement: 1 });
		stage.clock.nowMs += 22.9 * HOUR_MS;
		stage.sandbox.fault({ operation: 'findShipments', kind: 'rateLimit', retryAfter: '3600' });
		await stage.poll(host);
		await stage.poll(host, 8);
		expect(host.events.map(({ category }) => category)).toEqual(Array(3).fill('NoMovement'));
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
	stage.clock.nowMs += MINUTE_MS;
	await trigger.poll();
	expect(requests()).toBe(sent);
	stage.clock.nowMs += MINUTE_MS;
	await trigger.poll();
	expect(requests()).toBeGreaterThan(sent);
});
