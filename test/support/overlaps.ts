import type { RecordedRequest } from '../../sandbox';

type Period = Pick<RecordedRequest, 'at' | 'finishedAt'>;

/**
 * The highest number of these requests that the service worked on at the same time. A request whose
 * answer was cut off has no end.
 */
export function mostAtOnce(requests: readonly Period[]): number {
	const changes = requests.flatMap(({ at, finishedAt }) => [
		{ at, by: 1 },
		{ at: finishedAt ?? Infinity, by: -1 },
	]);
	// A request that ends in the millisecond in which another one starts is not at the same time.
	changes.sort((a, b) => a.at - b.at || a.by - b.by);
	let count = 0;
	return Math.max(0, ...changes.map(({ by }) => (count += by)));
}
