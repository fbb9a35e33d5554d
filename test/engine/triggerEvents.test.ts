import { dialectNames } from '../../sandbox';
import { codesOf, MODES, setStage } from '../support/triggerStage';

// Which events come, and when, is in the simulation. Here are the items, the log and the test event.

const stage = setStage();

/** Publishes a trigger that watches a shipment in transit. */
async function watch(mode: (typeof MODES)[number] = 'default', parameters = {}) {
	const [number = ''] = stage.seed(2);
	const host = await stage.publish(mode, parameters);
	return { host, number, add: stage.add.bind(stage, number) };
}

test('An event is not new because the time zone of the account becomes known', async () => {
	const date = (second: string) => ({ date: `2026-06-10T10:59:${second}+02:00` });
	const [number] = stage.seed(1);
	const host = await stage.newHost('default');
	const dateTimeOf = (code: string) => host.events.find((each) => each.code === code)?.dateTime;
	host.timezone = 'America/New_York';
	stage.sandbox.fault({ operation: 'getAccount', kind: 'status', status: 500, times: Infinity });
	await host.publish({});
	stage.add(number, '701', date('01'));
	await stage.poll(host, 10);
	expect(dateTimeOf('701')).toBe('2026-06-10T04:59:01-04:00');
	// The account is asked again every half hour.
	await stage.pollTimes(20, host);
	expect(stage.asked('getAccount')).toHaveLength(2);
	stage.sandbox.clearFaults();
	await stage.pollTimes(30, host);
	stage.add(number, '702', date('02'));
	await stage.pollTimes(10, host);
	expect(dateTimeOf('702')).toBe('2026-06-10T10:59:02+02:00');
	// n8n starts again, and the state has the time zone.
	host.kill();
	await host.boot();
	stage.add(number, '703', date('03'));
	await stage.pollTimes(10, host);
	expect(dateTimeOf('703')).toBe('2026-06-10T10:59:03+02:00');
	expect(codesOf(host).filter((code) => /^70/.test(String(code)))).toEqual(['701', '702', '703']);
	expect(stage.asked('getAccount')).toHaveLength(3);
});

test('An event that comes under the numbers of two pieces is one, of its own piece', async () => {
	const [first, second] = stage.seed(2);
	const host = await stage.publish('default', {});
	stage.rewrite('trackShipments', ({ result }) => {
		const events = result.flatMap((row) => row.events as object[]);
		for (const row of result) row.events = events;
	});
	stage.add(second, '701', { category: 'DeliveredAddress', delivered: true });
	await stage.poll(host);
	expect(host.events).toMatchObject([{ code: '701', packageNumberCarrier: second }]);
	stage.add(first, '702');
	await stage.poll(host);
	expect(codesOf(host)).toEqual(['701', '702']);
});

test('If neither the form nor the service has a timezone, the one of the workflow is used, and the log says so', async () => {
	stage.rewrite('getAccount', ({ result }) => Object.assign(result, { timeZone: null }));
	const { host, add } = await watch();
	add('701', { date: '2026-01-14T09:31:07' });
	await stage.pollTimes(2, host);
	expect(host.events[0]?.dateTime).toBe('2026-01-14T09:31:07+01:00');
	expect(host.warnings).toEqual([expect.stringContaining('the workflow, Europe/Prague.')]);
	host.timezone = 'America/New_York';
	await host.republish();
	add('702', { date: '2026-01-14T09:31:07' });
	await stage.poll(host);
	expect(host.events.at(-1)?.dateTime).toBe('2026-01-14T09:31:07-05:00');
});

test('An item can be a shipment with its new events', async () => {
	const { host, add, number } = await watch('default', { output: 'shipment' });
	for (const code of ['701', '702']) add(code);
	await stage.poll(host);
	const ids = { packageNumberCarrier: number, shipmentId: 1001, pieceId: 1001, carrierCode: 'ANT' };
	const shipment = expect.objectContaining({ recipientName: 'Recipient 1' });
	const events = [{ code: '701' }, { code: '702' }].map((each) => expect.objectContaining(each));
	expect(host.events).toEqual([{ ...ids, shipment, events }]);
	await host.republish('update', { output: 'shipment', simplify: true });
	add('703', { category: 'DeliveredBack', delivered: true });
	await stage.poll(host);
	const returned = { eventGroup: 'returned', delivered: false };
	expect(host.events[1]).toMatchObject({ recipientName: 'Recipient 1', events: [returned] });
	expect(host.events[1]).not.toHaveProperty('delivered');
});

describe('Fetch Test Event', () => {
	test('changes nothing for the published workflow', async () => {
		const { host, add } = await watch();
		add('701');
		const saved = host.savedState;
		const shown = await host.fetchTestEvent({});
		expect(shown?.map(({ code }) => code)).toContain('701');
		expect(host.savedState).toBe(saved);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701']);
	});

	test('says so if no shipment matches', async () => {
		stage.seed(3);
		const host = await stage.newHost('default');
		const filters = { carrierCodes: ['BEAVER'] };
		const error = { message: 'No shipments found' };
		await expect(host.fetchTestEvent({ filters })).rejects.toMatchObject(error);
	});

	test('makes an example of a type without an event from a real shipment, and its name says so', async () => {
		const [number] = stage.seed(1);
		const host = await stage.newHost('default');
		const events = ['canceled', 'waitingForPickup'];
		const shown = await host.fetchTestEvent({ events, simplify: true });
		const common = { packageNumberCarrier: number, recipientName: 'Recipient 1' };
		expect(shown).toMatchObject([
			{ ...common, eventGroup: 'canceled', eventName: 'Example: Canceled' },
			{
				...{ ...common, eventGroup: 'waitingForPickup', days: 3 },
				eventName: 'Example: Waiting for Pickup for 3 days',
			},
		]);
	});
});

describe.each(dialectNames)('With a service of the %s dialect,', (dialect) => {
	const other = setStage({ dialect });

	test('Without a timezone in the form, dates are read in the one of the account, which is asked once', async () => {
		const host = await other.newHost('default');
		host.timezone = 'America/New_York';
		await host.publish({});
		const [number] = other.seed(1);
		await other.poll(host);
		other.add(number, '701', { date: '2026-06-10T10:59:00' });
		await other.pollTimes(30, host);
		expect(host.events.at(-1)?.dateTime).toBe('2026-06-10T10:59:00+02:00');
		expect([host.warnings, other.asked('getAccount')]).toEqual([[], [undefined]]);
	});

	test('An event of a category that belongs to no group is output', async () => {
		const host = await other.newHost('default');
		const [number = ''] = other.seed(1);
		await host.publish({});
		const add = other.add.bind(other, number);
		add('701', { category: 'Customs' });
		await other.poll(host);
		const custom = host.events.filter(({ eventGroup }) => eventGroup === null);
		expect(custom).toMatchObject([{ code: '701', category: 'Customs' }]);
	});
});
