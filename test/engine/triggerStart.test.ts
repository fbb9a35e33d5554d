import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';

import type { PollHost } from '../support/poll';
import { codesOf, MODES, setStage } from '../support/triggerStage';

const stage = setStage();

const BEAVER = { serviceType: 'BEAVER-PARCEL', hoursAgo: 7 };

describe.each(MODES)('At the first activation, in the %s mode of n8n', (mode) => {
	test('500 existing events start no execution', async () => {
		stage.seed(100);
		const host = await stage.publish(mode);
		await stage.pollTimes(2, host);
		expect(host.executions).toEqual([]);
		expect(host.failures).toEqual([]);
	});

	test('with Existing Events, 500 existing events are emitted once, and then new ones', async () => {
		const numbers = stage.seed(100);
		const host = await stage.publish(mode, { startFrom: 'existing' });
		await stage.poll(host);
		stage.add(numbers[7], '777');
		await stage.poll(host);
		expect(new Set(host.events.map(({ eventId }) => eventId)).size).toBe(501);
		expect(codesOf(host).slice(500)).toEqual(['777']);
	});

	test('events before a kill and the second poll are emitted', async () => {
		const [number] = stage.seed(3);
		const host = await stage.publish(mode);
		stage.clock.nowMs += 60_000;
		stage.add(number, '777');
		host.kill();
		stage.clock.nowMs += 60_000;
		await host.boot();
		await stage.pollTimes(2, host);
		expect(codesOf(host)).toEqual(['777']);
	});

	test('events since then are emitted, even if the service was down', async () => {
		const [number] = stage.seed(3, { hoursAgo: 7 });
		stage.sandbox.fault({ operation: '*', kind: 'status', status: 503, times: 3 });
		const host = await stage.publish(mode);
		stage.clock.nowMs += 60_000;
		stage.add(number, '777');
		stage.sandbox.clearFaults();
		await stage.pollTimes(2, host);
		expect(codesOf(host)).toEqual(['777']);
	});

	test('all events of a shipment that is created later are emitted', async () => {
		stage.seed(3);
		const host = await stage.publish(mode);
		stage.clock.nowMs += 60_000;
		const [created] = stage.seed(1, { hoursAgo: 0 });
		// One date without a time, and one missing date.
		stage.add(created, '778', { date: '2026-06-10T00:00:00' });
		stage.add(created, '779', { date: '' });
		await stage.pollTimes(2, host);
		expect(codesOf(host)).toEqual(['778', '100', '779']);
		const event = { packageNumberCarrier: created, shipmentId: 1004, eventCarrierCode: null };
		expect(host.events[1]).toMatchObject(event);
	});
});

