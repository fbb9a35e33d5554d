import {
	accountMemoryOf,
	noteOutcome,
} from '../../../nodes/ParcelShipping/transport/accountMemory';
import type { ErrorFacts } from '../../../nodes/ParcelShipping/transport/errors';

const facts = (given: Partial<ErrorFacts>): ErrorFacts => ({
	message: '',
	description: '',
	endpoint: '',
	mayHaveActed: false,
	...given,
});

test('each account has a memory of its own, which every execution gets', () => {
	accountMemoryOf('A').workingPaths.set('Get', '/1');
	expect(accountMemoryOf('A').workingPaths.get('Get')).toBe('/1');
	expect(accountMemoryOf('B').workingPaths.get('Get')).toBeUndefined();
});

test('a process that has used many accounts forgets the first ones', () => {
	const first = accountMemoryOf('0');
	for (let account = 1; account < 1_000; account++) accountMemoryOf(String(account));
	expect(accountMemoryOf('0')).not.toBe(first);
	const last = accountMemoryOf('999');
	expect(accountMemoryOf('999')).toBe(last);
});

const LIMITED: Partial<ErrorFacts> = { cause: 'rate-limited' };
const UNAVAILABLE: Partial<ErrorFacts> = { status: 503 };
const FAILED: Partial<ErrorFacts> = { status: 500, cause: 'temporarily-unavailable' };

/** Until which second polls pause after these outcomes: a second, an error or nothing, and Retry-After. */
function pausedAfter(
	...outcomes: Array<[second: number, error?: Partial<ErrorFacts>, retryAfter?: number]>
): number {
	const memory = accountMemoryOf(JSON.stringify(outcomes));
	for (const [second, error, seconds] of outcomes) {
		const told = seconds === undefined ? {} : { retryAfterMs: seconds * 1_000 };
		noteOutcome(memory, error && facts({ ...error, ...told }), second * 1_000);
	}
	expect(accountMemoryOf('another account').pausedUntil).toBe(0);
	return memory.pausedUntil / 1_000;
}

test('polls pause for the time that the service asks for, at most a day', () => {
	expect(pausedAfter([0, LIMITED, 90])).toBe(90);
	expect(pausedAfter([0, LIMITED, 90], [10, LIMITED, 30])).toBe(90);
	expect(pausedAfter([0, LIMITED, 90], [0, UNAVAILABLE, 200])).toBe(200);
	expect(pausedAfter([0, LIMITED, 1e9])).toBe(24 * 3_600);
	expect(pausedAfter([10, FAILED])).toBe(0);
});

test('a response after the pause ends it, one before does not', () => {
	expect(pausedAfter([0, LIMITED], [50, LIMITED], [60])).toBe(140);
	expect(pausedAfter([0, LIMITED], [50, LIMITED], [150], [151, LIMITED])).toBe(196);
	expect(pausedAfter([0, LIMITED], [50, FAILED], [60, LIMITED])).toBe(150);
});

test('polls pause for longer each time, up to a quarter of an hour, if the service names no time', () => {
	const pauses: number[] = [];
	const memory = accountMemoryOf('often');
	for (let nowMs = 0; nowMs < 7 * 900_000; nowMs += 900_000) {
		// Several requests of one poll count once.
		for (let request = 0; request < 4; request++) noteOutcome(memory, facts(LIMITED), nowMs);
		pauses.push((memory.pausedUntil - nowMs) / 1_000);
	}
	expect(pauses).toEqual([45, 90, 180, 360, 720, 900, 900]);
});
