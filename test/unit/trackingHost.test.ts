import { Deadline } from '../../nodes/ParcelShipping/tracking/host';

describe('The deadline of a poll', () => {
	test('limits the timeout of each request to the time that is left', () => {
		let ms = 0;
		const deadline = new Deadline(() => ms, 34_000);
		expect(deadline.requestTimeoutMs).toBe(20_000);
		ms = 20_000;
		expect(deadline.requestTimeoutMs).toBe(14_000);
		expect(deadline.share(0.5).requestTimeoutMs).toBe(7_000);
		expect(deadline.hasPassed).toBe(false);
		ms = 33_500;
		expect(deadline.hasPassed).toBe(true);
		expect(deadline.requestTimeoutMs).toBe(1_000);
	});
});
