import { Budget } from '../../nodes/ParcelShipping/tracking/host';

describe('The time of a poll', () => {
	test('limits how long each request may take', () => {
		let ms = 0;
		const budget = new Budget(() => ms, 34_000);
		expect(budget.timeoutMs()).toBe(20_000);
		ms = 20_000;
		expect(budget.timeoutMs()).toBe(14_000);
		expect(budget.isLate()).toBe(false);
		ms = 33_500;
		expect(budget.isLate()).toBe(true);
		expect(budget.isSpent()).toBe(true);
		expect(budget.timeoutMs()).toBe(1_000);
	});

	test('is kept in part for what comes later', () => {
		let ms = 4_000;
		const budget = new Budget(() => ms, 30_000);
		ms += 10_000;
		expect(budget.spend(1 / 2)).toBe(5_000);
		ms += 5_000;
		expect(budget.isSpent(1 / 2)).toBe(true);
		expect(budget.isSpent(1 / 4)).toBe(false);
	});
});

describe('The requests of a poll', () => {
	const spendAll = (budget: Budget, kept?: number) => {
		let requests = 0;
		for (; !budget.isSpent(kept); requests++) budget.spend(kept);
		return requests;
	};

	test.each([10, 11, 37, 500])('of %i leave some for each part', (max) => {
		const budget = new Budget(() => 0, 60_000, max);
		const parts = [1 / 2, 1 / 4, 0].map((kept) => spendAll(budget, kept));
		expect(Math.min(...parts)).toBeGreaterThanOrEqual(2);
		expect(parts[0]).toBeGreaterThanOrEqual(5);
		expect(parts.reduce((sum, count) => sum + count)).toBe(max);
	});

	test('end if the service asks for a pause', () => {
		let isHeldBack = false;
		const budget = new Budget(
			() => 0,
			60_000,
			10,
			() => isHeldBack,
		);
		expect(budget.isSpent()).toBe(false);
		isHeldBack = true;
		expect(budget.isSpent()).toBe(true);
	});
});
