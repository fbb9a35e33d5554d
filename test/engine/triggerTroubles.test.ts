import { readSeed } from '../../sandbox';
import { codesOf, MODES, setStage } from '../support/triggerStage';

// What goes wrong with requests, n8n and carriers is in the simulation. Here are the form: failed executions,
// log messages, errors at publishing, and how often a refused number is requested.

const stage = setStage();

const failAll = (kind: 'status' | 'rateLimit' | 'html' | 'reset', more = {}) =>
	stage.sandbox.fault({ operation: '*', kind, times: Infinity, ...more });
const listOf = (carrierCode: string, packageNumbers: string) => ({
	watch: 'list',
	shipments: { carriers: [{ carrierCode, packageNumbers }] },
});
const beaver = { serviceType: 'BEAVER-PARCEL' };
const requestsWith = (number: string | undefined) =>
	stage.requested().filter((numbers) => numbers.includes(number ?? ''));

const failOne = (number: string, message = 'No') =>
	stage.rewrite('trackShipments', ({ result }) => {
		const row = result.find(({ packageNumberCarrier }) => packageNumberCarrier === number);
		Object.assign(row ?? {}, { statusCode: 400, message, events: [] });
	});
const failBeaver = () => {
	const isOfBeaver = ({ packages }: { packages: string[] }) => packages[0]?.startsWith('BV');
	const fault = { operation: 'trackShipments', kind: 'status', status: 500, times: Infinity };
	stage.sandbox.fault({ ...fault, onlyIf: isOfBeaver } as never);
};

describe.each(MODES)('In the %s mode of n8n', (mode) => {
	const publish = async () => {
		const [[ant = ''], [ofBeaver = '']] = [stage.seed(20), stage.seed(3, beaver)];
		return { host: await stage.publish(mode), ant, ofBeaver };
	};

	const LOGGED = 'The next poll retries them. The provider could not complete the request (500)';
	test.each<[string, (ant: string) => void, string[], string[]]>([
		['the requests for one carrier fail', failBeaver, ['701'], [LOGGED]],
		['one of 20 shipments fails', failOne, ['801'], []],
		['every request fails (a login page)', () => failAll('html'), [], []],
	])('if %s, the others go on, and no event is lost or emitted twice', async (_, ...given) => {
		const [fail, codes, logged] = given;
		const { host, ant, ofBeaver } = await publish();
		await stage.poll(host);
		stage.add(ant, '701');
		stage.add(ofBeaver, '801');
		fail(ant);
		await stage.pollTimes(2, host);
		expect(codesOf(host)).toEqual(codes);
		stage.sandbox.clearFaults();
		await stage.pollTimes(2, host);
		expect(codesOf(host).sort()).toEqual(['701', '801']);
		const failures = codes.length > 0 ? [] : ['NodeApiError', 'NodeApiError'];
		expect(host.failures.map(({ name }) => name)).toEqual(failures);
		// n8n's log has it once, not every minute.
		expect(host.warnings).toEqual(logged.map((text) => expect.stringContaining(text)));
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
		expect([codesOf(host), host.staticData, host.savedState]).toEqual([[], staticData, savedState]);
		expect(host.warnings).toEqual([
			expect.stringContaining('n8n still polls with an earlier version of the workflow'),
		]);
	});
});

test('an error tells the scheduler of n8n when to poll again', async () => {
	const host = await stage.publish('durable');
	failAll('rateLimit', { retryAfter: '120' });
	await stage.poll(host);
	expect(host.failures).toMatchObject([
		{ failure: { cause: 'rate-limited', retryAfterMs: 120_000 }, httpCode: '429' },
	]);
});

test.each(MODES)(
	'a number that the service begins to refuse fails the polls until it is accepted, if the user entered no other (%s mode)',
	async (mode) => {
		const [number = ''] = stage.seed(1);
		const host = await stage.publish(mode, listOf('ANT', number) as never);
		stage.sandbox.poisonNumber(number, 'unnamed');
		await stage.pollTimes(3, host);
		expect(host.failures).toHaveLength(3);
		stage.add(number, '701');
		stage.sandbox.acceptNumber(number);
		await stage.poll(host);
		expect([codesOf(host), host.failures.length, host.warnings]).toEqual([['701'], 3, []]);
	},
);

