import type { PollHost } from '../support/poll';
import { MODES, setStage } from '../support/triggerStage';

const stage = setStage();

const DAY_MINUTES = 24 * 60;
const NO_MOVEMENT = { events: ['noMovement'], daysWithoutMovement: 2 };
const WAITING = { events: ['waitingForPickup'], daysWaitingForPickup: 2 };

// The carrier's own events are late in these tests, so that only added events count.
beforeEach(() => stage.sandbox.setTracking('ANT', { lateHours: 10_000 }));

/** A shipment that was created a day ago, at 11:00 local time, and has no other event. */
const seed = (hoursAgo = 24) => stage.seed(1, { hoursAgo })[0] as string;
const pollAt = async (host: PollHost, time: string) => {
	stage.clock.nowMs = Date.parse(`2026-06-${time}Z`);
	await host.tick();
};
const groupsOf = (host: PollHost) => host.events.map(({ eventGroup }) => eventGroup);
const numbersOf = (host: PollHost) =>
	host.events.map(({ packageNumberCarrier }) => packageNumberCarrier);

describe.each(MODES)('In the %s mode of n8n, No Movement', (mode) => {
	test('starts the workflow at the first poll after the days, once per standstill', async () => {
		const number = seed();
		const host = await stage.publish(mode, NO_MOVEMENT);
		await pollAt(host, '11T08:59:59');
		expect(host.events).toEqual([]);
		await pollAt(host, '11T09:00:00');
		await pollAt(host, '12T09:00:00');
		expect(host.events).toMatchObject([
			{
				name: 'No event for 2 days',
				category: 'NoMovement',
				eventGroup: 'noMovement',
				since: '2026-06-09T11:00:00+02:00',
				dateTime: '2026-06-11T11:00:00+02:00',
				packageNumberCarrier: number,
			},
		]);

		// Any event ends it, also one of a type that is not selected.
		stage.add(number, '701');
		await stage.poll(host);
		await pollAt(host, '14T08:59:00');
		expect(host.events).toHaveLength(1);
		await stage.poll(host);
		expect(host.events[1]).toMatchObject({ dateTime: '2026-06-14T11:00:00+02:00' });
		expect(new Set(host.events.map(({ eventId }) => eventId)).size).toBe(2);
	});

	test('comes on time for a number that the service refuses, although it is not requested', async () => {
		const number = seed();
		seed();
		const host = await stage.publish(mode, NO_MOVEMENT);
		stage.sandbox.poisonNumber(number);
		await pollAt(host, '11T08:50:00');
		const asked = stage.requested().length;
		await pollAt(host, '11T09:00:00');
		expect(numbersOf(host)).toContain(number);
		expect(stage.requested().slice(asked).flat()).not.toContain(number);
	});
});

test('Waiting for Pickup starts the workflow once, the days after the first event of the waiting', async () => {
	const number = seed();
	const host = await stage.publish('default', WAITING);
	stage.add(number, '701', { category: 'TransitReady', date: '2026-06-10T10:30:00' });
	await stage.poll(host);
	// A reminder and a notice change nothing.
	stage.add(number, '702', { category: 'TransitReady', date: '2026-06-11T11:00:00' });
	stage.add(number, '703', { category: 'Customs' });
	await stage.poll(host, DAY_MINUTES);
	await pollAt(host, '12T08:29:59');
	expect(host.events).toEqual([]);
	await pollAt(host, '12T08:30:00');
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

test.each<[unknown, string[]]>([
	[['all'], ['readyForPickup']],
	[
		['all', 'noMovement', 'waitingForPickup'],
		['readyForPickup', 'noMovement', 'waitingForPickup'],
	],
	['={{ ["noMovement"] }}', ['noMovement']],
])('the event types %j give %j', async (events, groups) => {
	const number = seed();
	const days = { daysWithoutMovement: 1, daysWaitingForPickup: 1 };
	const host = await stage.publish('default', { events, ...days } as never);
	stage.add(number, '701', { category: 'TransitReady' });
	await stage.poll(host);
	await stage.poll(host, DAY_MINUTES);
	expect(groupsOf(host)).toEqual(groups);
});

test('Fetch Test Event shows an example of the selected types', async () => {
	stage.add(seed(), '701', { category: 'TransitReady' });
	const host = await stage.newHost('default');
	expect(await host.fetchTestEvent({ events: ['noMovement', 'waitingForPickup'] })).toMatchObject([
		{ eventGroup: 'noMovement', days: 5, shipment: { recipientName: 'Recipient 1' } },
		{ eventGroup: 'waitingForPickup', days: 3, since: '2026-06-10T11:00:00+02:00' },
	]);
	const all = await host.fetchTestEvent({ events: ['all', 'noMovement'] });
	const groups = all?.map(({ eventGroup }) => eventGroup);
	expect(groups).toEqual(['created', 'readyForPickup', 'noMovement']);
});
