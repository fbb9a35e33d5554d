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

test('an unknown timezone is reported at publishing', async () => {
	const host = await stage.newHost('default');
	const error = { message: 'Invalid Timezone: "Prague"' };
	await expect(host.publish({ timezone: 'Prague' })).rejects.toMatchObject(error);
});
