import { setTimeout as sleep } from 'node:timers/promises';

import { codesOf, MODES, setStage } from '../support/triggerStage';

const stage = setStage();

const seed = (count: number, hoursAgo = 20) => stage.sandbox.seedShipments(count, { hoursAgo });

const addEvent = (number: string | undefined, code: string) =>
	stage.sandbox.addEvent(number ?? '', { code });

describe.each(MODES)('At the first activation, in the %s mode of n8n', (mode) => {
	test('500 existing events start no execution', async () => {
		seed(500);
		const host = await stage.newHost(mode);
		await host.publish({});
		await stage.poll(host);
		await stage.poll(host);
		expect(host.executions).toEqual([]);
		expect(host.failures).toEqual([]);
	});

	test('with Existing Events, all existing events are emitted once, and then new ones', async () => {
		const shipments = seed(500);
		const host = await stage.newHost(mode);
		await host.publish({ startFrom: 'existing' });
		await stage.poll(host);
		const expected = shipments.length * 5;
		expect(new Set(host.events.map(({ eventId }) => eventId)).size).toBe(expected);
		expect(host.events).toHaveLength(expected);

		addEvent(shipments[7]?.packageNumberCarrier, '777');
		await stage.poll(host);
		expect(codesOf(host).slice(expected)).toEqual(['777']);
	});

	test('events before a kill and the second poll are emitted', async () => {
		const [shipment] = seed(3);
		const host = await stage.newHost(mode);
		await host.publish({});
		stage.clock.nowMs += 60_000;
		addEvent(shipment?.packageNumberCarrier, '777');
		host.kill();
		stage.clock.nowMs += 60_000;
		await host.boot();
		await stage.poll(host);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['777']);
	});

	test('events since then are emitted, even if the service was down', async () => {
		const [shipment] = seed(3, 7);
		stage.sandbox.fault({ operation: '*', kind: 'status', status: 503, times: 3 });
		const host = await stage.newHost(mode);
		await host.publish({});
		stage.clock.nowMs += 60_000;
		addEvent(shipment?.packageNumberCarrier, '777');
		stage.sandbox.clearFaults();
		await stage.poll(host);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['777']);
	});

	test('all events of a shipment that is created later are emitted', async () => {
		seed(3);
		const host = await stage.newHost(mode);
		await host.publish({});
		stage.clock.nowMs += 60_000;
		const [created] = seed(1, 0);
		// One date without a time, and one missing date.
		stage.sandbox.addEvent(created?.packageNumberCarrier ?? '', {
			code: '778',
			date: '2026-06-10T00:00:00',
		});
		stage.sandbox.addEvent(created?.packageNumberCarrier ?? '', { code: '779', date: '' });
		await stage.poll(host);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['778', '100', '779']);
		expect(host.events[1]).toMatchObject({
			packageNumberCarrier: created?.packageNumberCarrier,
			shipmentId: created?.id,
			carrierCode: 'ANT',
			eventCarrierCode: null,
		});
	});
});

