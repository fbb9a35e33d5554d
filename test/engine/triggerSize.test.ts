import { mapValues } from 'lodash';

import { codesOf, setStage } from '../support/triggerStage';

// How much the trigger may cost with many shipments.

const stage = setStage();

const HOUR_MS = 3_600_000;
/** Shipments that move are requested every ten minutes. */
const POLLS = Number(process.env.MONTH_POLLS ?? 12);

test('10,000 shipments with ten events each: requests, time and state of a poll', async () => {
	stage.sandbox.setTracking('ANT', { lateHours: 10_000 });
	const numbers = stage.seed(10_000);
	for (const number of numbers) {
		for (let code = 701; code < 710; code++) stage.add(number, String(code));
	}
	const host = await stage.newHost('durable');
	const measure = async (poll: string, work: () => Promise<void>) => {
		stage.sandbox.requests.length = 0;
		const startedMs = performance.now();
		await work();
		const seconds = (performance.now() - startedMs) / 1_000;
		const stateBytes = Buffer.byteLength(JSON.stringify(host.savedState ?? ''));
		return { poll, requests: stage.sandbox.requests.length, seconds, stateBytes };
	};
	const first = await measure('first', () => host.publish({ events: ['all', 'noMovement'] }));
	stage.add(numbers[5_000], '777');
	const second = await measure('with an event', () => stage.poll(host));
	console.table([first, second]);

	expect(codesOf(host)).toEqual(['777']);
	// A hundred pages and the end, a hundred requests with a hundred numbers each, and the time zone of the account.
	expect(first.requests).toBeLessThanOrEqual(202);
	// Some pages of the list, and the hundred requests again.
	expect(second.requests).toBeLessThanOrEqual(110);
	expect(second.stateBytes).toBeLessThan(1_500_000);
	expect(second.seconds).toBeLessThan(20);
});

/** Shipments created between two ages, the oldest first, as the service lists them. */
function seed(count: number, fromHours: number, toHours: number, services?: string[]): string[] {
	const types = services ?? ['ANT-HOME', 'BEAVER-PARCEL'];
	const parts = types.length * 25;
	return Array.from({ length: parts }, (_, part) => {
		const hoursAgo = fromHours + ((toHours - fromHours) * part) / parts;
		return stage.seed(count / parts, { serviceType: types[part % types.length] ?? '', hoursAgo });
	}).flat();
}

test(
	'a month of 10,000 shipments takes at most 25 requests a poll, evenly spread',
	async () => {
		// The service adds an event to a shipment every six hours until it is delivered after a day.
		seed(5_000, 30 * 24 - 1, 8 * 24);
		// This carrier reports nothing by itself.
		stage.sandbox.setTracking('DODO', { lateHours: 100_000 });
		const date = new Date(stage.clock.nowMs - 4 * 24 * HOUR_MS).toISOString();
		for (const number of seed(1_000, 8 * 24, 5 * 24, ['DODO-DAY'])) {
			stage.add(number, '701', { category: 'TransitCarrier', date });
		}
		seed(1_000, 5 * 24, 26);
		seed(2_500, 24, 6);
		seed(500, 6, 0);
		expect(stage.sandbox.database.shipments()).toHaveLength(10_000);

		const host = await stage.publish('default');
		const requests: number[] = [];
		const operations: Record<string, number> = {};
		for (let polls = 0; polls < POLLS; polls++) {
			stage.sandbox.requests.length = 0;
			if (polls % 5 === 0) stage.seed(1, { hoursAgo: 0 });
			await stage.poll(host);
			requests.push(stage.sandbox.requests.length);
			for (const { operationId } of stage.sandbox.requests) {
				operations[`${operationId}`] = (operations[`${operationId}`] ?? 0) + 1;
			}
		}
		const average = requests.reduce((sum, count) => sum + count) / POLLS;
		const maximum = Math.max(...requests);
		const perPoll = mapValues(operations, (count) => count / POLLS);
		console.table({ average, maximum, events: host.events.length / POLLS, ...perPoll });
		expect(host.failures).toEqual([]);
		expect(maximum).toBeLessThanOrEqual(Math.min(25, 1.25 * average));
	},
	20 * 60_000,
);
