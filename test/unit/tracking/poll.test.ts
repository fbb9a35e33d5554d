import type { IDataObject } from 'n8n-workflow';

import { codesOf, errorOf, eventAt, startTrigger } from '../../support/polling';

// What a poll emits, saves and throws.

const shipment = (id: number, carrierCode = 'ANT') => ({
	...{ id, carrierCode, packageNumberCarrier: `N${id}` },
});

/** A trigger with a shipment of an earlier day. */
function start(changes: Parameters<typeof startTrigger>[0] = {}) {
	const trigger = startTrigger(changes);
	trigger.provider.shipments = [shipment(1)];
	trigger.provider.events.N1 = [eventAt('10T10:30', '1')];
	const add = (...events: IDataObject[]) => {
		trigger.provider.events.N1 = [...(trigger.provider.events.N1 as IDataObject[]), ...events];
	};
	return { trigger, add };
}

test.each([
	'{"version":1',
	'{"version":1,"shipments":[]}',
	'{"version":1,"account":"","idZone":"","since":"","savedAt":1,"list":{"readAt":1,"next":0},"shipments":[[1]]}',
])('existing events do not come again if the saved state is unreadable: %s', async (text) => {
	const { trigger } = start({ startFrom: 'existing' });
	Object.assign(trigger.data.global as object, { 'parcelShippingTrigger:n': text });
	expect(await trigger.poll()).toEqual([]);
	expect(trigger.warnings).toEqual([expect.stringContaining('The saved state is unreadable')]);
});

test('with Once per Order, an event of each group comes', async () => {
	const { trigger, add } = start({ isOncePerOrder: true });
	await trigger.poll();
	const delivered = { category: 'Delivered', delivered: true };
	add(eventAt('10T10:59', 'a', delivered), eventAt('10T11:00', 'b', delivered));
	expect(codesOf(await trigger.poll())).toEqual(['a']);
	add(eventAt('10T11:30', 'c', delivered));
	expect(await trigger.poll(61)).toEqual([]);
});

describe('A period', () => {
	const DAY = 24 * 60;
	const groups = (items: IDataObject[]) => items.map(({ category }) => category);

	test('comes once when its days are over, if its type is selected', async () => {
		const { trigger } = start({ eventTypes: ['noMovement'] });
		await trigger.poll();
		expect(await trigger.poll(5 * DAY - 40)).toEqual([]);
		expect(groups(await trigger.poll(40))).toEqual(['NoMovement']);
		expect(await trigger.poll(DAY)).toEqual([]);
	});

	test('that is over before its type is selected does not come later', async () => {
		const { trigger } = start({ eventTypes: ['all'] });
		await trigger.poll();
		expect(await trigger.poll(6 * DAY)).toEqual([]);
		trigger.watch.eventTypes = ['all', 'noMovement'];
		expect(await trigger.poll(DAY)).toEqual([]);
	});
});

test('while n8n is saving the last events, a poll emits nothing, and those that n8n has discarded come again', async () => {
	const { trigger, add } = start();
	await trigger.poll();
	const saved = { ...trigger.data.global };
	add(eventAt('10T11:01', '2'));
	expect(codesOf(await trigger.poll())).toEqual(['2']);
	Object.assign(trigger.data.global as object, saved);
	expect(await trigger.poll(1 / 4)).toEqual([]);
	expect(codesOf(await trigger.poll())).toEqual(['2']);
});

describe('If requests fail,', () => {
	test('the state is kept, and a failed start saves nothing', async () => {
		const { trigger, add } = start();
		const { provider, data } = trigger;
		provider.fail = () => errorOf(401);
		const context = trigger.context as unknown as { getActivationMode: () => string };
		context.getActivationMode = () => 'activate';
		await expect(trigger.poll()).rejects.toThrow('Failed (401)');
		expect(data.global).toEqual({});
		provider.fail = () => undefined;
		await trigger.poll();
		add(eventAt('10T11:02', '2'));
		provider.fail = (name) => (name === 'ANT' ? errorOf(503) : undefined);
		provider.shipments.unshift(shipment(2));
		await expect(trigger.poll()).rejects.toThrow('Failed (503)');
		expect(trigger.state.shipments).toHaveLength(2);
		provider.fail = () => undefined;
		expect(codesOf(await trigger.poll())).toEqual(['2']);
	});

	test.each<[string, string[], boolean]>([
		['of one carrier while nothing is due at the other', ['BEAVER'], false],
		['of one carrier and of the list', ['BEAVER', 'list'], true],
		['of both carriers', ['BEAVER', 'ANT'], true],
	])('those %s fail the poll: %3$s', async (_, failing, fails) => {
		const { trigger } = start();
		const { provider } = trigger;
		provider.shipments.unshift(shipment(2, 'BEAVER'));
		for (const number of ['N1', 'N2']) provider.events[number] = [eventAt('10T09:00', '1')];
		await trigger.poll();
		provider.fail = (name) => (failing.includes(name) ? errorOf(503) : undefined);
		// Both are due after ten minutes.
		const first = await trigger.poll(10).catch(() => 'failed');
		expect(first === 'failed').toBe(failing.length > 1 && failing.includes('ANT'));
		const second = await trigger.poll().catch(() => 'failed');
		expect(second === 'failed').toBe(fails);
	});
});