describe.each(MODES)('No event is lost or emitted twice, in the %s mode of n8n', (mode) => {
	test('when the workflow is edited, published again, unpublished for a while, and n8n restarts', async () => {
		const [shipment] = seed(3, 7);
		const number = shipment?.packageNumberCarrier;
		const host = await stage.newHost(mode);
		await host.publish({});
		addEvent(number, '701');
		await stage.poll(host);
		addEvent(number, '702');
		await host.republish('update');
		await stage.poll(host);
		addEvent(number, '703');
		host.unpublish();
		stage.clock.nowMs += 3_600_000;
		await host.republish('activate');
		await stage.poll(host);
		addEvent(number, '704');
		host.kill();
		await host.boot();
		await stage.poll(host);
		addEvent(number, '705');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '702', '703', '704', '705']);
	});

	test('when the node is renamed', async () => {
		const [shipment] = seed(3, 7);
		const host = await stage.newHost(mode);
		await host.publish({});
		addEvent(shipment?.packageNumberCarrier, '701');
		await stage.poll(host);
		for (const [name, code] of [
			['Renamed', '702'],
			['Renamed again', '703'],
		] as const) {
			addEvent(shipment?.packageNumberCarrier, code);
			host.nodeName = name;
			await host.republish('update');
			await stage.poll(host);
			await stage.poll(host);
		}
		expect(codesOf(host)).toEqual(['701', '702', '703']);
	});

	test('when the node is renamed and gets its first name back just after it emitted events', async () => {
		const [shipment] = seed(3, 7);
		const host = await stage.newHost(mode);
		const firstName = host.nodeName;
		await host.publish({});
		addEvent(shipment?.packageNumberCarrier, '701');
		await stage.poll(host);
		host.nodeName = 'Renamed';
		await host.republish('update');
		addEvent(shipment?.packageNumberCarrier, '702');
		await stage.poll(host);
		host.nodeName = firstName;
		await host.republish('update');
		addEvent(shipment?.packageNumberCarrier, '703');
		for (let polls = 0; polls < 3; polls++) await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '702', '703']);
	});

	test('when the node is renamed just after it emitted events, and n8n is killed then', async () => {
		const [shipment] = seed(3, 7);
		const host = await stage.newHost(mode);
		await host.publish({});
		addEvent(shipment?.packageNumberCarrier, '701');
		await stage.poll(host);
		host.nodeName = 'Renamed';
		await host.republish('update');
		host.kill();
		addEvent(shipment?.packageNumberCarrier, '702');
		await host.boot();
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '702']);
	});

	test.each([
		['renamed', 'without new events', []],
		['renamed', 'with a new event', ['702']],
		['edited', 'with a new event', ['702']],
	])('when the node is %s during a poll %s, and n8n is killed then', async (change, _, codes) => {
		const [shipment] = seed(3, 7);
		const number = shipment?.packageNumberCarrier;
		const host = await stage.newHost(mode);
		await host.publish({});
		addEvent(number, '701');
		await stage.poll(host);
		for (const code of codes) addEvent(number, code);
		stage.sandbox.fault({ operation: 'findShipments', kind: 'latency', ms: 200 });
		const requests = stage.sandbox.requests.length;
		const running = stage.poll(host);
		while (stage.sandbox.requests.length === requests) await sleep(5);
		if (change === 'renamed') host.nodeName = 'Renamed';
		await host.republish('update');
		await running;
		host.kill();
		addEvent(number, '703');
		await host.boot();
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', ...codes, '703']);
	});

	test('when n8n is killed, and the node is renamed during the first poll after that', async () => {
		const [shipment] = seed(3, 7);
		const number = shipment?.packageNumberCarrier;
		const host = await stage.newHost(mode);
		await host.publish({});
		addEvent(number, '701');
		await stage.poll(host);
		host.kill();
		addEvent(number, '702');
		stage.sandbox.fault({ operation: 'findShipments', kind: 'latency', ms: 200 });
		const requests = stage.sandbox.requests.length;
		const booting = host.boot();
		if (mode === 'default') {
			while (stage.sandbox.requests.length === requests) await sleep(5);
		}
		host.nodeName = 'Renamed';
		await host.republish('update');
		await booting;
		await stage.poll(host);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '702']);
	});

	test('when the mode of n8n changes', async () => {
		const [shipment] = seed(3, 7);
		const number = shipment?.packageNumberCarrier;
		const host = await stage.newHost(mode);
		await host.publish({});
		addEvent(number, '701');
		await stage.poll(host);
		for (const [other, code] of [
			[mode === 'default' ? 'durable' : 'default', '702'],
			[mode, '703'],
		] as const) {
			host.kill();
			await host.boot(other);
			addEvent(number, code);
			await stage.poll(host);
			await stage.poll(host);
		}
		expect(codesOf(host)).toEqual(['701', '702', '703']);
	});

	test('when the filters change: events of newly selected shipments are new from then on', async () => {
		const [ant] = seed(2, 7);
		const [beaver] = stage.sandbox.seedShipments(2, { serviceType: 'BEAVER-PARCEL', hoursAgo: 7 });
		const host = await stage.newHost(mode);
		await host.publish({ filters: { carrierCodes: ['ANT'] } });
		await stage.poll(host);
		addEvent(ant?.packageNumberCarrier, '701');
		addEvent(beaver?.packageNumberCarrier, '801');
		await host.republish('update', {});
		await stage.poll(host);
		addEvent(beaver?.packageNumberCarrier, '802');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '802']);
	});

	test('when event types are selected later: their earlier events are not emitted', async () => {
		const [shipment] = seed(2, 7);
		const number = shipment?.packageNumberCarrier ?? '';
		const host = await stage.newHost(mode);
		await host.publish({ events: ['delivered'] });
		addEvent(number, '701');
		await stage.poll(host);
		await host.republish('update', { events: ['all'] });
		await stage.poll(host);
		expect(codesOf(host)).toEqual([]);
		addEvent(number, '702');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['702']);
	});

	test('when the saved state is unreadable: the trigger logs a warning and starts over', async () => {
		const [shipment] = seed(2, 7);
		const host = await stage.newHost(mode);
		await host.publish({});
		addEvent(shipment?.packageNumberCarrier, '701');
		await stage.poll(host);
		host.kill();
		host.restore({}, '{"version":1,"shipments":"half a sta');
		await host.boot();
		await stage.poll(host);
		expect(host.warnings).toEqual([
			expect.stringContaining('The saved state of the Parcel Shipping Trigger is unreadable'),
		]);
		addEvent(shipment?.packageNumberCarrier, '702');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '702']);
	});
});

test('n8n saves one text, and the moment of activation only until events are emitted', async () => {
	const [shipment] = seed(2, 7);
	const host = await stage.newHost('default');
	await host.publish({});
	expect(Object.keys(host.staticData).sort()).toEqual(['global', 'node:Trigger']);
	expect(host.staticData.global).toEqual({ 'parcelShippingTrigger:node-1': stage.clock.nowMs });
	expect(host.staticData['node:Trigger']).toEqual({ state: expect.any(String) });
	addEvent(shipment?.packageNumberCarrier, '701');
	await stage.poll(host);
	expect(host.staticData.global).toEqual({});
});
