import { codesOf, MODES, setStage } from '../support/triggerStage';

// How often shipments are requested, and what a poll may spend.

const stage = setStage();

// The carrier's own events are late in these tests, so that only added events count.
beforeEach(() => {
	for (const carrier of ['ANT', 'BEAVER'])
		stage.sandbox.setTracking(carrier, { lateHours: 10_000 });
});

/** Shipments with an event. */
const seed = (count: number, serviceType: string) => {
	const numbers = stage.seed(count, { serviceType, hoursAgo: 41 });
	for (const number of numbers) stage.add(number, '700', { category: 'TransitCarrier' });
	return numbers;
};
const requests = () => stage.sandbox.requests.length;

test('Max Requests per Poll limits every poll, also the first, and every shipment gets its turn', async () => {
	const numbers = [...seed(900, 'ANT-HOME'), ...seed(150, 'BEAVER-PARCEL')];
	const options = { startFrom: 'existing', maxRequestsPerPoll: 10 };
	const form = { includeShipment: false, freshness: 'everyPoll', options };
	const host = await stage.publish('default', form);
	expect(requests()).toBe(10);
	for (let polls = 0; polls < 8; polls++) {
		const before = requests();
		await stage.poll(host);
		expect(requests() - before).toBeLessThanOrEqual(10);
	}
	expect(new Set(stage.requested().flat())).toEqual(new Set(numbers));
	const from = stage.requested().length;
	await stage.pollTimes(10, host);
	const later = stage.requested().slice(from);
	const times = numbers.map((number) => later.filter((each) => each.includes(number)).length);
	expect(Math.min(...times)).toBeGreaterThanOrEqual(3);
	expect([codesOf(host).length, host.failures]).toEqual([2 * 1_050, []]);
});

test.each(MODES)(
	'in the %s mode, shipments are requested in turns, within the time budget of n8n',
	async (mode) => {
		stage.seed(2_000);
		const form = { freshness: 'everyPoll', options: { maxConcurrency: 1 } };
		const host = await stage.publish(mode, form);
		await stage.poll(host);
		const from = stage.requested().length;
		// 20 requests of 4 seconds, while a poll in the durable mode has 36.
		stage.rewrite('trackShipments', () => (stage.clock.nowMs += 4_000));
		for (let polls = 0; polls < 3; polls++) {
			const startedMs = stage.clock.nowMs;
			await host.tick();
			expect(stage.clock.nowMs - startedMs).toBeLessThanOrEqual(host.budgetMs[mode]);
		}
		const turns = stage.requested().slice(from).flat();
		expect(new Set(turns.slice(0, 2_000)).size).toBe(2_000);
		if (mode === 'default') expect(turns).toHaveLength(6_000);
	},
);
