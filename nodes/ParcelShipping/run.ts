import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { countOf, groupBy, listTexts } from './lists';
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

/** What fails several items is an error of each of them. */
export const failEach = (items: readonly number[], failure: unknown): FailedResult[] =>
	[...new Set(items)].map((item) => ({ items: [item], failure }));

/** Without *Continue*, no further task starts after one that failed, because the output would be discarded. */
export async function runTasks<Task extends { item: number }>(
	{ context, client }: NodeRun,
	tasks: readonly Task[],
	runTask: (task: Task) => Promise<ItemOutput[]>,
): Promise<ItemResult[]> {
	let mustStop = false;
	const results = await client.mapParallel(tasks, async (task): Promise<ItemResult[]> => {
		if (mustStop) return [];
		const items = [task.item];
		try {
			return (await runTask(task)).map((output) => ({ items, ...output }));
		} catch (failure) {
			mustStop = !context.continueOnFail();
			return [{ items, failure }];
		}
	});
	return results.flat();
}

/** The tasks of an operation that handles each input item by itself. */
export const eachItem = ({ items }: NodeRun) => items.map((_, item) => ({ item }));

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
	const texts = [done.length > 0 && `${done.join(', ')}.`, describeFailed(run, results)];
	const text = texts.filter(Boolean).join(' ');
	if (text !== '') showHints(run, [text]);
}

/** For example "2 items failed. A-2: Recipient Phone is missing. See the 'Error' output." */
export function describeFailed(run: NodeRun, results: readonly ItemResult[]): string | undefined {
	const failed = results.filter((each) => 'failure' in each);
	if (failed.length === 0) return undefined;
	const [first = ''] = describeFailures(failed, run.items.length);
	const count = countOf(new Set(failed.flatMap(({ items }) => items)).size, 'item');
	return `${count} failed. ${first.replace(/\.?$/, '.')} See ${nameFailedItems(run)}.`;
}

/** Each message once, with the numbers of its orders, or else with its items. What is wrong with all items names none. */
export function describeFailures(failed: readonly FailedResult[], itemCount: number): string[] {
	const groups = groupBy(failed, ({ failure }) => describeError(failure).message);
	return [...groups].map(([message, group]) => {
		const ofOrders = group.flatMap(({ failure }) => {
			const { packageNumberCustom, orderNumbers } = describeError(failure).details;
			return [orderNumbers ?? packageNumberCustom]
				.flat()
				.filter((each) => typeof each === 'string');
		});
		const items = new Set(group.flatMap((each) => each.items));
		const [first] = ofOrders;
		if (first === undefined && items.size === itemCount) return message;
		if (first === undefined) return `Item ${listTexts([...items].map(String))}: ${message}`;
		const isNamed = message.includes(JSON.stringify(first)) || message.split(' ').includes(first);
		return isNamed ? message : `${listTexts([...new Set(ofOrders)])}: ${message}`;
	});
}

/** Messages above the output of the node. */
export function showHints({ context, client }: NodeRun, hints: readonly string[]): void {
	const messages = client.http.redact([...hints]);
	context.addExecutionHints(
		...messages.map((message) => ({ message, location: 'outputPane' as const })),
	);
}
