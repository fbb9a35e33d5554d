import type { ItemResult, NodeRun } from './operation';

/** Reads the parameters of every item, so that all invalid items are known before anything is sent. */
export function readEachItem<Read>(
	{ items }: NodeRun,
	read: (itemIndex: number) => Read,
): { valid: Read[]; invalid: ItemResult[] } {
	const valid: Read[] = [];
	const invalid: ItemResult[] = [];
	for (const itemIndex of items.keys()) {
		try {
			valid.push(read(itemIndex));
		} catch (failure) {
			invalid.push({ items: [itemIndex], failure });
		}
	}
	return { valid, invalid };
}

/**
 * Runs the queues in parallel and the tasks of each queue one after another. Without *Continue*, no
 * further task starts after a failure, because the output would be discarded.
 */
export async function runUntilFirstFailure<Task, Result extends object>(
	{ context, client }: NodeRun,
	queues: ReadonlyArray<readonly Task[]>,
	runTask: (task: Task) => Promise<Result[]>,
): Promise<Result[]> {
	const stopsOnFailure = !context.continueOnFail();
	let hasFailed = false;
	const resultsOfQueues = await client.mapParallel(queues, async (queue) => {
		const results: Result[][] = [];
		for (const task of queue) {
			if (hasFailed && stopsOnFailure) break;
			const added = await runTask(task);
			hasFailed ||= added.some((result) => 'failure' in result);
			results.push(added);
		}
		return results;
	});
	return resultsOfQueues.flat(2) as Result[];
}