describe('The form', () => {
	test('selects shipments from then on, and known ones stay known', async () => {
		const { trigger, add } = start({ carrierCodes: ['ANT'], startFrom: 'existing' });
		const { provider } = trigger;
		expect(codesOf(await trigger.poll())).toEqual(['1']);
		provider.shipments.unshift(shipment(2, 'BEAVER'));
		provider.events.N2 = [eventAt('10T10:45', 'old')];
		await trigger.poll();
		trigger.watch.carrierCodes = [];
		expect(await trigger.poll()).toEqual([]);
		add(eventAt('10T11:05', '2'));
		provider.events.N2 = [...(provider.events.N2 as IDataObject[]), eventAt('10T11:05', 'new')];
		expect(codesOf(await trigger.poll()).sort()).toEqual(['2', 'new']);
	});

	test('that selects a shipment again does not bring what has happened in between', async () => {
		const { trigger } = start();
		const { provider, watch } = trigger;
		provider.shipments.unshift(shipment(2, 'BEAVER'));
		await trigger.poll();
		watch.carrierCodes = ['ANT'];
		for (let polls = 0; polls < 4; polls++) await trigger.poll(40);
		provider.events.N2 = [eventAt('10T12:00', 'meanwhile')];
		watch.carrierCodes = [];
		expect(await trigger.poll()).toEqual([]);
		provider.events.N2 = [...(provider.events.N2 as IDataObject[]), eventAt('10T14:05', 'new')];
		expect(codesOf(await trigger.poll(10))).toEqual(['new']);
	});

	test('that changes twice before a long list is read again loses no event', async () => {
		const { trigger, add } = start();
		const { provider, watch } = trigger;
		const others = Array.from({ length: 2_000 }, (_, at) => shipment(2_001 - at));
		provider.shipments.unshift(...others);
		await trigger.poll();
		watch.carrierCodes = ['ANT'];
		add(eventAt('10T11:02', '2'));
		await trigger.poll();
		watch.carrierCodes = ['ant'];
		expect(codesOf(await trigger.pollTimes(10))).toEqual(['2']);
	});

	test('with another credential of the provider repeats and mixes up nothing', async () => {
		const { trigger, add } = start({ startFrom: 'existing' });
		const { provider } = trigger;
		await trigger.poll();
		trigger.watch.account = 'https://api.example.com/api 2';
		// The other account has another shipment with this ID.
		provider.shipments = [{ ...shipment(1), packageNumberCarrier: 'N2' }];
		provider.events.N2 = [eventAt('10T10:45', 'old')];
		expect(await trigger.poll()).toEqual([]);
		provider.events.N2 = [...(provider.events.N2 as IDataObject[]), eventAt('10T11:05', 'new')];
		add(eventAt('10T11:05', '2'));
		const items = await trigger.poll();
		expect(items.map((item) => [item.code, item.packageNumberCarrier])).toEqual([['new', 'N2']]);
	});
});

test('a shipment that left the list is forgotten after it cannot return any more', async () => {
	const { trigger } = start();
	await trigger.poll();
	trigger.provider.shipments = [];
	for (let polls = 0; polls < 3; polls++) await trigger.poll(31);
	await trigger.poll(31 * 24 * 60);
	expect(trigger.state.shipments).toHaveLength(1);
	await trigger.poll(2 * 24 * 60);
	expect(trigger.state.shipments).toEqual([]);
});

test('Fetch Test Event asks little of a large account', async () => {
	const { trigger } = start({ eventTypes: ['canceled'] });
	trigger.provider.shipments = Array.from({ length: 20_000 }, (_, at) => shipment(20_000 - at));
	expect(await trigger.sample()).toMatchObject([{ name: 'Example: Canceled' }]);
	expect(trigger.asked.length).toBeLessThanOrEqual(30);
});
