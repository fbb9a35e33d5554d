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

describe('Whether a request is sent again', () => {
	const cases: Array<[string, Partial<ErrorFacts>, { safe: boolean }, boolean]> = [
		['a read that broke off', { mayHaveActed: true }, SAFE, true],
		['a creation that broke off', { mayHaveActed: true }, UNSAFE, false],
		['a creation that never got through', { mayHaveActed: false }, UNSAFE, true],
		['a creation told to come later', { cause: 'rate-limited', retryAfterMs: 10 }, UNSAFE, true],
		['a read that was refused', { isTransient: false }, SAFE, false],
		['a creation that was refused', { isTransient: false }, UNSAFE, false],
		['a read answered by a web page', { isTransient: false, mayHaveActed: true }, SAFE, false],
	];
	test.each(cases)('%s', (_, failure, endpoint, again) => {
		const state = { tries: 1, waitedMs: 0 };
		expect(decideRetry(facts(failure), endpoint, state, 60_000, 0.5).again).toBe(again);
	});

	test('a service that is simply not there is given up after four tries', () => {
		const again = (tries: number) =>
			decideRetry(facts({}), SAFE, { tries, waitedMs: 0 }, 60_000, 0).again;
		expect([1, 2, 3, 4].map(again)).toEqual([true, true, true, false]);
	});

	test('a service that asks for pauses is asked as long as the wait allows', () => {
		const limited = facts({ cause: 'rate-limited' });
		expect(decideRetry(limited, SAFE, { tries: 9, waitedMs: 40_000 }, 60_000, 0).again).toBe(true);
		expect(decideRetry(limited, SAFE, { tries: 9, waitedMs: 55_000 }, 60_000, 0).again).toBe(false);
	});

	test.each([
		['one try where nothing may wait, nothing', 1, 0, 0, undefined],
		[
			'one try that would have to wait for long, only that',
			1,
			0,
			60_000,
			'Waiting 120 s to try again would exceed the longest wait of 60 s.',
		],
		[
			'several tries, how many and how long they took',
			3,
			50_000,
			60_000,
			'Tried 3 times and waited 50 s; another 120 s would exceed the longest wait of 60 s.',
		],
	])('of %s is said', (_, tries, waitedMs, maxRetryWaitMs, because) => {
		const limited = facts({ cause: 'rate-limited', retryAfterMs: 120_000 });
		const decision = decideRetry(limited, SAFE, { tries, waitedMs }, maxRetryWaitMs, 0);
		expect(decision).toEqual({ again: false, ...(because ? { because } : {}) });
	});
});

describe('How long it waits', () => {
	const pauseAfter = (tries: number, random: number, given: Partial<ErrorFacts> = {}) => {
		const failure = facts({ cause: 'rate-limited', ...given });
		const decision = decideRetry(failure, SAFE, { tries, waitedMs: 0 }, 1e9, random);
		return decision.again ? decision.pauseMs : undefined;
	};

	test('pauses double, up to a limit, and are spread', () => {
		expect([1, 2, 3, 4, 5, 6, 7].map((tries) => pauseAfter(tries, 1))).toEqual([
			500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
		]);
		expect(pauseAfter(3, 0)).toBe(1_000);
	});

	test('what the service asks for is never cut short', () => {
		expect(pauseAfter(1, 0, { retryAfterMs: 2_000 })).toBe(2_000);
		expect(pauseAfter(1, 1, { retryAfterMs: 2_000 })).toBe(2_250);
	});
});

test.each([
	['2', 2_000],
	[' 0.5 ', 500],
	['Fri, 20 Nov 2026 10:00:05 GMT', 5_000],
	['Fri, 20 Nov 2026 09:00:00 GMT', 0],
	['soon', undefined],
	['', undefined],
	[undefined, undefined],
	[['2'], undefined],
])('Retry-After: %j means %j ms', (header, expected) => {
	expect(readRetryAfter(header, Date.UTC(2026, 10, 20, 10))).toBe(expected);
});
