import { setStage } from '../support/triggerStage';

// How much the trigger may cost with many shipments.

const stage = setStage();

const HOUR_MS = 3_600_000;

test('10,000 shipments with ten events each: requests, time and state of a poll', async () => {
	stage.sandbox.setTracking('ANT', { lateHours: 10_000 });
	const numbers = stage.seed(10_000);
	for (const number of numbers) {
		for (let code = 701; code < 710; code++) stage.add(number, String(code));
	}
	const host = await stage.newHost('durable');
	await host.publish({ events: ['all', 'noMovement'] });
	// A hundred pages and the end, a hundred requests with a hundred numbers each, and the time zone of the account.
	expect(stage.sandbox.requests.length).toBeLessThanOrEqual(202);

	stage.add(numbers[5_000], '777');
	stage.sandbox.requests.length = 0;
	const startedMs = performance.now();
	await stage.poll(host);
	expect(performance.now() - startedMs).toBeLessThan(20_000);
	expect(host.events).toMatchObject([{ code: '777' }]);
	// Some pages of the list, and the hundred requests again.
	expect(stage.sandbox.requests.length).toBeLessThanOrEqual(110);
	expect(Buffer.byteLength(JSON.stringify(host.savedState ?? ''))).toBeLessThan(1_500_000);
});

/** Shipments created between two ages, the oldest first, as the provider lists them. */
function seed(count: number, fromHours: number, toHours: number): void {
	const parts = 50;
	for (let part = 0; part < parts; part++) {
		const hoursAgo = fromHours + ((toHours - fromHours) * part) / parts;
		const serviceType = part % 2 === 0 ? 'ANT-HOME' : 'BEAVER-PARCEL';
		stage.seed(count / parts, { serviceType, hoursAgo });
	}
}

test(
	'a month of 10,000 shipments takes at most 25 requests a poll, evenly spread',
	async () => {
		// The provider adds an event to a shipment every six hours until it is delivered after a day.
		seed(5_000, 30 * 24 - 1, 8 * 24);
		// This carrier reports nothing by itself.
		stage.sandbox.setTracking('DODO', { lateHours: 100_000 });
		const date = new Date(stage.clock.nowMs - 4 * 24 * HOUR_MS).toISOString();
		for (const number of stage.seed(1_000, { serviceType: 'DODO-DAY', hoursAgo: 6 * 24 })) {
			stage.add(number, '701', { category: 'TransitCarrier', date });
		}
		seed(1_000, 5 * 24, 26);
		seed(2_500, 24, 6);
		seed(500, 6, 0);

		const host = await stage.publish('default');
		const requests: number[] = [];
		// Shipments that move are requested every ten minutes.
		for (let polls = 0; polls < 12; polls++) {
			stage.sandbox.requests.length = 0;
			if (polls % 5 === 0) stage.seed(1, { hoursAgo: 0 });
			await stage.poll(host);
			requests.push(stage.sandbox.requests.length);
		}
		const average = requests.reduce((sum, count) => sum + count) / requests.length;
		expect(host.failures).toEqual([]);
		expect(average).toBeLessThanOrEqual(12);
		expect(Math.max(...requests)).toBeLessThanOrEqual(Math.min(25, 1.25 * average));
	},
	20 * 60_000,
);