describe('At publishing', () => {
	test('a temporary failure does not stop the workflow from being published, and is a failed execution later', async () => {
		failAll('reset');
		const host = await stage.publish('default');
		expect(host.warnings).toHaveLength(1);
		await stage.poll(host);
		expect(host.failures).toHaveLength(1);
	});

	test.each(MODES)(
		'of other filters while the service is down, events since then are new (%s mode)',
		async (mode) => {
			stage.seed(1);
			const [number = ''] = stage.seed(1, beaver);
			const host = await stage.publish(mode, { filters: { carrierCodes: ['ANT'] } });
			stage.add(number, '701');
			stage.clock.nowMs += 60_000;
			failAll('status');
			await host.republish('update', { filters: { carrierCodes: ['BEAVER'] } });
			stage.clock.nowMs += 60_000;
			stage.add(number, '702');
			stage.sandbox.clearFaults();
			await stage.poll(host);
			expect(codesOf(host)).toEqual(['702']);
		},
	);

	const refused = { message: 'The provider refused the credential (401)', httpCode: '401' };
	test.each<[string, object, object]>([
		['a wrong credential', {}, refused],
		['an unknown timezone', { timezone: 'Prague' }, { message: 'Invalid Timezone: "Prague"' }],
	])('%s is reported at once', async (what, parameters, error) => {
		const host = await stage.newHost('default');
		const { data } = host.credential;
		if (what === 'a wrong credential') host.credential.data = { ...data, headerValue: 'wrong' };
		await expect(host.publish(parameters as never)).rejects.toMatchObject(error);
	});
});

test('a shipment that the provider cannot track yet is requested every ten minutes', async () => {
	const [number = ''] = stage.seed(1);
	// Of another carrier, so that it does not fill requests that have room.
	stage.seed(1, beaver);
	failOne(number);
	const host = await stage.publish('default');
	await stage.pollTimes(60, host);
	expect(requestsWith(number)).toHaveLength(1 + 60 / 10);
	stage.add(number, '701');
	stage.sandbox.clearFaults();
	await stage.pollTimes(10, host);
	expect(codesOf(host)).toEqual(['701']);
	expect(host.warnings).toEqual([]);
});

test('Fetch Test Event says why a shipment has no events, without the secret that the service has repeated', async () => {
	const [number = ''] = stage.seed(1);
	failOne(number, `No ${readSeed().credentials.header.value}`);
	const host = await stage.newHost('default');
	await expect(host.fetchTestEvent({})).rejects.toMatchObject({
		message: expect.stringMatching(/^The provider said: No \*+$/),
	});
});

describe('A number that makes the whole request fail', () => {
	test('is requested alone once an hour, is logged once, and its events are emitted later', async () => {
		const [number = '', other] = stage.seed(10);
		const host = await stage.publish('default');
		stage.sandbox.poisonNumber(number, 'unnamed');
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
			`Parcel Shipping Trigger: The provider refuses to track shipment ${number} of carrier ANT. From now on it is requested alone, once an hour. The provider said: Entity not found`,
		]);

		stage.add(number, '702');
		await stage.pollTimes(2, host);
		expect(requestsWith(number).slice(asked)).toEqual([[number]]);
		stage.sandbox.acceptNumber(number);
		await stage.poll(host, 60);
		expect(codesOf(host)).toEqual(['701', '702']);
		// From now on, it is requested with the others again.
		await stage.poll(host, 10);
		expect(requestsWith(number).at(-1)).toHaveLength(10);
	});

	test('does not stop the workflow from being published, unless the user entered only such numbers', async () => {
		const [number = ''] = stage.seed(1);
		stage.sandbox.poisonNumber(number);
		const host = await stage.publish('default');
		await stage.poll(host);
		expect([codesOf(host), host.failures]).toEqual([[], []]);
		const listed = stage.publish('default', listOf('ANT', number));
		await expect(listed).rejects.toThrow('Entity not found');
	});
});