describe.each(MODES)('No event is lost or emitted twice, in the %s mode of n8n', (mode) => {
	/** Publishes the trigger, and emits the event 701 of a shipment. */
	const start = async (parameters: INodeParameters = {}) => {
		const [number] = stage.seed(3, { hoursAgo: 7 });
		const host = await stage.publish(mode, parameters);
		const add = stage.add.bind(stage, number);
		add('701');
		await stage.poll(host);
		return { host, add };
	};
	const rename = async (host: PollHost, name: string) => {
		host.nodeName = name;
		await host.republish('update');
	};
	/** Starts `work`, and waits until it has sent a request, which takes some time. */
	const duringRequest = async (work: () => Promise<void>) => {
		stage.sandbox.fault({ operation: 'findShipments', kind: 'latency', ms: 200 });
		const requests = stage.sandbox.requests.length;
		const running = work();
		while (stage.sandbox.requests.length === requests) await sleep(5);
		return { end: async () => await running };
	};

	test('when the workflow is edited, published again, unpublished for a while, and n8n restarts', async () => {
		const { host, add } = await start();
		add('702');
		await host.republish('update');
		await stage.poll(host);
		add('703');
		host.unpublish();
		stage.clock.nowMs += 3_600_000;
		await host.republish('activate');
		await stage.poll(host);
		add('704');
		host.kill();
		await host.boot();
		await stage.poll(host);
		add('705');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '702', '703', '704', '705']);
	});

	test.each([
		['renamed twice', ['Renamed', 'Renamed again'], 2],
		['renamed and gets its first name back at once', ['Renamed', 'Trigger'], 0],
	])('when the node is %s', async (_, names, pollsBetween) => {
		const { host, add } = await start();
		for (const [index, name] of names.entries()) {
			await rename(host, name);
			add(`70${index + 2}`);
			await stage.pollTimes(Math.max(1, pollsBetween), host);
		}
		await stage.pollTimes(2, host);
		expect(codesOf(host)).toEqual(['701', '702', '703']);
	});

	test('when the node is renamed just after it emitted events, and n8n is killed then', async () => {
		const { host, add } = await start();
		await rename(host, 'Renamed');
		host.kill();
		add('702');
		await host.boot();
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '702']);
	});

	test.each([
		['renamed', 'without new events', []],
		['renamed', 'with a new event', ['702']],
		['edited', 'with a new event', ['702']],
	])('when the node is %s during a poll %s, and n8n is killed then', async (change, _, codes) => {
		const { host, add } = await start();
		for (const code of codes) add(code);
		const poll = await duringRequest(async () => await stage.poll(host));
		await rename(host, change === 'renamed' ? 'Renamed' : host.nodeName);
		await poll.end();
		host.kill();
		add('703');
		await host.boot();
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', ...codes, '703']);
	});

	test('when n8n is killed, and the node is renamed during the first poll after that', async () => {
		const { host, add } = await start();
		host.kill();
		add('702');
		if (mode === 'durable') await host.boot();
		const boot = async () => await (mode === 'durable' ? host.tick() : host.boot());
		const first = await duringRequest(boot);
		await rename(host, 'Renamed');
		await first.end();
		await stage.pollTimes(2, host);
		expect(codesOf(host)).toEqual(['701', '702']);
	});

	test('when the mode of n8n changes', async () => {
		const { host, add } = await start();
		const other = mode === 'default' ? 'durable' : 'default';
		for (const [next, code] of [
			[other, '702'],
			[mode, '703'],
		] as const) {
			host.kill();
			await host.boot(next);
			add(code);
			await stage.pollTimes(2, host);
		}
		expect(codesOf(host)).toEqual(['701', '702', '703']);
	});

	test('when the filters change: events of newly selected shipments are new from then on', async () => {
		const [ofBeaver] = stage.seed(2, BEAVER);
		const { host } = await start({ filters: { carrierCodes: ['ANT'] } });
		stage.add(ofBeaver, '801');
		await host.republish('update', {});
		await stage.poll(host);
		stage.add(ofBeaver, '802');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '802']);
	});

	test('when event types are selected later: their earlier events are not emitted', async () => {
		const { host, add } = await start({ events: ['delivered'] });
		await host.republish('update', { events: ['all'] });
		await stage.poll(host);
		expect(codesOf(host)).toEqual([]);
		add('702');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['702']);
	});

	test('when the saved state is unreadable: the trigger logs a warning and starts over', async () => {
		const { host, add } = await start();
		host.kill();
		host.restore({}, '{"version":1,"shipments":"half a sta');
		await host.boot();
		await stage.poll(host);
		expect(host.warnings).toEqual([
			expect.stringContaining('The saved state of the Parcel Shipping Trigger is unreadable'),
		]);
		add('702');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '702']);
	});
});

test('n8n saves one text, and the moment of activation only until events are emitted', async () => {
	const [number] = stage.seed(2, { hoursAgo: 7 });
	const host = await stage.publish('default');
	expect(host.staticData).toEqual({
		global: { 'parcelShippingTrigger:node-1': stage.clock.nowMs },
		'node:Trigger': { state: expect.any(String) },
	});
	stage.add(number, '701');
	await stage.poll(host);
	expect(host.staticData.global).toEqual({});
});
