import type { ErrorFacts } from '../../../nodes/ParcelShipping/transport/errors';
import { noteOutcome, pausedUntil } from '../../../nodes/ParcelShipping/transport/pauses';
import { findShared, share } from '../../../nodes/ParcelShipping/transport/sharedResponses';
import {
	rememberWorkingPath,
	workingPathOf,
} from '../../../nodes/ParcelShipping/transport/workingPaths';

const facts = (given: Partial<ErrorFacts>): ErrorFacts => ({
	message: '',
	description: '',
	endpoint: '',
	mayHaveActed: false,
	...given,
});

test('each account and endpoint has a path of its own, and the latest one counts', () => {
	rememberWorkingPath('A', 'Get', '/1');
	rememberWorkingPath('A', 'Get', '/2');
	rememberWorkingPath('A', 'Print', '/3');
	const paths = [workingPathOf('A', 'Get'), workingPathOf('A', 'Print'), workingPathOf('B', 'Get')];
	expect(paths).toEqual(['/2', '/3', undefined]);
});

test('what executions share is copied for each, and a failed request is not shared', async () => {
	const carriers = [{ code: 'ANT' }];
	await share('carriers', Promise.resolve(carriers));
	Object.assign((await findShared<typeof carriers>('carriers'))?.[0] ?? {}, { code: 'changed' });
	Object.assign(carriers[0] ?? {}, { code: 'changed, too' });
	expect(await findShared('carriers')).toEqual([{ code: 'ANT' }]);
	await share('services', Promise.reject(new Error('no'))).catch(() => undefined);
	await new Promise(setImmediate);
	expect(await findShared('services')?.catch(() => 'the failure')).toBeUndefined();
});

test('a process that has used many accounts forgets the first ones', () => {
	for (let account = 0; account < 1_000; account++) {
		rememberWorkingPath(String(account), 'Get', '/1');
		noteOutcome(String(account), facts({ retryAfterMs: 1_000 }), 0);
	}
	expect([workingPathOf('0', 'Get'), pausedUntil('0')]).toEqual([undefined, 0]);
	expect([workingPathOf('999', 'Get'), pausedUntil('999')]).toEqual(['/1', 1_000]);
});

const LIMITED: Partial<ErrorFacts> = { cause: 'rate-limited' };
const UNAVAILABLE: Partial<ErrorFacts> = { status: 503 };
const FAILED: Partial<ErrorFacts> = { status: 500, cause: 'temporarily-unavailable' };

/** Until which second polls pause after these outcomes: a second, an error or nothing, and Retry-After. */
function pausedAfter(
	...outcomes: Array<[second: number, error?: Partial<ErrorFacts>, retryAfter?: number]>
): number {
	const account = JSON.stringify(outcomes);
	for (const [second, error, seconds] of outcomes) {
		const told = seconds === undefined ? {} : { retryAfterMs: seconds * 1_000 };
		noteOutcome(account, error && facts({ ...error, ...told }), second * 1_000);
	}
	expect(pausedUntil('another account')).toBe(0);
	return pausedUntil(account) / 1_000;
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
	for (let nowMs = 0; nowMs < 7 * 900_000; nowMs += 900_000) {
		// Several requests of one poll count once.
		for (let request = 0; request < 4; request++) noteOutcome('often', facts(LIMITED), nowMs);
		pauses.push((pausedUntil('often') - nowMs) / 1_000);
	}
	expect(pauses).toEqual([45, 90, 180, 360, 720, 900, 900]);
});
