import { Allowance } from '../../nodes/ParcelShipping/tracking/allowance';
import { Deadline } from '../../nodes/ParcelShipping/tracking/host';

const deadline = new Deadline(() => 0, 60_000);

const spendAll = (allowance: Allowance) => {
	let requests = 0;
	for (; !allowance.isSpent; requests++) allowance.spend();
	return requests;
};

describe('The requests of a poll', () => {
	test('are limited, and so is each part of it', () => {
		const whole = Allowance.of(deadline, 10);
		const half = whole.share(1, 0.5);
		expect(spendAll(half.share(1, 0.4))).toBe(2);
		expect(spendAll(half)).toBe(3);
		expect(spendAll(whole)).toBe(5);
	});

	test.each([10, 11, 37, 500])('of %i leave some for the list and some for tracking', (max) => {
		const whole = Allowance.of(deadline, max);
		const list = spendAll(whole.share(0.5, 0.75).share(0.5, 0.7));
		expect(list).toBeGreaterThanOrEqual(5);
		expect(spendAll(whole)).toBe(max - list);
	});

	test('end with the time, and if the service asks for a pause', () => {
		let nowMs = 0;
		let isHeldBack = false;
		const allowance = Allowance.of(new Deadline(() => nowMs, 60_000), 10, () => isHeldBack);
		isHeldBack = true;
		expect(allowance.isSpent).toBe(true);
		isHeldBack = false;
		expect(allowance.isSpent).toBe(false);
		nowMs = 59_900;
		expect(allowance.isSpent).toBe(true);
	});
});
