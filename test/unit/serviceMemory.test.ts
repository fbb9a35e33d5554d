import {
	isPaused,
	noteOutcome,
	rememberWorkingPath,
	workingPathOf,
} from '../../nodes/ParcelShipping/transport/serviceMemory';
import type { ErrorFacts } from '../../nodes/ParcelShipping/transport/errors';

const limited: ErrorFacts = {
	message: '',
	description: '',
	endpoint: '',
	mayHaveActed: false,
	isTransient: true,
	retryAfterMs: 1_000,
};

test('each account has a pause of its own, which ends', () => {
	noteOutcome('A', limited, 0);
	expect([isPaused('A', 999), isPaused('A', 1_000), isPaused('B', 0)]).toEqual([
		true,
		false,
		false,
	]);
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
		noteOutcome(String(account), limited, 0);
	}
	expect([workingPathOf('0', 'Get'), isPaused('0', 0)]).toEqual([undefined, false]);
	expect([workingPathOf('999', 'Get'), isPaused('999', 0)]).toEqual(['/1', true]);
});
