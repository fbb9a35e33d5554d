import { Traffic, trafficOf } from '../../nodes/ParcelShipping/transport/traffic';
import type { ErrorFacts } from '../../nodes/ParcelShipping/transport/errors';

const SECOND_MS = 1_000;

const errorOf = (facts: Partial<ErrorFacts>): ErrorFacts => ({
	message: '',
	description: '',
	endpoint: '',
	mayHaveActed: false,
	isTransient: true,
	...facts,
});
const limited = (retryAfterMs?: number) =>
	errorOf({
		cause: 'rate-limited',
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
	});

/** For how many seconds polls pause from then on. */
const pauseOf = (traffic: Traffic, nowMs: number) => {
	let seconds = 0;
	while (traffic.isPaused(nowMs + seconds * SECOND_MS)) seconds++;
	return seconds;
};

describe('After the service has limited requests, polls pause', () => {
	test('for the time that it asked for', () => {
		const traffic = new Traffic();
		traffic.note(limited(90 * SECOND_MS), 0);
		expect(pauseOf(traffic, 0)).toBe(90);
		traffic.note(limited(30 * SECOND_MS), 10 * SECOND_MS);
		expect(pauseOf(traffic, 0)).toBe(90);
		traffic.note(errorOf({ status: 503, retryAfterMs: 200 * SECOND_MS }), 0);
		expect(pauseOf(traffic, 0)).toBe(200);
	});

	test('if it asked for none, for longer each time, up to a quarter of an hour', () => {
		const traffic = new Traffic();
		const pauses: number[] = [];
		let nowMs = 0;
		for (let times = 0; times < 7; times++) {
			// Several requests of one poll count once.
			for (let requests = 0; requests < 4; requests++) traffic.note(limited(), nowMs);
			pauses.push(pauseOf(traffic, nowMs));
			nowMs += 900 * SECOND_MS;
		}
		expect(pauses).toEqual([45, 90, 180, 360, 720, 900, 900]);
	});

	test('shortly again after the service has answered', () => {
		const traffic = new Traffic();
		traffic.note(limited(), 0);
		traffic.note(limited(), 50 * SECOND_MS);
		// An answer to a request from before does not end the pause.
		traffic.note(undefined, 60 * SECOND_MS);
		expect(pauseOf(traffic, 60 * SECOND_MS)).toBe(80);
		traffic.note(undefined, 150 * SECOND_MS);
		traffic.note(limited(), 151 * SECOND_MS);
		expect(pauseOf(traffic, 151 * SECOND_MS)).toBe(45);
	});

	test('but not after other errors', () => {
		const traffic = new Traffic();
		traffic.note(errorOf({ status: 500, cause: 'temporarily-unavailable' }), 0);
		expect(traffic.isPaused(0)).toBe(false);
	});
});

describe('While requests of executions are under way', () => {
	/** A request that ends when `end` is called. */
	const request = () => {
		let end: () => void = () => {};
		const ended = new Promise<void>((resolve) => (end = resolve));
		return { send: async () => await ended, end };
	};

	test('requests of polls wait for them', async () => {
		const traffic = new Traffic();
		const sent: string[] = [];
		const order = request();
		const urgent = traffic.sendUrgent(order.send);
		const patient = traffic.sendPatiently(
			async () => void (await Promise.resolve(sent.push('poll'))),
		);
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(sent).toEqual([]);
		order.end();
		await Promise.all([urgent, patient]);
		expect(sent).toEqual(['poll']);
	});

	test('requests of polls are sent one at a time if it takes long', async () => {
		const traffic = new Traffic();
		const order = request();
		const urgent = traffic.sendUrgent(order.send);
		let underWay = 0;
		const counts: number[] = [];
		const polls = Array.from({ length: 3 }, async () =>
			traffic.sendPatiently(async () => {
				counts.push(++underWay);
				await new Promise((resolve) => setTimeout(resolve, 10));
				underWay--;
			}),
		);
		await Promise.all(polls);
		expect(counts).toEqual([1, 1, 1]);
		order.end();
		await urgent;
	});

	test('a request that fails does not count any longer', async () => {
		const traffic = new Traffic();
		const failed = traffic.sendUrgent(async () => await Promise.reject(new Error('No')));
		await expect(failed).rejects.toThrow('No');
		const startedMs = performance.now();
		await traffic.sendPatiently(async () => await Promise.resolve());
		expect(performance.now() - startedMs).toBeLessThan(100);
	});
});

test('each service and credential has its own traffic', () => {
	expect(trafficOf('https://a.example 1')).toBe(trafficOf('https://a.example 1'));
	expect(trafficOf('https://a.example 1')).not.toBe(trafficOf('https://a.example 2'));
});
