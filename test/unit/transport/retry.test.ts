import { type EndpointName, endpoints } from '../../../nodes/ParcelShipping/transport/endpoints';
import type { RequestFacts } from '../../../nodes/ParcelShipping/transport/errors';
import { decideRetry } from '../../../nodes/ParcelShipping/transport/http';
import { readRetryAfter } from '../../../nodes/ParcelShipping/transport/response';

const facts = (given: Partial<RequestFacts>): RequestFacts => ({
	mayHaveActed: false,
	cause: 'temporarily-unavailable',
	...given,
});
const SAFE = { safe: true };
const UNSAFE = { safe: false };
const decide = (error: Partial<RequestFacts>, tries: number, leftMs: number) =>
	decideRetry(facts(error), { safe: true, tries, leftMs }, 0);

const LOST = { mayHaveActed: true };
const REFUSED = { cause: 'credential-invalid' } as const;
const PAGE = { cause: 'configuration-invalid', mayHaveActed: true } as const;
const LIMITED = { cause: 'rate-limited' } as const;

test('a read whose response is lost is sent again, a creation is not', () => {
	const isSentAgain = (error: Partial<RequestFacts>, safe: { safe: boolean }) =>
		decideRetry(facts(error), { ...safe, tries: 1, leftMs: 60_000 }, 0.5) !== undefined;
	expect([isSentAgain(LOST, SAFE), isSentAgain(LOST, UNSAFE)]).toEqual([true, false]);
	// It did not reach the service, or was rate-limited.
	expect([isSentAgain({}, UNSAFE), isSentAgain(LIMITED, UNSAFE)]).toEqual([true, true]);
	expect([isSentAgain(REFUSED, SAFE), isSentAgain(REFUSED, UNSAFE)]).toEqual([false, false]);
	expect(isSentAgain(PAGE, SAFE)).toBe(false);
});

test('only these requests are never sent again after a lost response', () => {
	const unsafe = Object.keys(endpoints).filter((name) => !endpoints[name as EndpointName].safe);
	expect(unsafe.sort()).toEqual([
		...['cancelShipments', 'createShipments', 'handOverShipments', 'sendToPrinter'],
	]);
});

test('a request is tried four times if the service is unreachable', () => {
	const pauses = [1, 2, 3, 4].map((tries) => decide({}, tries, 60_000));
	expect(pauses).toEqual([250, 500, 1_000, undefined]);
});

test('a request is sent again only within Max Retry Wait', () => {
	expect(decide(LIMITED, 9, 20_000)).toBe(7_500);
	expect(decide(LIMITED, 9, 5_000)).toBeUndefined();
	expect(decide({ ...LIMITED, retryAfterMs: 120_000 }, 1, 0)).toBeUndefined();
	// A service that is temporarily unavailable says when it returns.
	expect(decide({ retryAfterMs: 10_000 }, 9, 10_000)).toBe(10_000);
	expect(decide({ retryAfterMs: 10_001 }, 9, 10_000)).toBeUndefined();
});

test('Retry-After is in seconds or a date, and anything else counts as absent', () => {
	const read = (header: unknown) => readRetryAfter(header, Date.UTC(2026, 10, 20, 10));
	expect(['2', ' 0.5 ', '0.25', '120'].map(read)).toEqual([2_000, 500, 250, 120_000]);
	const dates = ['Fri, 20 Nov 2026 10:00:05 GMT', 'Fri, 20 Nov 2026 10:00:05 +0000'];
	expect([...dates, '2026-11-20T10:00:05Z'].map(read)).toEqual([5_000, 5_000, 5_000]);
	expect(read('Fri, 20 Nov 2026 09:00:00 GMT')).toBe(0);
	expect(['soon', '', '  ', undefined, ['2']].map(read)).toEqual(Array(5).fill(undefined));
});
