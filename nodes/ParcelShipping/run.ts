import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { countOf } from './lists';
import type { Client } from './transport/client';
import { describeError } from './transport/errors';

/** One run of the node. */
export interface NodeRun {
	context: IExecuteFunctions;
	client: Client;
	items: INodeExecutionData[];
}

export interface ItemOutput {
	json: IDataObject;
	binary?: IBinaryKeyData;
}

/** An output item, or an error, and the indexes of the input items it belongs to. */
export type ItemResult = { items: number[] } & (ItemOutput | { failure: unknown });

export type FailedResult = ItemResult & { failure: unknown };

/**
 * Runs the queues in parallel and the tasks of each queue one after another. Without *Continue*, no
 * further task starts after one with a failed result, because the output would be discarded.
 */
export async function runUntilFirstFailure<Task, Result>(
	{ context, client }: NodeRun,
	queues: ReadonlyArray<readonly Task[]>,
	runTask: (task: Task) => Promise<Result[]>,
	isFailed: (result: Result) => boolean,
): Promise<Result[]> {
	const stopsOnFailure = !context.continueOnFail();
	let hasFailed = false;
	const resultsOfQueues = await client.mapParallel(queues, async (queue) => {
		const results: Result[][] = [];
		for (const task of queue) {
			if (hasFailed && stopsOnFailure) break;
			const added = await runTask(task);
			hasFailed ||= added.some(isFailed);
			results.push(added);
		}
		return results;
	});
	return resultsOfQueues.flatMap((results) => results.flat() as Result[]);
}

/** Without *Continue*, nothing further is sent once a result is failed, and the run ends with an error. */
export const endsWithError = ({ context }: NodeRun, results: readonly ItemResult[]) =>
	!context.continueOnFail() && results.some((result) => 'failure' in result);

/** The failed items, as a hint refers to them: by n8n's name for the output that has them. */
export function nameFailedItems({ context }: NodeRun): string {
	const hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	return hasErrorOutput ? "the 'Error' output" : 'the failed items';
}

/** Ends a run with one sentence of what was done, and the first reason why items failed. */
export function showDone(run: NodeRun, results: readonly ItemResult[], done: string[]): void {
	const failed = results.filter((each) => 'failure' in each);
	const count = new Set(failed.flatMap(({ items }) => items)).size;
	const reason = failed[0] && describeError(failed[0].failure).message.replace(/\.?$/, '.');
	const texts = [
		...(done.length > 0 ? [`${done.join(', ')}.`] : []),
		...(reason ? [`${countOf(count, 'item')} failed. ${reason} See ${nameFailedItems(run)}.`] : []),
	];
	if (texts.length > 0) showHints(run, [texts.join(' ')]);
}

/** Messages above the output of the node. */
export function showHints({ context, client }: NodeRun, hints: readonly string[]): void {
	const messages = client.http.redact([...hints]);
	context.addExecutionHints(
		...messages.map((message) => ({ message, location: 'outputPane' as const })),
	);
}
