import { refuseNumber } from '../support/refusedNumbers';
import { codesOf, MODES, setStage } from '../support/triggerStage';

const stage = setStage();

/** Changes the rows of some shipments in the responses to requests for events. */
const changeRows = (start: string, change: object) =>
	stage.rewrite('trackShipments', ({ result }) => {
		const rows = result.filter((row) => String(row.packageNumberCarrier).startsWith(start));
		for (const row of rows) Object.assign(row, change);
	});
const refused = { statusCode: 400, message: 'No', events: [] };
const failAll = (kind: 'status' | 'rateLimit' | 'html') => () =>
	stage.sandbox.fault({ operation: '*', kind, times: Infinity });
const listOf = (carrierCode: string, packageNumbers: string) => ({
	watch: 'list',
	shipments: { carriers: [{ carrierCode, packageNumbers }] },
});
const failBeaver = () => {
	const isOfBeaver = ({ packages }: { packages: string[] }) =>
		packages.some((number) => number.startsWith('BV'));
	const fault = { operation: 'trackShipments', kind: 'status', status: 500, times: Infinity };
	stage.sandbox.fault({ ...fault, onlyIf: isOfBeaver } as never);
};
const beaver = { serviceType: 'BEAVER-PARCEL' };

describe.each(MODES)('In the %s mode of n8n', (mode) => {
	const publish = async () => {
		const [ant] = stage.seed(20);
		const [ofBeaver] = stage.seed(3, beaver);
		return { host: await stage.publish(mode), ant, ofBeaver };
	};

	test.each<[string, (ant: string) => void, string[]]>([
		['the requests for one carrier fail', failBeaver, ['701']],
		// Rows without numbers belong to no shipment.
		[
			'one carrier has no numbers in its rows',
			() => changeRows('BV', { packageNumberCarrier: '' }),
			['701'],
		],
		['one of 20 shipments fails', (ant) => changeRows(ant, refused), ['801']],
		['every request fails (500)', failAll('status'), []],
		['every request fails (429)', failAll('rateLimit'), []],
		['every request fails (a login page)', failAll('html'), []],
	])('if %s, the others go on, and no event is lost or emitted twice', async (_, fail, codes) => {
		const { host, ant = '', ofBeaver } = await publish();
		await stage.poll(host);
		stage.add(ant, '701');
		stage.add(ofBeaver, '801');
		fail(ant);
		await stage.poll(host);
		expect(codesOf(host)).toEqual(codes);
		await stage.poll(host);
		stage.sandbox.clearFaults();
		await stage.pollTimes(2, host);
		expect(codesOf(host).sort()).toEqual(['701', '801']);
		const failures = codes.length > 0 ? [] : ['NodeApiError', 'NodeApiError'];
		expect(host.failures.map(({ name }) => name)).toEqual(failures);
		// n8n's log has it once, not every minute.
		const warning = 'The next poll retries them. The service could not complete the request (500)';
		const warnings = fail === failBeaver ? [expect.stringContaining(warning)] : [];
		expect(host.warnings).toEqual(warnings);
	});

	test('polls of a version that was replaced are silent, and the log says so once', async () => {
		const { host, ant } = await publish();
		const pollReplaced = host.leak();
		await host.republish('update');
		await stage.poll(host);
		stage.add(ant, '701');
		const { staticData, savedState } = host;
		await pollReplaced();
		await pollReplaced();
		expect(codesOf(host)).toEqual([]);
		expect([host.staticData, host.savedState]).toEqual([staticData, savedState]);
		expect(host.warnings).toEqual([
			expect.stringContaining('n8n still polls with an earlier version of the workflow'),
		]);
		await stage.poll(host);
		await pollReplaced();
		expect(codesOf(host)).toEqual(['701']);
	});

	test('when n8n starts, even a refused credential does not disable the trigger', async () => {
		const { host, ant } = await publish();
		const { data } = host.credential;
		host.kill();
		host.credential.data = { ...data, headerValue: 'wrong' };
		await host.boot();
		await stage.poll(host);
		expect(host.failures).toMatchObject([{ httpCode: '401' }]);
		host.credential.data = data;
		stage.add(ant, '701');
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['701']);
	});
});

describe('If n8n allows a poll another time than usual', () => {
	test('a failure under the durable scheduler is a failed execution', async () => {
		const host = await stage.newHost('durable');
		host.budgetMs.durable = 480_000;
		await host.publish({});
		failAll('status')();
		await stage.poll(host);
		expect(host.failures).toHaveLength(1);
	});

	test('a temporary failure does not stop a version from being published in the default mode', async () => {
		const host = await stage.newHost('default');
		host.budgetMs.default = 120_000;
		await host.publish({});
		failAll('status')();
		await host.republish('update');
		expect(host.warnings).toHaveLength(1);
	});
});

describe('At publishing', () => {
	test.each(['status', 'rateLimit', 'halfBody', 'reset'] as const)(
		'a temporary failure (%s) does not stop the workflow from being published',
		async (kind) => {
			stage.sandbox.fault({ operation: '*', kind, times: Infinity });
			const host = await stage.publish('default');
			expect(host.warnings).toHaveLength(1);
			// n8n shows the failure of a later poll as a failed execution, and keeps polling.
			await stage.poll(host);
			expect(host.failures).toHaveLength(1);
		},
	);

	const refusedCredential = {
		message: 'The service refused the credential (401)',
		httpCode: '401',
	};
	test.each<[string, object, object]>([
		['a wrong credential', {}, refusedCredential],
		['an empty list', { watch: 'list' }, { message: 'No shipments to watch' }],
		[
			'a list without carrier',
			listOf('', '1'),
			{ message: "A carrier is missing under 'Shipments'" },
		],
		['an unknown timezone', { timezone: 'Prague' }, { message: 'Unknown timezone: "Prague"' }],
		['a carrier that does not exist', listOf('NOBODY', '1'), { httpCode: '404' }],
	])('%s is reported at once', async (what, parameters, error) => {
		const host = await stage.newHost('default');
		const { data } = host.credential;
		if (what === 'a wrong credential') host.credential.data = { ...data, headerValue: 'wrong' };
		await expect(host.publish(parameters as never)).rejects.toMatchObject(error);
	});
});

