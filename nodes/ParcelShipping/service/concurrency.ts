/**
 * `work` for every item, at most `limit` at a time, results in the order of the items.
 * The first one to throw ends it: nothing new is started, and its error is the result.
 */
export async function mapConcurrently<Item, Result>(
	items: readonly Item[],
	limit: number,
	work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = new Array<Result>(items.length);
	let next = 0;
	let failed = false;
	const lane = async () => {
		while (next < items.length && !failed) {
			const index = next++;
			try {
				results[index] = await work(items[index] as Item, index);
			} finally {
				failed = failed || !(index in results);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(Math.max(1, limit), items.length) }, lane));
	return results;
}

/** How many requests one item may have under way, so that all items together stay in the limit. */
export function requestsPerItem(run: {
	maxConcurrency: number;
	items: readonly unknown[];
}): number {
	return Math.max(1, Math.floor(run.maxConcurrency / run.items.length));
}
