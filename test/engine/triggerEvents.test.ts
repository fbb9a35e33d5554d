import { codesOf, MODES, setStage } from '../support/triggerStage';

const stage = setStage();

/** Publishes a trigger that watches a shipment in transit. */
async function watch(mode: (typeof MODES)[number], parameters = {}) {
	const [shipment] = stage.sandbox.seedShipments(2, { hoursAgo: 20 });
	const host = await stage.newHost(mode);
	await host.publish(parameters);
	const number = shipment?.packageNumberCarrier ?? '';
	const add = (code: string, event = {}) => stage.sandbox.addEvent(number, { code, ...event });
	return { host, number, add };
}

describe.each(MODES)('In the %s mode of n8n, events', (mode) => {
	test('that arrive late with an older date are emitted once each', async () => {
		const { host, add } = await watch(mode);
		add('701');
		await stage.poll(host);
		add('702', { date: '2026-06-09T23:00:00' });
		await stage.poll(host);
		add('703', { date: '2020-01-01T00:00:00' });
		await stage.poll(host);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '702', '703']);
	});

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

	test('that one answer leaves out and the next one contains again are emitted once', async () => {
		const { host, add } = await watch(mode);
		add('701');
		await stage.poll(host);
		stage.sandbox.fault({
			operation: 'trackShipments',
			kind: 'body',
			rewrite: (body: { result: Array<{ events: unknown[] }> }) => {
				for (const row of body.result) row.events = [];
				return body;
			},
		} as never);
		await stage.poll(host);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701']);
	});

	test('of types that are not selected start no execution', async () => {
		const { host, add } = await watch(mode, {
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
		expect(codesOf(host)).toEqual(['703', '704', '705']);
		expect(host.events.map(({ eventGroup }) => eventGroup)).toEqual([
			'inTransit',
			'delivered',
			'readyForPickup',
		]);
	});

	test('can be emitted as one item per shipment', async () => {
		const { host, add, number } = await watch(mode, { output: 'shipment' });
		add('701');
		add('702');
		await stage.poll(host);
		expect(host.events).toEqual([
			{
				carrierCode: 'ANT',
				packageNumberCarrier: number,
				shipmentId: expect.any(Number),
				pieceId: expect.any(Number),
				shipment: expect.objectContaining({ recipientName: 'Recipient 1' }),
				events: [
					expect.objectContaining({ code: '701', eventId: expect.any(String) }),
					expect.objectContaining({ code: '702', dateTime: '2026-06-10T11:00:00+02:00' }),
				],
			},
		]);
	});

	test('after the delivery are emitted within an hour, for three days', async () => {
		const { host, add, number } = await watch(mode);
		const added = () => codesOf(host).filter((code) => String(code).startsWith('7'));
		add('700', { delivered: true });
		await stage.poll(host);
		add('701');
		await stage.poll(host, 61);
		stage.clock.nowMs += 70 * 3_600_000;
		add('702');
		await stage.poll(host);
		expect(added()).toEqual(['700', '701', '702']);

		stage.clock.nowMs += 73 * 3_600_000;
		await stage.poll(host);
		const asked = stage.asked('trackShipments').length;
		add('703');
		await stage.poll(host, 61);
		const later = stage.asked('trackShipments').slice(asked);
		expect(later.filter(({ packages }) => (packages as string[]).includes(number))).toEqual([]);
		expect(added()).toEqual(['700', '701', '702']);
	});
});

test.each<[string, string, string]>([
	['2025-10-26T02:30:00', 'Europe/Prague', '2025-10-26T02:30:00+02:00'],
	['2025-03-30T02:30:00', 'Europe/Prague', '2025-03-30T03:30:00+02:00'],
	['2026-01-14T09:31:07', 'Europe/Prague', '2026-01-14T09:31:07+01:00'],
	['2025-11-02T01:30:00', 'America/New_York', '2025-11-02T01:30:00-04:00'],
	['2026-01-14T09:31:07', 'UTC', '2026-01-14T09:31:07Z'],
])(
	'the date %s in %s is emitted as it is, and as dateTime %s',
	async (date, timezone, dateTime) => {
		const { host, add } = await watch('default', { timezone });
		add('701', { date });
		await stage.poll(host);
		expect(host.events).toMatchObject([{ date, dateTime }]);
	},
);

test('without a time zone in the options, the time zone of the workflow is used', async () => {
	const { host, add } = await watch('default');
	add('701', { date: '2026-06-10T10:00:00' });
	add('702', { date: '' });
	await stage.poll(host);
	expect(host.events).toMatchObject([
		{ dateTime: '2026-06-10T10:00:00+02:00' },
		{ dateTime: null },
	]);
});

test('without a time zone in the options, the log says once which one is used, if dates carry no offset', async () => {
	const { host, add } = await watch('default');
	add('701');
	await stage.poll(host);
	await stage.poll(host);
	expect(host.notices).toEqual([
		expect.stringContaining('They are read in the timezone of the workflow, Europe/Prague.'),
	]);
	const { host: configured } = await watch('default', { timezone: 'Europe/Prague' });
	await stage.poll(configured);
	expect(configured.notices).toEqual([]);
});

test('events with mixed dates are emitted in the order of their moments', async () => {
	const { host, add } = await watch('default');
	add('703', { date: '2026-06-10T11:00:30' });
	add('701', { date: '2026-06-10T08:59:10.1234567Z' });
	add('702', { date: '2026-06-10T12:00:20+03:00' });
	await stage.poll(host);
	expect(codesOf(host)).toEqual(['701', '702', '703']);
	expect(host.events[1]).toMatchObject({
		date: '2026-06-10T12:00:20+03:00',
		dateTime: '2026-06-10T11:00:20+02:00',
	});
});

test('an item has all fields of the event, and its shipment', async () => {
	const { host, add, number } = await watch('default');
	add('701');
	await stage.poll(host);
	expect(host.events).toEqual([
		{
			date: '2026-06-10T11:00:00',
			category: 'TransitOnTheWay',
			code: '701',
			name: 'Something happened on the way',
			nameSystem: 'Added by hand',
			type: 'Event',
			item: number,
			delivered: false,
			canceled: false,
			eventCarrierCode: 'X-01',
			eventGroup: 'inTransit',
			dateTime: '2026-06-10T11:00:00+02:00',
			eventId: expect.stringMatching(/^[\w-]{22}$/),
			packageNumberCarrier: number,
			shipmentId: 1001,
			pieceId: 1001,
			carrierCode: 'ANT',
			shipment: {
				packageNumberCustom: 'SEED-1',
				recipientName: 'Recipient 1',
				recipientEmail: 'recipient1@example.com',
				recipientPhone: '+420777123456',
				trackingUrl: expect.stringContaining(number),
				orderId: null,
				cod: { amount: null, currency: null },
				delivered: false,
			},
		},
	]);
});
