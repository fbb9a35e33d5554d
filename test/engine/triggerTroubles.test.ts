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
	test("one carrier's trouble leaves the others alone, and it catches up", async () => {
		const { ant, beaver } = seedTwoCarriers();
		const host = await stage.newHost(mode);
		await host.publish({});
		stage.sandbox.addEvent(ant, { code: '701' });
		stage.sandbox.addEvent(beaver, { code: '801' });
		// An answer without rows is no answer for these shipments.
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

	test('a carrier that answers 500 is said in the log once, not every minute', async () => {
		const { beaver } = seedTwoCarriers();
		const host = await stage.newHost(mode);
		await host.publish({});
		stage.sandbox.addEvent(beaver, { code: '801' });
		for (let polls = 0; polls < 3; polls++) {
			// The first request is that of the ants, who have been waiting as long.
			stage.sandbox.fault({ operation: 'trackShipments', kind: 'status', status: 500, times: 1 });
			await stage.poll(host);
		}
		stage.sandbox.clearFaults();
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['801']);
		expect(host.failures).toEqual([]);
		expect(host.warnings).toEqual([
			expect.stringContaining(
				'the next poll goes on. The service could not complete the request (500)',
			),
		]);
	});

	test('shipment 7 of 20 fails: the others go on, it catches up', async () => {
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

	test('a shipment that could not be tracked at publishing brings what happened since', async () => {
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
		'when nothing at all can be asked (%s) the poll fails, and nothing is lost',
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

	test('polls that overlap emit once', async () => {
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

	test('a poll that begins while n8n still saves the last one does not repeat it', async () => {
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

	test('events that n8n has thrown away come again', async () => {
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
		'a passing trouble (%s) does not stand in the way',
		async (kind) => {
			seedTwoCarriers();
			const host = await stage.newHost('default');
			stage.sandbox.fault({ operation: '*', kind, times: Infinity });
			await host.publish({});
			expect(host.warnings).toHaveLength(1);
			// The next poll may say so: n8n shows it as a failed execution and goes on.
			await stage.poll(host);
			expect(host.failures).toHaveLength(1);
		},
	);

	test('a wrong credential is said at once', async () => {
		const host = await stage.newHost('default');
		host.credential.data = { ...host.credential.data, headerValue: 'wrong' };
		await expect(host.publish({})).rejects.toMatchObject({
			message: 'The service refused the credential (401)',
			httpCode: '401',
		});
	});

	test.each<[string, object, string]>([
		['an empty list', { watch: 'list' }, 'There is no shipment to watch'],
		[
			'a list without carrier',
			{ watch: 'list', shipments: { carriers: [{ packageNumbers: '1' }] } },
			'A carrier is missing under Shipments',
		],
		[
			'an unknown zone',
			{ options: { timezone: 'Prague' } },
			'Timezone is not one that is known: "Prague"',
		],
	])('%s is said at once', async (_, parameters, message) => {
		const host = await stage.newHost('default');
		await expect(host.publish(parameters as never)).rejects.toMatchObject({ message });
	});

	test('a carrier that does not exist is said at once', async () => {
		const host = await stage.newHost('default');
		const shipments = { carriers: [{ carrierCode: 'NOBODY', packageNumbers: '1' }] };
		await expect(host.publish({ watch: 'list', shipments })).rejects.toMatchObject({
			httpCode: '404',
		});
	});
});

describe('When n8n starts', () => {
	test('even a refused credential does not kill the trigger', async () => {
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

test('the scheduler is told why, so that it knows when to come back', async () => {
	const host = await stage.newHost('durable');
	await host.publish({});
	stage.sandbox.fault({ operation: '*', kind: 'rateLimit', retryAfter: '120', times: 9 });
	await stage.poll(host);
	expect(host.failures).toMatchObject([
		{ failure: { cause: 'rate-limited', retryAfterMs: 120_000 }, httpCode: '429' },
	]);
});
