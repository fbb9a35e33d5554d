import type { IPollFunctions } from 'n8n-workflow';

import { Budget, infosOf, memoryOf } from '../../nodes/ParcelShipping/tracking/host';

test('the time of a poll limits each request, and a pause that the service asks for ends it', () => {
	let [ms, isHeldBack] = [0, false];
	const budget = new Budget(
		() => ms,
		34_000,
		10,
		() => isHeldBack,
	);
	expect([budget.timeoutMs(), budget.isSpent()]).toEqual([20_000, false]);
	ms = 20_000;
	expect([budget.timeoutMs(), budget.isLate()]).toEqual([14_000, false]);
	isHeldBack = true;
	expect([budget.isLate(), budget.isSpent()]).toEqual([false, true]);
	[ms, isHeldBack] = [33_500, false];
	expect([budget.timeoutMs(), budget.isLate(), budget.isSpent()]).toEqual([1_000, true, true]);
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
