import {
	noteOutcome,
	pausedUntil,
	rememberWorkingPath,
	workingPathOf,
} from '../../nodes/ParcelShipping/transport/serviceMemory';
import type { ErrorFacts } from '../../nodes/ParcelShipping/transport/errors';

const facts = (given: Partial<ErrorFacts>): ErrorFacts => ({
	message: '',
	description: '',
	endpoint: '',
	mayHaveActed: false,
	...given,
});

test('each account has a pause of its own', () => {
	noteOutcome('A', facts({ retryAfterMs: 1_000 }), 0);
	expect([pausedUntil('A'), pausedUntil('B')]).toEqual([1_000, 0]);
});

test('each account and endpoint has a path of its own, and the latest one counts', () => {
	rememberWorkingPath('A', 'Get', '/1');
	rememberWorkingPath('A', 'Get', '/2');
	rememberWorkingPath('A', 'Print', '/3');
	expect([
		workingPathOf('A', 'Get'),
		workingPathOf('A', 'Print'),
		workingPathOf('B', 'Get'),
	]).toEqual(['/2', '/3', undefined]);
});

test('a process that has used many accounts forgets the first ones', () => {
	for (let account = 0; account < 1_000; account++) {
		rememberWorkingPath(String(account), 'Get', '/1');
		noteOutcome(String(account), facts({ retryAfterMs: 1_000 }), 0);
	}
	expect([workingPathOf('0', 'Get'), pausedUntil('0')]).toEqual([undefined, 0]);
	expect([workingPathOf('999', 'Get'), pausedUntil('999')]).toEqual(['/1', 1_000]);
});

describe('After the service has limited requests, polls pause', () => {
	const limited = (retryAfterMs?: number) =>
		facts({ cause: 'rate-limited', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });

	/** When polls may send requests again, in seconds, after these outcomes at these seconds. */
	const pauseAfterAll = (...outcomes: Array<[ErrorFacts | undefined, number]>) => {
		const account = JSON.stringify(outcomes);
		for (const [error, second] of outcomes) noteOutcome(account, error, second * 1_000);
		return pausedUntil(account) / 1_000;
	};

	test('for the time that it asked for', () => {
		expect(pauseAfterAll([limited(90_000), 0])).toBe(90);
		expect(pauseAfterAll([limited(90_000), 0], [limited(30_000), 10])).toBe(90);
		const unavailable = facts({ status: 503, retryAfterMs: 200_000 });
		expect(pauseAfterAll([limited(90_000), 0], [unavailable, 0])).toBe(200);
		expect(pauseAfterAll([limited(1e12), 0])).toBe(24 * 3_600);
	});

	test('if it asked for none, for longer each time, up to a quarter of an hour', () => {
		const pauses: number[] = [];
		for (let nowMs = 0; nowMs < 7 * 900_000; nowMs += 900_000) {
			// Several requests of one poll count once.
			for (let requests = 0; requests < 4; requests++) noteOutcome('often', limited(), nowMs);
			pauses.push((pausedUntil('often') - nowMs) / 1_000);
		}
		expect(pauses).toEqual([45, 90, 180, 360, 720, 900, 900]);
	});

	test('shortly again after the service has responded', () => {
		// A response to a request from before does not end the pause.
		expect(pauseAfterAll([limited(), 0], [limited(), 50], [undefined, 60])).toBe(140);
		expect(pauseAfterAll([limited(), 0], [limited(), 50], [undefined, 150], [limited(), 151])).toBe(
			151 + 45,
		);
	});

	test('but not after other errors', () => {
		const failed = facts({ status: 500, cause: 'temporarily-unavailable' });
		expect(pauseAfterAll([failed, 10])).toBe(0);
		expect(pauseAfterAll([limited(), 0], [failed, 50], [limited(), 60])).toBe(150);
	});
});
