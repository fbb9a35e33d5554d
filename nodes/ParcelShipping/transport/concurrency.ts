import { sleep } from 'n8n-workflow';

/**
 * Runs `work` for every item and returns the results in the order of the items. The first error ends
 * the run: no further work starts, and the error is thrown. So that it ends soon, no more work starts
 * at a time than can send a request at a time (`limit`). How many requests run is not decided here:
 * all of them pass the client's `Limiter`.
 */
export async function mapParallel<Item, Result>(
	items: readonly Item[],
	limit: number,
	work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = new Array<Result>(items.length);
	let next = 0;
	let failed = false;
	const runNext = async () => {
		while (next < items.length && !failed) {
			const index = next++;
			try {
				results[index] = await work(items[index] as Item, index);
			} finally {
				failed = failed || !(index in results);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(Math.max(1, limit), items.length) }, runNext));
	return results;
}

/**
 * Sends a request for every item, at most `limit` at a time, and handles the responses one
 * by one while the next requests are running. An item without a response gives `undefined`. Neither function
 * may throw.
 */
export async function requestAndHandle<Item, Response>(
	items: readonly Item[],
	limit: number,
	request: (item: Item) => Promise<Response | undefined>,
	handle: (response: Response) => void,
): Promise<void> {
	let handling = Promise.resolve();
	await mapParallel(items, limit, async (item) => {
		const response = await request(item);
		if (response === undefined) return;
		handling = handling.then(async () => {
			await sleep(0);
			handle(response);
		});
	});
	await handling;
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

/** Runs at most `limit` pieces of work at a time; the others wait in the order they arrived. */
export class Limiter {
	private free: number;

	private readonly waiting: Array<() => void> = [];

	constructor(readonly limit: number) {
		this.free = Math.max(1, limit);
	}

	async run<Result>(work: () => Promise<Result>): Promise<Result> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await work();
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.free++;
		}
	}
}
