import { codesOf, MODES, setStage } from '../support/triggerStage';

const stage = setStage();

const seedTwoCarriers = () => {
	const ants = stage.sandbox.seedShipments(20, { hoursAgo: 20 });
	const beavers = stage.sandbox.seedShipments(3, { serviceType: 'BEAVER-PARCEL', hoursAgo: 20 });
	return {
		ant: ants[6]?.packageNumberCarrier ?? '',
		beaver: beavers[0]?.packageNumberCarrier ?? '',
	};
};

const rewriteTracking = (
	carrier: string,
	rewrite: (row: { packageNumberCarrier: string }) => object,
) =>
	stage.sandbox.fault({
		operation: 'trackShipments',
		kind: 'body',
		times: 10,
		rewrite: (body: { result: Array<{ packageNumberCarrier: string }> }) =>
			body.result.some(({ packageNumberCarrier }) => packageNumberCarrier.startsWith(carrier))
				? { ...body, result: body.result.map(rewrite) }
				: body,
	} as never);

describe.each(MODES)('In the %s mode of n8n', (mode) => {
	test('a failing carrier does not affect the others, and its events are emitted later', async () => {
		const { ant, beaver } = seedTwoCarriers();
		const host = await stage.newHost(mode);
		await host.publish({});
		stage.sandbox.addEvent(ant, { code: '701' });
		stage.sandbox.addEvent(beaver, { code: '801' });
		// Rows without numbers belong to no shipment.
		rewriteTracking('BV', () => ({}));
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701']);
		stage.sandbox.addEvent(beaver, { code: '802' });
		await stage.poll(host);
		stage.sandbox.clearFaults();
		await stage.poll(host);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701', '801', '802']);
		expect(host.failures).toEqual([]);
	});

	test('a carrier that answers 500 is logged once, not every minute', async () => {
		const { beaver } = seedTwoCarriers();
		const host = await stage.newHost(mode);
		await host.publish({});
		stage.sandbox.addEvent(beaver, { code: '801' });
		for (let polls = 0; polls < 3; polls++) {
			// The first request is for ANT.
			stage.sandbox.fault({ operation: 'trackShipments', kind: 'status', status: 500, times: 1 });
			await stage.poll(host);
		}
		stage.sandbox.clearFaults();
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['801']);
		expect(host.failures).toEqual([]);
		expect(host.warnings).toEqual([
			expect.stringContaining(
				'The next poll retries them. The service could not complete the request (500)',
			),
		]);
	});

	test('one of 20 shipments fails: its events are emitted later, those of the others at once', async () => {
		const { ant } = seedTwoCarriers();
		const host = await stage.newHost(mode);
		await host.publish({});
		const others = stage.sandbox.database
			.shipments()
			.map((shipment) => shipment.packageNumberCarrier);
		stage.sandbox.addEvent(ant, { code: '701' });
		stage.sandbox.addEvent(others[3] ?? '', { code: '702' });
		rewriteTracking('00', (row) =>
			row.packageNumberCarrier === ant
				? { ...row, statusCode: 400, message: 'No', events: [] }
				: row,
		);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['702']);
		stage.sandbox.clearFaults();
		await stage.poll(host);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['702', '701']);
	});

	test('a shipment that could not be tracked at publishing emits its events since then', async () => {
		const { ant } = seedTwoCarriers();
		const host = await stage.newHost(mode);
		rewriteTracking('00', (row) =>
			row.packageNumberCarrier === ant
				? { ...row, statusCode: 400, message: 'No', events: [] }
				: row,
		);
		await host.publish({});
		stage.clock.nowMs += 60_000;
		stage.sandbox.addEvent(ant, { code: '701' });
		stage.sandbox.clearFaults();
		await stage.poll(host);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701']);
	});

	test.each(['status', 'rateLimit', 'halfBody', 'reset', 'html', 'nullResult'] as const)(
		'if every request fails (%s), the poll fails and no event is lost',
		async (kind) => {
			const { ant } = seedTwoCarriers();
			const host = await stage.newHost(mode);
			await host.publish({});
			await stage.poll(host);
			stage.sandbox.addEvent(ant, { code: '701' });
			stage.sandbox.fault({ operation: '*', kind, times: Infinity });
			await stage.poll(host);
			await stage.poll(host);
			expect(host.failures.map(({ name }) => name)).toEqual(['NodeApiError', 'NodeApiError']);
			stage.sandbox.clearFaults();
			await stage.poll(host);
			await stage.poll(host);
			expect(codesOf(host)).toEqual(['701']);
		},
	);

	test('overlapping polls emit each event once', async () => {
		const { ant } = seedTwoCarriers();
		const host = await stage.newHost(mode);
		await host.publish({});
		await stage.poll(host);
		stage.sandbox.addEvent(ant, { code: '701' });
		stage.sandbox.fault({ operation: 'trackShipments', kind: 'latency', ms: 50, times: 4 });
		const asked = stage.asked('findShipments').length;
		await Promise.all([host.tick(), host.tick(), host.tick()]);
		expect(codesOf(host)).toEqual(['701']);
		expect(stage.asked('findShipments')).toHaveLength(asked + 1);
	});

	test('a poll that starts while n8n is still saving the last one emits nothing twice', async () => {
		const { ant } = seedTwoCarriers();
		const host = await stage.newHost(mode);
		await host.publish({});
		await stage.poll(host);
		const { staticData, savedState } = host;
		stage.sandbox.addEvent(ant, { code: '701' });
		await stage.poll(host);
		// Published again from what the database had before.
		const saved = host.savedState;
		host.restore(staticData, savedState);
		await host.republish('update');
		expect(codesOf(host)).toEqual(['701']);
		host.restore(staticData, saved);
		await host.republish('update');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701']);
	});

	test('events that n8n has discarded are emitted again', async () => {
		const { ant } = seedTwoCarriers();
		const host = await stage.newHost(mode);
		await host.publish({});
		await stage.poll(host);
		const { staticData, savedState } = host;
		stage.sandbox.addEvent(ant, { code: '701' });
		await stage.poll(host);
		host.executions.length = 0;
		host.restore(staticData, savedState);
		await host.republish('update');
		await stage.poll(host);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701']);
	});
});

