import type { INodeParameters } from 'n8n-workflow';

import type { PollHost } from '../support/poll';
import { MODES, setStage } from '../support/triggerStage';

// The carrier's own events are late in these tests, so that only added events count.
const stage = setStage();

const DAY_MS = 86_400_000;
const BOTH = { events: ['noMovement', 'waitingForPickup'] };
const NO_MOVEMENT = { events: ['noMovement'], daysWithoutMovement: 2 };
const WAITING = { events: ['waitingForPickup'], daysWaitingForPickup: 2 };

beforeEach(() => {
	for (const carrier of ['ANT', 'BEAVER'])
		stage.sandbox.setTracking(carrier, { lateHours: 10_000 });
});

/** A shipment that was created a day ago, at 11:00 local time, and has no other event. */
const seed = (hoursAgo = 24) => {
	const [shipment] = stage.sandbox.seedShipments(1, { hoursAgo });
	return shipment?.packageNumberCarrier ?? '';
};
const publish = async (mode: (typeof MODES)[number], parameters: INodeParameters) => {
	const host = await stage.newHost(mode);
	await host.publish(parameters);
	return host;
};
const pollAt = async (host: PollHost, time: string) => {
	stage.clock.nowMs = Date.parse(time);
	await host.tick();
};
const namesOf = (host: PollHost) => host.events.map(({ name, dateTime }) => [name, dateTime]);

