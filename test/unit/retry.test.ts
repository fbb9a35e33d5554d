import type { EndpointName } from '../../nodes/ParcelShipping/transport/contract';
import { routes } from '../../nodes/ParcelShipping/transport/contract.generated';
import { endpointOf } from '../../nodes/ParcelShipping/transport/endpoints';
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
const decide = (error: Partial<ErrorFacts>, tries: number, waitedMs: number, maxWaitMs: number) =>
	decideRetry(facts(error), SAFE, { tries, waitedMs, maxWaitMs }, 0);

const LOST = { mayHaveActed: true };
const REFUSED = { isTransient: false };
const PAGE = { isTransient: false, mayHaveActed: true };
const LIMITED = { cause: 'rate-limited' } as const;

test.each<[string, Partial<ErrorFacts>, { safe: boolean }, boolean]>([
	['a safe request with an unknown outcome', LOST, SAFE, true],
	['a creation with an unknown outcome', LOST, UNSAFE, false],
	['a creation that did not reach the service', {}, UNSAFE, true],
	['a creation that was rate-limited', { ...LIMITED, retryAfterMs: 10 }, UNSAFE, true],
	['a safe request that was refused', REFUSED, SAFE, false],
	['a creation that was refused', REFUSED, UNSAFE, false],
	['a safe request with a web page as response', PAGE, SAFE, false],
])('%s (%p) is sent again: %s', (_, failure, endpoint, again) => {
	const state = { tries: 1, waitedMs: 0, maxWaitMs: 60_000 };
	expect(decideRetry(facts(failure), endpoint, state, 0.5).again).toBe(again);
});

test('only these requests are never sent again after a lost response', () => {
	const endpoints = (Object.keys(routes) as EndpointName[]).map((name) => [name, endpointOf(name)]);
	const unsafe = endpoints.filter(
		([, endpoint]) => (endpoint as { safe?: boolean }).safe === false,
	);
	expect(unsafe.map(([name]) => name).sort()).toEqual([
		...['cancelShipments', 'createShipments', 'handOverShipments', 'sendToPrinter'],
	]);
});

test('a request is tried four times if the service is unreachable', () => {
	const decisions = [1, 2, 3, 4].map((tries) => decide({}, tries, 0, 60_000));
	expect(decisions.map(({ again }) => again)).toEqual([true, true, true, false]);
	expect(decisions[3]).toEqual({ again: false, because: 'Tried 4 times.' });
});

test.each<[string, Partial<ErrorFacts>, number, number, boolean]>([
	['15 s of Max Retry Wait are left after a rate limit', LIMITED, 40_000, 60_000, true],
	['5 s are left after a rate limit', LIMITED, 55_000, 60_000, false],
	// A service that is temporarily unavailable says when it returns.
	['the pause takes exactly what is left', { retryAfterMs: 10_000 }, 20_000, 30_000, true],
	['the pause takes longer than what is left', { retryAfterMs: 10_001 }, 20_000, 30_000, false],
])('a request is sent again only within Max Retry Wait: %s', (_, error, waitedMs, max, again) => {
	expect(decide(error, 9, waitedMs, max).again).toBe(again);
});

test.each([
	[1, 0, 60_000, 'Waiting 120 s before another try', '60 s'],
	[3, 50_000, 60_000, 'Tried 3 times and waited 50 s. Waiting another 120 s', '60 s'],
	[2, 9_999, 10_000, 'Tried 2 times and waited 10.0 s. Waiting another 120 s', '10 s'],
])('after %i tries and %i ms of at most %i ms, the error says: %s', (...given) => {
	const [tries, waitedMs, maxWaitMs, tried, limit] = given;
	const because = `${tried} would exceed Max Retry Wait (${limit}).`;
	const decision = decide({ ...LIMITED, retryAfterMs: 120_000 }, tries, waitedMs, maxWaitMs);
	expect(decision).toEqual({ again: false, because });
});

test('if nothing may be waited for, the error says nothing about it', () => {
	expect(decide({ ...LIMITED, retryAfterMs: 120_000 }, 1, 0, 0)).toEqual({ again: false });
});

test.each<[tries: number, random: number, retryAfterMs: number | undefined, pauseMs: number]>([
	[1, 1, undefined, 500],
	[2, 1, undefined, 1_000],
	[3, 1, undefined, 2_000],
	[3, 0, undefined, 1_000],
	[5, 1, undefined, 8_000],
	[6, 1, undefined, 15_000],
	[7, 1, undefined, 15_000],
	[1, 0, 2_000, 2_000],
	[1, 1, 2_000, 2_250],
])('the pause after try %i with jitter %d and Retry-After %p is %i ms', (...given) => {
	const [tries, random, retryAfterMs, pauseMs] = given;
	const error = facts({ ...LIMITED, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
	const state = { tries, waitedMs: 0, maxWaitMs: 1e9 };
	expect(decideRetry(error, SAFE, state, random)).toEqual({ again: true, pauseMs });
});

test.each([
	['2', 2_000],
	[' 0.5 ', 500],
	['0.25', 250],
	['120', 120_000],
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
