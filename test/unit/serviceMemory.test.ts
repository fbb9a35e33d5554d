import {
	findShared,
	noteOutcome,
	pausedUntil,
	rememberWorkingPath,
	share,
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

const ERRORS: Record<string, Partial<ErrorFacts> | undefined> = {
	limited: { cause: 'rate-limited' },
	unavailable: { status: 503 },
	failed: { status: 500, cause: 'temporarily-unavailable' },
	responded: undefined,
};

/** "0: limited 90" is a rate limit of 90 seconds in the first second. */
function note(account: string, outcome: string): void {
	const [second = '', name = '', pause] = outcome.split(/:? /);
	const error = ERRORS[name];
	const told = pause === undefined ? {} : { retryAfterMs: Number(pause) * 1_000 };
	noteOutcome(account, error && facts({ ...error, ...told }), Number(second) * 1_000);
}

test.each([
	['for the time that the service asked for', '0: limited 90', 90],
	['for the longest time that it asked for', '0: limited 90, 10: limited 30', 90],
	['while the service is unavailable', '0: limited 90, 0: unavailable 200', 200],
	['for a day at most', '0: limited 1000000000', 24 * 3_600],
	['despite a response to an earlier request', '0: limited, 50: limited, 60: responded', 140],
	['shortly after a response', '0: limited, 50: limited, 150: responded, 151: limited', 196],
	['not after other errors', '10: failed', 0],
	['for longer, although other errors came', '0: limited, 50: failed, 60: limited', 150],
])('polls pause after a rate limit: %s', (account, outcomes, until) => {
	for (const outcome of outcomes.split(', ')) note(account, outcome);
	expect([pausedUntil(account), pausedUntil('another account')]).toEqual([until * 1_000, 0]);
});

test('polls pause for longer each time, up to a quarter of an hour, if the service names no time', () => {
	const pauses: number[] = [];
	for (let nowMs = 0; nowMs < 7 * 900_000; nowMs += 900_000) {
		// Several requests of one poll count once.
		for (let request = 0; request < 4; request++) note('often', `${nowMs / 1_000}: limited`);
		pauses.push((pausedUntil('often') - nowMs) / 1_000);
	}
	expect(pauses).toEqual([45, 90, 180, 360, 720, 900, 900]);
});
