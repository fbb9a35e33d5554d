import { codesOf, MODES, setStage } from '../support/triggerStage';

const stage = setStage();

/** Publishes a trigger that watches a shipment in transit. */
async function watch(mode: (typeof MODES)[number] = 'default', parameters = {}) {
	const [number = ''] = stage.seed(2);
	const host = await stage.publish(mode, parameters);
	return { host, number, add: stage.add.bind(stage, number) };
}

describe.each(MODES)('In the %s mode of n8n, events', (mode) => {
	test('of the same second, without a date, repeated or with another text are emitted once each, oldest first', async () => {
		const { host, add } = await watch(mode);
		const date = '2026-06-10T10:59:00';
		add('704', { date: '' });
		add('702', { date });
		add('703', { date, name: 'The first of two texts' });
		add('703', { date, name: 'The second of two texts', nameSystem: 'Another text' });
		add('701', { date: '2026-06-10T10:58:59' });
		stage.sandbox.setTracking('ANT', { repeated: true });
		await stage.poll(host);
		stage.sandbox.setTracking('ANT', { shuffled: true });
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '702', '703', '704']);
		expect(host.executions).toHaveLength(1);
	});
});

test('events of types that are not selected start no execution', async () => {
	const { host, add } = await watch('default', {
		events: ['delivered', 'readyForPickup', 'TransitOnTheWay'],
	});
	add('701', { category: 'TransitCarrier' });
	add('702', { category: 'Customs' });
	await stage.poll(host);
	expect(host.executions).toEqual([]);
	add('703', { category: 'TransitOnTheWay' });
	add('704', { category: 'DeliveredAddress' });
	add('705', { category: 'TransitReady' });
	await stage.poll(host);
	expect(host.events.map(({ code, eventGroup }) => [code, eventGroup])).toEqual([
		['703', 'inTransit'],
		['704', 'delivered'],
		['705', 'readyForPickup'],
	]);
});

test.each(MODES)(
	'only the first of each group starts the workflow, if the user wants it, in the %s mode',
	async (mode) => {
		const { host, add } = await watch(mode, { repeatedEvents: 'first' });
		const flags = () =>
			host.events.map(({ code, isFirstOfGroup, isLatest }) => [code, isFirstOfGroup, isLatest]);
		// The shipment was already in transit at publishing.
		add('701', { category: 'TransitOnTheWay' });
		add('702', { category: 'Delivered', date: '2026-06-10T10:59:00' });
		await stage.poll(host);
		host.kill();
		await host.boot();
		add('703', { category: 'DeliveredAddress' });
		add('704', { category: 'TransitReady', date: '2026-06-10T10:58:00' });
		add('705', { category: 'Customs' });
		await stage.poll(host);
		expect(flags()).toEqual([
			['702', true, false],
			['704', true, false],
			['705', true, true],
		]);
		await host.republish('update', { repeatedEvents: 'all' });
		add('706', { category: 'Delivered', date: '2026-06-10T10:57:00' });
		await stage.poll(host, 60);
		expect(flags()[3]).toEqual(['706', false, false]);
	},
);

test.each<[string, string, string | null]>([
	['2025-10-26T02:30:00', 'Europe/Prague', '2025-10-26T02:30:00+02:00'],
	['2026-01-14T09:31:07', '', '2026-01-14T09:31:07+01:00'],
	['', 'UTC', null],
])('the date "%s" in the timezone "%s" is kept, with dateTime %s', async (date, zone, dateTime) => {
	const { host, add } = await watch('default', { timezone: zone });
	add('701', { date });
	await stage.poll(host);
	expect(host.events).toMatchObject([{ date, dateTime }]);
});

test('without a timezone in the options, the log says once that the one of the workflow is used', async () => {
	const { host, add } = await watch();
	add('701');
	await stage.pollTimes(2, host);
	expect(host.notices).toEqual([
		expect.stringContaining('They are read in the timezone of the workflow, Europe/Prague.'),
	]);
	const { host: configured } = await watch('default', { timezone: 'Europe/Prague' });
	await stage.poll(configured);
	expect(configured.notices).toEqual([]);
});

test('an item can be a shipment with its new events', async () => {
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
	expect(host.events[1]).toMatchObject({
		recipientName: 'Recipient 1',
		events: [{ eventGroup: 'returned', delivered: false }],
	});
	expect(host.events[1]).not.toHaveProperty('delivered');
});

describe('Fetch Test Event', () => {
	const operations = () => stage.sandbox.requests.map(({ operationId }) => operationId);
	const listOf = (packageNumbers: string) => ({
		watch: 'list',
		shipments: { carriers: [{ carrierCode: 'ANT', packageNumbers }] },
	});

	test('returns ten recent events, oldest first, with two requests', async () => {
		stage.seed(30, { hoursAgo: 60, spreadHours: 55 });
		const host = await stage.newHost('default');
		const events = (await host.fetchTestEvent({})) ?? [];
		expect(operations()).toEqual(['findShipments', 'trackShipments']);
		const dates = events.map(({ date }) => String(date));
		expect(dates).toHaveLength(10);
		expect(dates).toEqual([...dates].sort());
		expect(dates.at(-1)?.slice(0, 13)).toBe('2026-06-10T10');
	});

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

	test('works before publishing, with listed shipments and one item per shipment', async () => {
		const [number = ''] = stage.seed(1);
		const host = await stage.newHost('default');
		const events = await host.fetchTestEvent({ ...listOf(number), output: 'shipment' });
		const shipment = { recipientName: 'Recipient 1' };
		expect(events).toMatchObject([{ carrierCode: 'ANT', shipmentId: 1001, shipment }]);
		expect(events?.[0]?.events).toHaveLength(5);
	});

	test('returns events of the selected types only, and checks more shipments for them', async () => {
		stage.seed(40, { hoursAgo: 60, spreadHours: 55 });
		const host = await stage.newHost('default');
		const events = await host.fetchTestEvent({ events: ['delivered'] });
		expect(events?.map(({ delivered }) => delivered)).toEqual(Array(10).fill(true));
		expect(operations().filter((name) => name === 'findShipments').length).toBeGreaterThan(1);
	});

	test.each<[string, object, string, string]>([
		['no shipment matches', { filters: { carrierCodes: ['BEAVER'] } }, 'No shipments found', ''],
		[
			'no event has the type',
			{ events: ['canceled'] },
			'No events of the selected types',
			'The 3 shipments checked have 15 events',
		],
		[
			'a number is unknown',
			listOf('42'),
			'The shipments have no events yet',
			'The service said: Carrier ANT has no shipment 42.',
		],
	])('says so if %s', async (_, parameters, message, why) => {
		stage.seed(3);
		const host = await stage.newHost('default');
		const description = expect.stringContaining(why);
		const error = { message, description };
		await expect(host.fetchTestEvent(parameters as never)).rejects.toMatchObject(error);
	});
});