describe('At publishing', () => {
	test.each(['status', 'rateLimit', 'halfBody', 'reset'] as const)(
		'a temporary failure (%s) does not stop the workflow from being published',
		async (kind) => {
			seedTwoCarriers();
			const host = await stage.newHost('default');
			stage.sandbox.fault({ operation: '*', kind, times: Infinity });
			await host.publish({});
			expect(host.warnings).toHaveLength(1);
			// n8n shows the failure of a later poll as a failed execution, and keeps polling.
			await stage.poll(host);
			expect(host.failures).toHaveLength(1);
		},
	);

	test('a wrong credential is reported at once', async () => {
		const host = await stage.newHost('default');
		host.credential.data = { ...host.credential.data, headerValue: 'wrong' };
		await expect(host.publish({})).rejects.toMatchObject({
			message: 'The service refused the credential (401)',
			httpCode: '401',
		});
	});

	test.each<[string, object, string]>([
		['an empty list', { watch: 'list' }, 'No shipments to watch'],
		[
			'a list without carrier',
			{ watch: 'list', shipments: { carriers: [{ packageNumbers: '1' }] } },
			'A carrier is missing under Shipments',
		],
		['an unknown timezone', { timezone: 'Prague' }, 'Unknown timezone: "Prague"'],
	])('%s is reported at once', async (_, parameters, message) => {
		const host = await stage.newHost('default');
		await expect(host.publish(parameters as never)).rejects.toMatchObject({ message });
	});

	test('a carrier that does not exist is reported at once', async () => {
		const host = await stage.newHost('default');
		const shipments = { carriers: [{ carrierCode: 'NOBODY', packageNumbers: '1' }] };
		await expect(host.publish({ watch: 'list', shipments })).rejects.toMatchObject({
			httpCode: '404',
		});
	});
});

describe('When n8n starts', () => {
	test('even a refused credential does not disable the trigger', async () => {
		const { ant } = seedTwoCarriers();
		const host = await stage.newHost('default');
		await host.publish({});
		const { data } = host.credential;
		host.kill();
		host.credential.data = { ...data, headerValue: 'wrong' };
		await host.boot();
		await stage.poll(host);
		expect(host.failures).toMatchObject([{ httpCode: '401' }]);
		host.credential.data = data;
		stage.sandbox.addEvent(ant, { code: '701' });
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701']);
	});
});

test('an error tells the scheduler of n8n when to poll again', async () => {
	const host = await stage.newHost('durable');
	await host.publish({});
	stage.sandbox.fault({ operation: '*', kind: 'rateLimit', retryAfter: '120', times: 9 });
	await stage.poll(host);
	expect(host.failures).toMatchObject([
		{ failure: { cause: 'rate-limited', retryAfterMs: 120_000 }, httpCode: '429' },
	]);
});
