import { setStage } from '../support/triggerStage';

// What goes wrong with requests, n8n and carriers is in the simulation. Here are failed executions, log messages
// and errors at publishing.

const stage = setStage();

test('n8n logs once that the requests for one carrier fail', async () => {
	stage.seed(1);
	stage.seed(1, { serviceType: 'BEAVER-PARCEL' });
	const host = await stage.publish('default');
	const isOfBeaver = ({ packages }: { packages: string[] }) => packages[0]?.startsWith('BV');
	const fault = { operation: 'trackShipments', kind: 'status', status: 500, times: Infinity };
	stage.sandbox.fault({ ...fault, onlyIf: isOfBeaver } as never);
	await stage.pollTimes(30, host);
	expect(host.failures).toEqual([]);
	expect(host.warnings).toEqual([
		expect.stringContaining(
			'The next poll retries them. The provider could not complete the request (500)',
		),
	]);
});

test('an error tells the scheduler of n8n when to poll again', async () => {
	const host = await stage.publish('durable');
	stage.sandbox.fault({ operation: '*', kind: 'rateLimit', times: Infinity, retryAfter: '120' });
	await stage.poll(host);
	expect(host.failures).toMatchObject([
		{ failure: { cause: 'rate-limited', retryAfterMs: 120_000 }, httpCode: '429' },
	]);
});

test('a number that the provider refuses fails no poll', async () => {
	const [number = ''] = stage.seed(1);
	const host = await stage.publish('default');
	stage.sandbox.poisonNumber(number, 'unnamed');
	await stage.pollTimes(3, host);
	expect(host.failures).toEqual([]);
});

describe('At publishing', () => {
	const refused = { message: expect.stringContaining('(401)'), httpCode: '401' };
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
