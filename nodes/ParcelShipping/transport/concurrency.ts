import { sleep } from 'n8n-workflow';

/**
 * Runs `work` for every item and returns the results in the order of the items. The first error ends
 * the run: no further work starts, and the error is thrown. So that it ends soon, no more work starts
 * at a time than can send a request at a time (`limit`). How many requests run is decided in
 * `sender.ts`, which all of them pass.
 */
export async function mapParallel<Item, Result>(
	items: readonly Item[],
	limit: number,
	work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = new Array<Result>(items.length);
	// A generator, because an error in one of the loops over it ends all of them.
	const entries = entriesOf(items);
	const runNext = async () => {
		for (const [index, item] of entries) results[index] = await work(item, index);
	};
	await Promise.all(Array.from({ length: Math.min(Math.max(1, limit), items.length) }, runNext));
	return results;
}

function* entriesOf<Item>(items: readonly Item[]) {
	yield* items.entries();
}

/** Other executions of this process wait no longer than this. */
const LONGEST_TURN_MS = 15;

/** Like `items.map(work)`, with pauses in which other executions of this process go on. */
export async function mapWithPauses<Item, Result>(
	items: readonly Item[],
	work: (item: Item, index: number) => Result,
): Promise<Result[]> {
	const results: Result[] = [];
	let turnStart = performance.now();
	for (const [index, item] of items.entries()) {
		if (performance.now() - turnStart > LONGEST_TURN_MS) {
			await sleep(0);
			turnStart = performance.now();
		}
		results.push(work(item, index));
	}
	return results;
}
