import type { IPollFunctions } from 'n8n-workflow';

import { Budget, infosOf, memoryOf } from '../../nodes/ParcelShipping/tracking/host';

describe('The budget of a poll', () => {
	test('limits the time of each request, and ends if the service asks for a pause', () => {
		let ms = 0;
		const budget = new Budget(() => ms, 34_000);
		const timeouts = [0, 20_000, 33_500].map((now) => {
			ms = now;
			return [budget.timeoutMs(), budget.isLate(), budget.isSpent()];
		});
		expect(timeouts).toEqual([
			[20_000, false, false],
			[14_000, false, false],
			[1_000, true, true],
		]);
		expect(
			new Budget(
				() => ms,
				34_000,
				10,
				() => true,
			).isSpent(),
		).toBe(true);
	});
});

test('what the process remembers belongs to a node and an account', () => {
	const contextOf = (id: string) =>
		({ getWorkflow: () => ({ id: 'w' }), getNode: () => ({ id }) }) as unknown as IPollFunctions;
	const memory = memoryOf(contextOf('a'));
	expect(memoryOf(contextOf('a'))).toBe(memory);
	expect(memoryOf(contextOf('b'))).not.toBe(memory);
	const ofOne = infosOf(memory, 'one');
	expect(infosOf(memory, 'one')).toBe(ofOne);
	expect(infosOf(memory, 'two')).not.toBe(ofOne);
});
