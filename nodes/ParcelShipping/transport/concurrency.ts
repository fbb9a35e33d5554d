import { sleep } from 'n8n-workflow';

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

/**
 * Asks for every item, at most `limit` at a time, and takes the answers one by one while the next
 * questions are under way. `undefined` is no answer. Neither may throw.
 */
export async function askAndTake<Item, Answer>(
	items: readonly Item[],
	limit: number,
	ask: (item: Item) => Promise<Answer | undefined>,
	take: (answer: Answer) => void,
): Promise<void> {
	let taking = Promise.resolve();
	await mapConcurrently(items, limit, async (item) => {
		const answer = await ask(item);
		if (answer === undefined) return;
		taking = taking.then(async () => {
			await sleep(0);
			take(answer);
		});
	});
	await taking;
}

/** Lets at most `limit` works be under way; further ones begin in the order in which they came. */
export class Gate {
	private free: number;

	private readonly waiting: Array<() => void> = [];

	constructor(limit: number) {
		this.free = Math.max(1, limit);
	}

	async pass<Result>(work: () => Promise<Result>): Promise<Result> {
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
