import { accountMemoryOf, notePause } from '../../../nodes/ParcelShipping/transport/accountMemory';
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

/** Until which second polls pause after these errors: their second, the error, and Retry-After. */
function pausedAfter(
	...errors: Array<[second: number, error: Partial<ErrorFacts>, retryAfter?: number]>
): number {
	const memory = accountMemoryOf(JSON.stringify(errors));
	for (const [second, error, seconds] of errors) {
		const told = seconds === undefined ? {} : { retryAfterMs: seconds * 1_000 };
		notePause(memory, facts({ ...error, ...told }), second * 1_000);
	}
	expect(accountMemoryOf('another account').pausedUntil).toBe(0);
	return memory.pausedUntil / 1_000;
}

test('polls pause for the time that the service asks for, at most a day', () => {
	expect(pausedAfter([0, LIMITED, 90])).toBe(90);
	expect(pausedAfter([0, LIMITED, 90], [10, LIMITED, 30])).toBe(90);
	expect(pausedAfter([0, LIMITED, 90], [0, UNAVAILABLE, 200])).toBe(200);
	expect(pausedAfter([0, LIMITED, 1e9])).toBe(24 * 3_600);
	expect(pausedAfter([0, LIMITED, 90], [100, FAILED])).toBeLessThanOrEqual(100);
});

test('polls pause for less than a minute if the service names no time', () => {
	expect(pausedAfter([10, LIMITED])).toBe(55);
	expect(pausedAfter([10, LIMITED, 90], [20, LIMITED])).toBe(100);
});