describe.each(MODES)('In the %s mode of n8n, No Movement', (mode) => {
	test('starts the workflow at the first poll after the days, once per standstill', async () => {
		const number = seed();
		const host = await publish(mode, NO_MOVEMENT);
		await pollAt(host, '2026-06-11T08:59:59Z');
		expect(host.events).toEqual([]);
		await pollAt(host, '2026-06-11T09:00:00Z');
		expect(host.events).toEqual([
			{
				date: '2026-06-11T11:00:00+02:00',
				category: 'NoMovement',
				code: '',
				name: 'No event for 2 days',
				nameSystem: 'NoMovement',
				type: 'Trigger',
				item: number,
				delivered: false,
				canceled: false,
				since: '2026-06-09T11:00:00+02:00',
				days: 2,
				eventCarrierCode: null,
				eventGroup: 'noMovement',
				dateTime: '2026-06-11T11:00:00+02:00',
				eventId: expect.stringMatching(/^[\w-]{22}$/),
				packageNumberCarrier: number,
				shipmentId: 1001,
				pieceId: 1001,
				carrierCode: 'ANT',
				shipment: expect.objectContaining({ recipientName: 'Recipient 1' }),
			},
		]);
		await pollAt(host, '2026-06-12T09:00:00Z');
		expect(host.events).toHaveLength(1);

		// Any event ends it, also one of a type that is not selected.
		stage.sandbox.addEvent(number, {});
		await stage.poll(host);
		await pollAt(host, '2026-06-14T08:59:00Z');
		expect(host.events).toHaveLength(1);
		await stage.poll(host);
		expect(namesOf(host)[1]).toEqual(['No event for 2 days', '2026-06-14T11:00:00+02:00']);
		expect(new Set(host.events.map(({ eventId }) => eventId)).size).toBe(2);
	});

	test('comes once, also if n8n is killed before and after it', async () => {
		seed();
		const host = await publish(mode, NO_MOVEMENT);
		await stage.poll(host);
		host.kill();
		await host.boot();
		await pollAt(host, '2026-06-11T09:00:30Z');
		expect(host.events).toHaveLength(1);
		host.kill();
		await host.boot();
		await stage.poll(host);
		await host.republish('update');
		await stage.poll(host);
		expect(host.events).toHaveLength(1);
	});

	test('comes in a poll that does not request the shipment', async () => {
		const number = seed();
		seed();
		const host = await publish(mode, NO_MOVEMENT);
		// The service refuses the number, so that it is requested once an hour.
		stage.sandbox.poisonNumber(number);
		await pollAt(host, '2026-06-11T08:50:00Z');
		const asked = stage.asked('trackShipments').length;
		await pollAt(host, '2026-06-11T09:00:00Z');
		expect(host.events.map(({ packageNumberCarrier }) => packageNumberCarrier)).toContain(number);
		const later = stage.asked('trackShipments').slice(asked);
		expect(later.flatMap(({ packages }) => packages)).not.toContain(number);
	});

	test('comes in the next poll if the service does not answer at all', async () => {
		seed();
		const host = await publish(mode, NO_MOVEMENT);
		stage.sandbox.fault({ operation: '*', kind: 'status', status: 500, times: Infinity });
		await pollAt(host, '2026-06-11T09:00:00Z');
		expect(host.failures).toHaveLength(1);
		stage.sandbox.clearFaults();
		await stage.poll(host);
		expect(host.events).toMatchObject([{ dateTime: '2026-06-11T11:00:00+02:00' }]);
	});

	test.each<[string, object]>([
		['delivered', { category: 'Delivered', delivered: true }],
		['canceled', { category: 'Cancel', canceled: true }],
		['returned to the sender', { category: 'DeliveredBack' }],
	])('does not come for a shipment that was %s', async (_, event) => {
		const number = seed();
		const host = await publish(mode, NO_MOVEMENT);
		stage.sandbox.addEvent(number, event);
		await stage.poll(host);
		stage.clock.nowMs += 5 * DAY_MS;
		await stage.poll(host);
		await stage.poll(host, 61);
		expect(host.events).toEqual([]);
	});

	test('comes again for a returned shipment that is sent once more', async () => {
		const number = seed();
		const host = await publish(mode, NO_MOVEMENT);
		stage.sandbox.addEvent(number, { category: 'DeliveredBack' });
		await stage.poll(host);
		stage.clock.nowMs += 5 * DAY_MS;
		stage.sandbox.addEvent(number, { category: 'TransitCarrier' });
		await stage.poll(host);
		stage.clock.nowMs += 2 * DAY_MS;
		await stage.poll(host);
		expect(host.events).toHaveLength(1);
	});

	test('comes again for an event that arrives when its own days are over', async () => {
		const number = seed();
		const host = await publish(mode, NO_MOVEMENT);
		await pollAt(host, '2026-06-11T09:00:00Z');
		stage.clock.nowMs += 3 * DAY_MS;
		stage.sandbox.addEvent(number, { date: '2026-06-10T12:00:00' });
		await stage.poll(host);
		expect(host.events).toMatchObject([{}, { since: '2026-06-10T12:00:00+02:00' }]);
		stage.sandbox.addEvent(number, {});
		await stage.poll(host);
		stage.clock.nowMs += 2 * DAY_MS;
		await stage.poll(host);
		expect(host.events).toHaveLength(3);
	});

	test('does not report standstills from before publishing, unless Start From is Existing Events', async () => {
		seed(60);
		const later = seed(47);
		const host = await publish(mode, NO_MOVEMENT);
		await stage.poll(host);
		expect(host.events).toEqual([]);
		await stage.poll(host, 120);
		expect(host.events).toMatchObject([{ packageNumberCarrier: later }]);

		stage.sandbox.reset();
		stage.sandbox.setTracking('ANT', { lateHours: 10_000 });
		seed(60);
		const existing = await publish(mode, { ...NO_MOVEMENT, startFrom: 'existing' });
		await stage.poll(existing);
		await stage.poll(existing);
		expect(existing.events).toMatchObject([{ eventGroup: 'noMovement' }]);
	});

	test('that is selected later applies from then on', async () => {
		seed(30);
		const later = seed(20);
		const host = await publish(mode, { events: ['delivered'] });
		stage.clock.nowMs += DAY_MS;
		await host.republish('update', NO_MOVEMENT);
		await stage.poll(host);
		expect(host.events).toEqual([]);
		stage.clock.nowMs += DAY_MS;
		await stage.poll(host);
		expect(host.events).toMatchObject([{ packageNumberCarrier: later }]);

		// So does the other type, although it was prepared.
		stage.sandbox.addEvent(later, { category: 'TransitReady' });
		await stage.poll(host);
		stage.clock.nowMs += 3 * DAY_MS;
		await host.republish('update', { ...BOTH, daysWithoutMovement: 30, daysWaitingForPickup: 2 });
		await stage.poll(host);
		expect(host.events).toHaveLength(1);
	});
});