test('an error tells the scheduler of n8n when to poll again', async () => {
	const host = await stage.publish('durable');
	stage.sandbox.fault({ operation: '*', kind: 'rateLimit', retryAfter: '120', times: 9 });
	await stage.poll(host);
	expect(host.failures).toMatchObject([
		{ failure: { cause: 'rate-limited', retryAfterMs: 120_000 }, httpCode: '429' },
	]);
});

const requestsWith = (number: string | undefined) =>
	stage.requested().filter((numbers) => numbers.includes(number ?? ''));

describe('A number that makes the whole request fail', () => {
	test('is requested alone once an hour, is logged once, and its events are emitted later', async () => {
		const [number = '', other] = stage.seed(10);
		const host = await stage.publish('default');
		refuseNumber(stage.sandbox, number, false);
		await stage.poll(host);
		const asked = requestsWith(number).length;
		// The state is saved with an event. It also has the refused number after a restart.
		stage.add(other, '701');
		await stage.poll(host);
		host.kill();
		await host.boot();
		await stage.pollTimes(57, host);
		expect(requestsWith(number)).toHaveLength(asked);
		expect(host.warnings).toEqual([
			`Parcel Shipping Trigger: The service refuses to track shipment ${number} of carrier ANT. From now on it is requested alone, once an hour. The service said: Entity not found`,
		]);

		stage.add(number, '702');
		await stage.pollTimes(2, host);
		expect(requestsWith(number).slice(asked)).toEqual([[number]]);
		stage.sandbox.clearFaults();
		await stage.poll(host, 60);
		expect(codesOf(host)).toEqual(['701', '702']);
		// From now on, it is requested with the others again.
		await stage.poll(host);
		expect(requestsWith(number).at(-1)).toHaveLength(10);
	});

	test('is not blamed if the carrier refuses every number, and its events arrive as soon as it recovers', async () => {
		const ants = stage.seed(60);
		const [ofBeaver] = stage.seed(2, beaver);
		const host = await stage.publish('default');
		for (const number of ants) refuseNumber(stage.sandbox, number, false);
		stage.add(ants[7], '701');
		stage.add(ofBeaver, '801');
		await stage.pollTimes(3, host);
		expect(requestsWith(ants[0]).length).toBeLessThan(14);
		expect(codesOf(host)).toEqual(['801']);
		expect(host.failures).toEqual([]);
		expect(host.warnings).toEqual([
			expect.stringContaining('The next poll retries them. The service said: Entity not found'),
		]);
		stage.sandbox.clearFaults();
		await stage.poll(host);
		expect(codesOf(host)).toEqual(['801', '701']);
	});

	test('does not stop the workflow from being published, nor make existing events new', async () => {
		const [number = '', other] = stage.seed(10);
		refuseNumber(stage.sandbox, number, false);
		const host = await stage.publish('default');
		stage.add(other, '701');
		await stage.poll(host);
		stage.sandbox.clearFaults();
		await stage.poll(host, 61);
		expect(codesOf(host)).toEqual(['701']);
		expect(host.failures).toEqual([]);
	});

	test('stops it from being published if the user entered only such numbers', async () => {
		const [number = ''] = stage.seed(1);
		refuseNumber(stage.sandbox, number, true);
		const listed = stage.publish('default', listOf('ANT', number));
		await expect(listed).rejects.toThrow('Entity not found');
	});
});

test('Cash on Delivery turned off watches only shipments without it, also if the service ignores it', async () => {
	const [cod] = stage.seed(1, { cod: true, codPrice: 10, codCurrency: 'CZK' });
	const [other] = stage.seed(1);
	const host = await stage.publish('default', { filters: { cod: false } });
	stage.add(cod, '701');
	stage.add(other, '702');
	await stage.poll(host);
	expect(codesOf(host)).toEqual(['702']);
	expect(stage.asked('findShipments').at(-1)).toMatchObject({ cod: false });
});

test.each<[string, object, boolean]>([
	['that the service cannot track', { trackable: false }, false],
	['that the service can no longer track', { trackable: false }, true],
	['that has no carrier number yet', { packageNumberCarrier: null }, false],
])('a shipment %s is not requested until that changes', async (_, fields, isWatched) => {
	const [, number] = stage.seed(3);
	const host = await stage.newHost('default');
	if (isWatched) await host.publish({});
	const times = isWatched ? 2 : 3;
	stage.rewrite(
		'findShipments',
		({ result }) => {
			const record = result.data.find((each) => each.packageNumberCarrier === number);
			Object.assign(record ?? {}, fields);
		},
		times,
	);
	if (!isWatched) await host.publish({});
	const asked = requestsWith(number).length;
	stage.add(number, '701');
	await stage.pollTimes(2, host);
	expect(requestsWith(number)).toHaveLength(asked);
	await stage.poll(host);
	expect(codesOf(host)).toEqual(['701']);
});
