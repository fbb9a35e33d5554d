import { readSeed } from '../../sandbox';
import { setStage } from '../support/triggerStage';

// Which events come, and when, is in the simulation. Here are the items, the log and the test event.

const stage = setStage();

test('Without a timezone in the form, dates are read in the one of the account, which is asked once', async () => {
	const host = await stage.newHost('default');
	host.timezone = 'America/New_York';
	await host.publish({});
	const [number] = stage.seed(1);
	await stage.poll(host);
	stage.add(number, '701', { date: '2026-06-10T10:59:00' });
	await stage.pollTimes(30, host);
	expect(host.events.at(-1)?.dateTime).toBe('2026-06-10T10:59:00+02:00');
	expect([host.warnings, stage.asked('getAccount')]).toEqual([[], [undefined]]);
});

test('If neither the form nor the provider has a timezone, the one of the workflow is used, and the log says so', async () => {
	stage.rewrite('getAccount', ({ result }) => Object.assign(result, { timeZone: null }));
	const [number] = stage.seed(1);
	const host = await stage.publish('default');
	stage.add(number, '701', { date: '2026-01-14T09:31:07' });
	await stage.pollTimes(2, host);
	expect(host.events[0]?.dateTime).toBe('2026-01-14T09:31:07+01:00');
	expect(host.warnings).toEqual([expect.stringContaining('the workflow, Europe/Prague.')]);
});

describe('Fetch Test Event', () => {
	test('says so if no shipment matches', async () => {
		stage.seed(3);
		const host = await stage.newHost('default');
		const filters = { carrierCodes: ['BEAVER'] };
		const error = { message: 'No shipments found' };
		await expect(host.fetchTestEvent({ filters })).rejects.toMatchObject(error);
	});

	test('says why a shipment has no events, without the secret that the provider has repeated', async () => {
		stage.seed(1);
		const message = `No ${readSeed().credentials.header.value}`;
		stage.rewrite('trackShipments', ({ result }) =>
			result.forEach((row) => Object.assign(row, { statusCode: 400, message, events: [] })),
		);
		const host = await stage.newHost('default');
		await expect(host.fetchTestEvent({})).rejects.toMatchObject({
			message: expect.stringMatching(/^The provider said: No \*+$/),
		});
	});
});