describe.each(MODES)('In the %s mode of n8n, Waiting for Pickup', (mode) => {
	test('starts the workflow once, the days after the first event of the waiting', async () => {
		const number = seed();
		const host = await publish(mode, WAITING);
		stage.sandbox.addEvent(number, { category: 'TransitReady', date: '2026-06-10T10:30:00' });
		await stage.poll(host);
		// A reminder and a notice change nothing.
		stage.clock.nowMs += DAY_MS;
		stage.sandbox.addEvent(number, { category: 'TransitReady' });
		stage.sandbox.addEvent(number, { category: 'Customs' });
		await stage.poll(host);
		await pollAt(host, '2026-06-12T08:29:59Z');
		expect(host.events).toEqual([]);
		await pollAt(host, '2026-06-12T08:30:00Z');
		await stage.poll(host);
		expect(host.events).toMatchObject([
			{
				name: 'Ready for pickup for 2 days',
				category: 'WaitingForPickup',
				eventGroup: 'waitingForPickup',
				since: '2026-06-10T10:30:00+02:00',
				dateTime: '2026-06-12T10:30:00+02:00',
			},
		]);
	});

	test.each<[string, object]>([
		['was picked up', { category: 'DeliveredPickup', delivered: true }],
		['is on its way back', { category: 'DeliveringBack' }],
		['is in transit again', { category: 'TransitOnTheWay' }],
	])('does not come if the shipment %s', async (_, event) => {
		const number = seed();
		const host = await publish(mode, WAITING);
		stage.sandbox.addEvent(number, { category: 'TransitReady' });
		await stage.poll(host);
		stage.clock.nowMs += DAY_MS;
		stage.sandbox.addEvent(number, event);
		await stage.poll(host);
		stage.clock.nowMs += 5 * DAY_MS;
		await stage.poll(host);
		expect(host.events).toEqual([]);
	});

	test('comes again if the shipment arrives at another pickup point', async () => {
		const number = seed();
		const host = await publish(mode, WAITING);
		const arriveAndWait = async () => {
			stage.sandbox.addEvent(number, { category: 'TransitReady' });
			await stage.poll(host);
			stage.clock.nowMs += 2 * DAY_MS;
			await stage.poll(host);
			await stage.poll(host);
		};
		await arriveAndWait();
		stage.sandbox.addEvent(number, { category: 'TransitOnTheWay' });
		await stage.poll(host);
		await arriveAndWait();
		expect(host.events).toHaveLength(2);
	});
});

test('both types and all events of the service can be selected together, and All contains neither', async () => {
	const number = seed();
	const all = await publish('default', { events: ['all'] });
	const both = await publish('durable', {
		events: ['all', 'noMovement', 'waitingForPickup'],
		daysWithoutMovement: 1,
		daysWaitingForPickup: 1,
	});
	stage.sandbox.addEvent(number, { category: 'TransitReady' });
	for (const host of [all, both]) await stage.poll(host, 0);
	stage.clock.nowMs += DAY_MS;
	for (const host of [all, both]) await stage.poll(host);
	expect(all.events.map(({ eventGroup }) => eventGroup)).toEqual(['readyForPickup']);
	expect(both.events.map(({ eventGroup }) => eventGroup)).toEqual([
		'readyForPickup',
		'noMovement',
		'waitingForPickup',
	]);
});

test('the types can be specified with an expression', async () => {
	seed();
	const host = await publish('default', {
		events: '={{ ["noMovement"] }}',
		daysWithoutMovement: 2,
	});
	await pollAt(host, '2026-06-11T09:00:00Z');
	expect(host.events).toHaveLength(1);
});

test('Fetch Test Event shows an example of the selected types', async () => {
	const number = seed();
	stage.sandbox.addEvent(number, { category: 'TransitReady' });
	const host = await stage.newHost('default');
	expect(await host.fetchTestEvent(BOTH)).toMatchObject([
		{ eventGroup: 'noMovement', days: 5, shipment: { recipientName: 'Recipient 1' } },
		{ eventGroup: 'waitingForPickup', days: 3, since: '2026-06-10T11:00:00+02:00' },
	]);
	const all = (await host.fetchTestEvent({ events: ['all', 'noMovement'] })) ?? [];
	expect(all.map(({ eventGroup }) => eventGroup)).toEqual([
		'created',
		'readyForPickup',
		'noMovement',
	]);
});
