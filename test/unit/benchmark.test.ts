import { checkRun } from '../../bench/checkRun';
import type { Figures } from '../../bench/job';
import { findJob } from '../../bench/jobs';

describe('The benchmark refuses a run', () => {
	const good: Figures = {
		wallMs: 5,
		cpuMs: 3,
		requests: 3,
		batches: 0,
		stateKB: 2,
		longestBlockMs: 1,
		peakMemoryMB: 0,
	};
	const check = (figures: Figures, trackedShipments = 100) =>
		checkRun(
			findJob('poll-first'),
			'node',
			{ ...good, ...figures },
			{ size: 100, trackedShipments },
		);

	test.each<[string, Figures, number, string]>([
		['without requests', { requests: 0 }, 100, 'requests is 0'],
		['without a time', { wallMs: NaN }, 100, 'wallMs is NaN'],
		['that took no time', { wallMs: 0 }, 100, 'wallMs is 0'],
		['without a figure of the table', { stateKB: 0 }, 100, 'stateKB is 0'],
		['that tracked nothing', {}, 0, 'the events of 0 shipments instead of 100'],
	])('%s', (_, figures, tracked, problem) => {
		expect(() => check(figures, tracked)).toThrow(problem);
		expect(() => check({})).not.toThrow();
	});
});
