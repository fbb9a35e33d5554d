import type { INodeParameters } from 'n8n-workflow';

import { codesOf, MODES, setStage } from '../support/triggerStage';

const stage = setStage();

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
		const host = await stage.publish(mode, { options: { startFrom: 'existing' } });
		await stage.poll(host);
		stage.add(numbers[7], '777');
		await stage.poll(host);
		expect(new Set(host.events.map(({ eventId }) => eventId)).size).toBe(501);
		expect(codesOf(host).slice(500)).toEqual(['777']);
	});
});

describe.each(MODES)('No event is lost or emitted twice, in the %s mode of n8n', (mode) => {
	const start = async (parameters: INodeParameters = {}) => {
		const [number] = stage.seed(3, { hoursAgo: 7 });
		const host = await stage.publish(mode, parameters);
		stage.add(number, '701');
		await stage.poll(host);
		return { host, number };
	};

	test('when the filters change: events of newly selected shipments are new from then on', async () => {
		const [ofBeaver] = stage.seed(2, { serviceType: 'BEAVER-PARCEL', hoursAgo: 7 });
		const { host } = await start({ filters: { carrierCodes: ['ANT'] } });
		stage.add(ofBeaver, '801');
		await host.republish('update', {});
		await stage.poll(host);
		stage.add(ofBeaver, '802');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '802']);
	});

	test('when event types are selected later: their earlier events are not emitted', async () => {
		const { host, number } = await start({ events: ['delivered'] });
		await host.republish('update', { events: ['all'] });
		await stage.poll(host);
		expect(codesOf(host)).toEqual([]);
		stage.add(number, '702');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['702']);
	});

	test('when the saved state is unreadable: the trigger logs a warning and starts over', async () => {
		const { host, number } = await start();
		host.kill();
		host.restore({}, '{"version":1,"shipments":"half a sta');
		await host.boot();
		await stage.poll(host);
		expect(host.warnings).toEqual([
			expect.stringContaining('The saved state of the Parcel Shipping Trigger is unreadable'),
		]);
		stage.add(number, '702');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '702']);
	});
});
