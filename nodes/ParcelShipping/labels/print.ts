import { countOf, groupBy } from '../lists';
import { endsWithError, type ItemResult, nameFailedItems, type NodeRun, showHints } from '../run';
import { ItemError } from '../transport/errors';
import { executionOf } from '../writes/sent';
import { type HashItem, type Job, keyOf, keysOf, type LabelToPrint, type Printer } from './job';
import { earlierJobs, printJobs } from './jobs';
import { countPrinted, describeJob } from './messages';
import { type ItemShipments, selectLabels } from './select';

export type ShipmentsItem = ItemShipments & Printer;

const isHash = (each: HashItem | ShipmentsItem | LabelToPrint): each is HashItem => 'hash' in each;

/**
 * Prints each label once, on the printer of the first item that wants it:
 * 1. What an earlier try has sent is not sent again.
 * 2. What an earlier try has labeled, and all of it is still wanted, is sent.
 * 3. The labels of the others are created, those of a printer and carrier together, and sent right afterwards.
 *
 * Without a lock: two executions that ask for one label at the same moment both print it. See docs/guarantees.md.
 */
export async function printLabels(
	run: NodeRun,
	items: ReadonlyArray<HashItem | ShipmentsItem>,
	failedBefore: readonly ItemResult[],
	skipsPrinted: boolean,
): Promise<ItemResult[]> {
	const ofShipments = items.filter((each): each is ShipmentsItem => !isHash(each));
	const { wanted: labels, results } = await selectLabels(run, ofShipments, skipsPrinted);
	const byKey = groupBy([...items.filter(isHash), ...labels], keyOf);
	const first = [...byKey.values()].map(([each]) => each);
	const { over, again, left } = earlierJobs(run.context, first);
	const jobs = [...again, ...left.filter(isHash).map(toJob)];
	const toLabel = left.filter((each): each is LabelToPrint => !isHash(each));
	const hasFailed = endsWithError(run, [...failedBefore, ...results]);
	const printed = hasFailed ? [] : await printJobs(run, jobs, toLabel);

	// One for each job, linked to all items that want it, or an error for each of these items.
	const outputs = [...over, ...printed].flatMap(({ job, why }): ItemResult[] => {
		const wanted = keysOf(job).flatMap((key) => byKey.get(key)?.map(({ item }) => item) ?? []);
		const linked = [...new Set([...job.items, ...wanted])].sort((a, b) => a - b);
		if (job.state === 'printed') return [{ items: linked, json: job.output }];
		const { message, description, details } = describeJob(job, why);
		const failure = new ItemError(message, description, details, true);
		return linked.map((item) => ({ items: [item], failure }));
	});
	const all = [...failedBefore, ...results, ...outputs];
	const failed = all.filter((each) => 'failure' in each).flatMap((each) => each.items);
	const done = [
		...countPrinted([...over, ...printed], executionOf(run.context)),
		...(failed.length > 0
			? [`${countOf(new Set(failed).size, 'item')} failed: see ${nameFailedItems(run)}`]
			: []),
	];
	if (done.length > 0) showHints(run, [`${done.join('. ')}.`]);
	return all;
}

const toJob = ({ item, ...named }: HashItem): Job => ({
	...named,
	...{ ids: [], orderNumbers: [], items: [item], state: 'labeled', output: {} },
});
