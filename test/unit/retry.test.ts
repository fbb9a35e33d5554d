import type { ErrorFacts } from '../../nodes/ParcelShipping/transport/errors';
import { decideRetry, readRetryAfter } from '../../nodes/ParcelShipping/transport/retry';

const facts = (given: Partial<ErrorFacts>): ErrorFacts => ({
	message: '',
	description: '',
	endpoint: '',
	mayHaveActed: false,
	isTransient: true,
	...given,
});
const SAFE = { safe: true };
const UNSAFE = { safe: false };

describe('The decision on a retry', () => {
	const cases: Array<[string, Partial<ErrorFacts>, { safe: boolean }, boolean]> = [
		['a safe request with an unknown outcome', { mayHaveActed: true }, SAFE, true],
		['a creation with an unknown outcome', { mayHaveActed: true }, UNSAFE, false],
		['a creation that did not reach the service', { mayHaveActed: false }, UNSAFE, true],
		['a creation that was rate-limited', { cause: 'rate-limited', retryAfterMs: 10 }, UNSAFE, true],
		['a safe request that was refused', { isTransient: false }, SAFE, false],
		['a creation that was refused', { isTransient: false }, UNSAFE, false],
		[
			'a safe request with a web page as response',
			{ isTransient: false, mayHaveActed: true },
			SAFE,
			false,
		],
	];
	test.each(cases)('depends on the failure: %s', (_, failure, endpoint, again) => {
		const state = { tries: 1, waitedMs: 0, maxWaitMs: 60_000 };
		expect(decideRetry(facts(failure), endpoint, state, 0.5).again).toBe(again);
	});

	test('allows four tries if the service is unreachable', () => {
		const again = (tries: number) =>
			decideRetry(facts({}), SAFE, { tries, waitedMs: 0, maxWaitMs: 60_000 }, 0).again;
		expect([1, 2, 3, 4].map(again)).toEqual([true, true, true, false]);
		expect(decideRetry(facts({}), SAFE, { tries: 4, waitedMs: 0, maxWaitMs: 60_000 }, 0)).toEqual({
			again: false,
			because: 'Tried 4 times.',
		});
	});

	test('allows waiting up to Max Retry Wait if the service limits the rate', () => {
		const limited = facts({ cause: 'rate-limited' });
		expect(
			decideRetry(limited, SAFE, { tries: 9, waitedMs: 40_000, maxWaitMs: 60_000 }, 0).again,
		).toBe(true);
		expect(
			decideRetry(limited, SAFE, { tries: 9, waitedMs: 55_000, maxWaitMs: 60_000 }, 0).again,
		).toBe(false);
	});

	test.each([
		[10_000, true],
		[10_001, false],
	])('allows a wait of %i ms if 10 s of Max Retry Wait are left: %s', (retryAfterMs, again) => {
		// Not a rate limit: a service that is temporarily unavailable says when it returns.
		const unavailable = facts({ cause: 'temporarily-unavailable', retryAfterMs });
		const state = { tries: 9, waitedMs: 20_000, maxWaitMs: 30_000 };
		expect(decideRetry(unavailable, SAFE, state, 0).again).toBe(again);
	});

	test.each([
		['no reason after one try without waiting', 1, 0, 0, undefined],
		[
			'the next wait after one try',
			1,
			0,
			60_000,
			'Waiting 120 s before another try would exceed Max Retry Wait (60 s).',
		],
		[
			'the tries and the waits after several tries',
			3,
			50_000,
			60_000,
			'Tried 3 times and waited 50 s. Waiting another 120 s would exceed Max Retry Wait (60 s).',
		],
		[
			'tenths of seconds below ten seconds',
			2,
			9_999,
			10_000,
			'Tried 2 times and waited 10.0 s. Waiting another 120 s would exceed Max Retry Wait (10 s).',
		],
	])('adds to the error: %s', (_, tries, waitedMs, maxRetryWaitMs, because) => {
		const limited = facts({ cause: 'rate-limited', retryAfterMs: 120_000 });
		const decision = decideRetry(limited, SAFE, { tries, waitedMs, maxWaitMs: maxRetryWaitMs }, 0);
		expect(decision).toEqual({ again: false, ...(because ? { because } : {}) });
	});
});

describe('The pause before a retry', () => {
	const pauseAfter = (tries: number, random: number, given: Partial<ErrorFacts> = {}) => {
		const failure = facts({ cause: 'rate-limited', ...given });
		const decision = decideRetry(failure, SAFE, { tries, waitedMs: 0, maxWaitMs: 1e9 }, random);
		return decision.again ? decision.pauseMs : undefined;
	};

	test('doubles up to a limit, with jitter', () => {
		expect([1, 2, 3, 4, 5, 6, 7].map((tries) => pauseAfter(tries, 1))).toEqual([
			500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
		]);
		expect(pauseAfter(3, 0)).toBe(1_000);
	});

	test('is never shorter than the service requires', () => {
		expect(pauseAfter(1, 0, { retryAfterMs: 2_000 })).toBe(2_000);
		expect(pauseAfter(1, 1, { retryAfterMs: 2_000 })).toBe(2_250);
	});
});

test.each([
	['2', 2_000],
	[' 0.5 ', 500],
	['120', 120_000],
	['0.25', 250],
	['Fri, 20 Nov 2026 10:00:05 GMT', 5_000],
	['Fri, 20 Nov 2026 10:00:05 +0000', 5_000],
	['2026-11-20T10:00:05Z', 5_000],
	['Fri, 20 Nov 2026 09:00:00 GMT', 0],
	['soon', undefined],
	['', undefined],
	['  ', undefined],
	[undefined, undefined],
	[['2'], undefined],
])('Retry-After: %j means %j ms', (header, expected) => {
	expect(readRetryAfter(header, Date.UTC(2026, 10, 20, 10))).toBe(expected);
});
