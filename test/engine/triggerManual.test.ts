import { codesOf, setStage } from '../support/triggerStage';

const stage = setStage();

const operations = () => stage.sandbox.requests.map(({ operationId }) => operationId);

test('Fetch Test Event returns ten recent events, oldest first, with two requests', async () => {
	stage.sandbox.seedShipments(30, { hoursAgo: 60, spreadHours: 55 });
	const host = await stage.newHost('default');
	const events = (await host.fetchTestEvent({})) ?? [];
	expect(events).toHaveLength(10);
	expect(operations()).toEqual(['findShipments', 'trackShipments']);
	expect(stage.asked('findShipments')).toEqual([
		{ onlyMaster: false, createdFrom: '2026-05-11', start: 0, length: 10 },
	]);
	const dates = events.map(({ date }) => String(date));
	expect(dates).toEqual([...dates].sort());
	expect(dates.at(-1)?.slice(0, 13)).toBe('2026-06-10T10');
	expect(events[0]).toMatchObject({
		eventId: expect.any(String),
		dateTime: expect.stringContaining('+02:00'),
		shipmentId: expect.any(Number),
		carrierCode: 'ANT',
	});
});

test('Fetch Test Event changes nothing for the published workflow', async () => {
	const [shipment] = stage.sandbox.seedShipments(3, { hoursAgo: 20 });
	const host = await stage.newHost('default');
	await host.publish({});
	stage.sandbox.addEvent(shipment?.packageNumberCarrier ?? '', { code: '701' });
	const saved = host.savedState;
	const shown = await host.fetchTestEvent({});
	expect(shown?.map(({ code }) => code)).toContain('701');
	expect(host.savedState).toBe(saved);
	await stage.poll(host);
	expect(codesOf(host)).toEqual(['701']);
});

test('Fetch Test Event works before publishing, with listed shipments and one item per shipment', async () => {
	const [shipment] = stage.sandbox.seedShipments(1, { hoursAgo: 20 });
	const packageNumbers = shipment?.packageNumberCarrier ?? '';
	const host = await stage.newHost('default');
	const events = await host.fetchTestEvent({
		watch: 'list',
		shipments: { carriers: [{ carrierCode: 'ANT', packageNumbers }] },
		output: 'shipment',
	});
	expect(events).toMatchObject([
		{
			carrierCode: 'ANT',
			shipmentId: shipment?.id,
			shipment: { recipientName: 'Recipient 1' },
		},
	]);
	expect(events?.[0]?.events).toHaveLength(5);
	expect(operations()).toEqual(['trackShipments', 'findShipments']);
});

test('Fetch Test Event returns events of the selected types only, and checks more shipments for them', async () => {
	stage.sandbox.seedShipments(40, { hoursAgo: 60, spreadHours: 55 });
	const host = await stage.newHost('default');
	const events = await host.fetchTestEvent({ events: ['delivered'] });
	expect(events).toHaveLength(10);
	expect(events?.every(({ delivered }) => delivered === true)).toBe(true);
	expect(operations().filter((name) => name === 'findShipments').length).toBeGreaterThan(1);
});

test.each<[string, number, object, string, string]>([
	[
		'no shipment',
		0,
		{},
		'No shipments found',
		'matches the filters, has a number and was created in the last 30 days',
	],
	[
		'no event of the type',
		3,
		{ events: ['canceled'] },
		'No events of the selected types',
		'The 3 shipments checked have 15 events',
	],
	[
		'an unknown number',
		0,
		{ watch: 'list', shipments: { carriers: [{ carrierCode: 'ANT', packageNumbers: '42' }] } },
		'The shipments have no events yet',
		'The service said: Carrier ANT has no shipment 42.',
	],
])(
	'with %s, Fetch Test Event says why there is no sample',
	async (_, count, parameters, message, why) => {
		if (count > 0) stage.sandbox.seedShipments(count, { hoursAgo: 20 });
		const host = await stage.newHost('default');
		await expect(host.fetchTestEvent(parameters as never)).rejects.toMatchObject({
			message,
			description: expect.stringContaining(why),
		});
	},
);

test('with a refused credential, Fetch Test Event says so', async () => {
	const host = await stage.newHost('default');
	host.credential.data = { ...host.credential.data, headerValue: 'wrong' };
	await expect(host.fetchTestEvent({})).rejects.toMatchObject({
		message: 'The service refused the credential (401)',
	});
});
