import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';

import type { PollHost } from '../support/poll';
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

const republish = async (host: PollHost, nodeName = host.nodeName) => {
	host.nodeName = nodeName;
	await host.republish('update');
};

/** Does something while a poll waits for a response. */
async function during(poll: () => Promise<void>, change: () => Promise<void>): Promise<void> {
	stage.sandbox.fault({ operation: 'findShipments', kind: 'latency', ms: 200 });
	const requests = stage.sandbox.requests.length;
	const running = poll();
	while (stage.sandbox.requests.length === requests) await sleep(5);
	await change();
	await running;
}

/** What can happen to a workflow, apart from events. */
const happenings: Record<string, (host: PollHost) => unknown> = {
	poll: (host) => stage.poll(host),
	edit: (host) => republish(host),
	rename: (host) => republish(host, `${host.nodeName} again`),
	renameBack: (host) => republish(host, 'Trigger'),
	unpublish: (host) => host.unpublish(),
	waitAnHour: () => (stage.clock.nowMs += 3_600_000),
	publish: (host) => host.republish('activate'),
	publishRenamed: async (host) => {
		host.nodeName = 'New';
		await host.republish('activate');
	},
	kill: (host) => host.kill(),
	boot: (host) => host.boot(),
	bootInOtherMode: (host) => host.boot(host.mode === 'default' ? 'durable' : 'default'),
	editDuringPoll: (host) =>
		during(
			() => stage.poll(host),
			() => republish(host),
		),
	renameDuringPoll: (host) =>
		during(
			() => stage.poll(host),
			() => republish(host, 'New'),
		),
	bootAndRename: async (host) => {
		// In the durable mode, n8n polls only after it has started.
		const isDurable = host.mode === 'durable';
		if (isDurable) await host.boot();
		await during(
			() => (isDurable ? host.tick() : host.boot()),
			() => republish(host, 'New'),
		);
	},
};

describe.each(MODES)('No event is lost or emitted twice, in the %s mode of n8n', (mode) => {
	const stories = {
		'n8n is killed before the second poll': 'event kill boot poll poll',
		'the workflow is edited, unpublished for a while, and n8n is killed':
			'event poll event edit poll event unpublish waitAnHour publish poll event kill boot poll event poll',
		'the node is renamed twice': 'event poll event rename poll poll event rename poll poll',
		'the node is renamed and gets its first name back just after it emitted events':
			'event poll rename event poll renameBack event poll poll poll',
		'the node is renamed just after it emitted events, and n8n is killed then':
			'event poll rename kill event boot poll',
		'the node is renamed during a poll without events, and n8n is killed then':
			'event poll renameDuringPoll kill event boot poll',
		'the node is renamed during a poll with an event, and n8n is killed then':
			'event poll event renameDuringPoll kill event boot poll',
		'the workflow is edited during a poll with an event, and n8n is killed then':
			'event poll event editDuringPoll kill event boot poll',
		'n8n is killed, and the node is renamed during the first poll after that':
			'event poll kill event bootAndRename poll poll',
		'n8n is killed, and the node is renamed before its first poll after that':
			'event poll kill event rename event poll poll',
		'the workflow is unpublished, n8n restarts, and the node is renamed':
			'event poll unpublish kill event publishRenamed event poll poll',
		'the mode of n8n changes':
			'event poll kill bootInOtherMode event poll poll kill bootInOtherMode event poll poll',
	};

	test.each(Object.entries(stories))('when %s', async (_, story) => {
		const [number] = stage.seed(3, { hoursAgo: 7 });
		const host = await stage.publish(mode);
		stage.clock.nowMs += 60_000;
		const codes: string[] = [];
		for (const what of story.split(' ')) {
			await happenings[what]?.(host);
			if (what !== 'event') continue;
			codes.push(`70${codes.length + 1}`);
			stage.add(number, codes.at(-1) ?? '');
		}
		expect(codesOf(host)).toEqual(codes);
	});

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
