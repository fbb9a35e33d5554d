import type { IExecuteFunctions } from 'n8n-workflow';

import { countOf, groupBy } from '../lists';
import {
	endsWithError,
	type ItemResult,
	type NodeRun,
	runUntilFirstFailure,
	showHints,
} from '../run';
import { sendOnce } from '../writes/sendOnce';
import { executionOf, memoryOfTries } from '../writes/sent';
import { type CreatedLabels, createLabels, progressOfLabels, type Unlabeled } from './createLabels';
import type { HashItem, Job, LabelToPrint, PrintResult } from './job';
import {
	lostError,
	notAcceptedError,
	noHashError,
	refusedError,
	requestedError,
	sentError,
} from './messages';
import { type ItemShipments, selectLabels } from './select';

/** The jobs of all tries, by their hash. */
export const jobsOfTries = (context: IExecuteFunctions) => memoryOfTries<Job>(context, 'jobs');

/** What earlier tries have sent, with its result, and what is only labeled. */
export function earlierJobs(context: IExecuteFunctions): { over: PrintResult[]; labeled: Job[] } {
	const known = Object.values(jobsOfTries(context)).filter((job) => job !== undefined);
	const over = known.filter(({ state }) => state !== 'labeled');
	return {
		over: over.map((job): PrintResult => {
			const { ids, items, state } = job;
			return { ids, items, job, ...(state === 'sent' ? { failure: sentError(job) } : {}) };
		}),
		labeled: known.filter(({ state }) => state === 'labeled'),
	};
}

/**
 * The jobs that a printer has refused, of which all labels are wanted on one printer now, which may be another one. A label
 * can be in several of them: only the latest is sent.
 */
export function stillWanted(
	labeled: readonly Job[],
	wanted: ReadonlyArray<({ hash: string } | { id: number }) & Pick<Job, 'printerName' | 'printer'>>,
): Job[] {
	const byKey = new Map(wanted.map((each) => [keyOf(each), each]));
	return labeled.toReversed().flatMap((job): Job[] => {
		const keys = keysOf(job);
		const own = keys.flatMap((key) => byKey.get(key) ?? []);
		const [first] = own;
		const isTogether = own.every(({ printerName }) => printerName === first?.printerName);
		if (!first || own.length < keys.length || !isTogether) return [];
		for (const key of keys) byKey.delete(key);
		return [{ ...job, printerName: first.printerName, printer: first.printer }];
	});
}

/** How long a printer may take to accept a job. */
const TIMEOUT_MS = 60_000;

export type ShipmentsItem = ItemShipments & { printerName: string; printer: string };

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
): Promise<ItemResult[]> {
	const { over, labeled } = earlierJobs(run.context);
	const jobIds = new Set([...over, ...labeled].flatMap(({ ids }) => ids));
	const requestedIds = Object.entries(progressOfLabels(run.context)).flatMap(([id, done]) =>
		done === 'requested' && !jobIds.has(Number(id)) ? Number(id) : [],
	);

	const { wanted, results } = await selectLabels(
		run,
		items.filter((each): each is ShipmentsItem => !('hash' in each)),
	);
	const hashes = items.filter((each): each is HashItem => 'hash' in each);
	const byLabel = groupBy<HashItem | LabelToPrint, string>([...hashes, ...wanted], keyOf);
	showRepeated(run, [...byLabel.values()]);

	const overKeys = new Set(over.flatMap(({ job }) => (job ? keysOf(job) : [])));
	const first = [...byLabel.values()].map(([label]) => label);
	const isRequested = (each: HashItem | LabelToPrint) =>
		'id' in each && requestedIds.includes(each.id);
	const open = first.filter((each) => !overKeys.has(keyOf(each)) && !isRequested(each));
	const again = stillWanted(labeled, open);
	const againKeys = new Set(again.flatMap(keysOf));
	const left = open.filter((each) => !againKeys.has(keyOf(each)));
	const newJobs = left.filter((each): each is HashItem => 'hash' in each).map(toJob);
	const toLabel = left.filter((each): each is LabelToPrint => 'id' in each);
	const groups = groupBy(toLabel, (each) =>
		JSON.stringify([each.printerName, each.carrierCode?.toUpperCase()]),
	);

	type Task = { printerName: string; print: () => Promise<PrintResult[]> };
	const tasks: Task[] = [
		...[...again, ...newJobs].map((job) => ({
			printerName: job.printerName,
			print: async () => sendJobs(run, [job]),
		})),
		...[...groups.values()].map((group) => ({
			printerName: group[0].printerName,
			print: async () => {
				const { jobs, failed } = await createJobs(run, group);
				return [...failed, ...(await sendJobs(run, jobs))];
			},
		})),
	];
	const queues = groupBy(tasks, ({ printerName }) => printerName);
	const printed = endsWithError(run, [...failedBefore, ...results])
		? []
		: await runUntilFirstFailure(
				run,
				[...queues.values()],
				async ({ print }) => print(),
				({ failure }) => failure !== undefined,
			);
	const before = [
		...over,
		...first.filter(isRequested).map((each): PrintResult => {
			const ids = 'id' in each ? [each.id] : [];
			return { ids, items: [each.item], failure: requestedError(each) };
		}),
	];
	return [
		...failedBefore,
		...results,
		...toResults([...before, ...printed], [...byLabel.values()].flat()),
	];
}

const keyOf = (each: { hash: string } | { id: number }) =>
	'id' in each ? `${each.id}` : each.hash;

const keysOf = ({ ids, hash }: Job) => (ids.length > 0 ? ids.map(String) : [hash]);

const toJob = ({ hash, printerName, printer, item }: HashItem): Job => ({
	...{ hash, printerName, printer, ids: [], orderNumbers: [], items: [item] },
	...{ state: 'labeled', output: {} },
});

/** Creates the labels for one printer. Each hash that the provider returns is one job. */
export async function createJobs(
	run: NodeRun,
	labels: readonly LabelToPrint[],
): Promise<{ jobs: Job[]; failed: PrintResult[] }> {
	const [{ printerName, printer } = { printerName: '', printer: '' }] = labels;
	const settings = { format: 'pdf' } as const;
	const together = await createLabels(run, labels, settings);
	// Only one by one, it is certain whose labels each hash prints.
	const isUnclear = (each: CreatedLabels | Unlabeled) =>
		'group' in each && each.isShared && each.ids.length > 1;
	const unclearIds = new Set(together.filter(isUnclear).flatMap(({ ids }) => ids));
	const alone = await run.client.mapParallel([...unclearIds], async (id) =>
		createLabels(
			run,
			labels.filter((each) => each.id === id),
			settings,
		),
	);
	const jobs: Job[] = [];
	const failed = new Map<string, PrintResult>();
	for (const each of [...together.filter((one) => !isUnclear(one)), ...alone.flat()]) {
		const { ids, items } = each;
		const orderNumbers = labels.flatMap(
			({ id, orderNumber }) => (ids.includes(id) && orderNumber) || [],
		);
		if ('failure' in each) {
			failed.set(ids.join(), { ids, items, failure: each.failure });
			continue;
		}
		const { group, labelsMissing, isShared } = each;
		const { carrierCode, carrierName, labelsCount, hash } = group;
		if (!hash || isShared) {
			// Several files for one label are one problem.
			failed.set(ids.join(), { ids, items, failure: noHashError(group, ids, isShared) });
			continue;
		}
		const missing = labelsMissing > 0 ? { labelsMissing } : {};
		const output = { carrierCode, carrierName, labelsCount, ...missing };
		const names = { ids, orderNumbers: [...new Set(orderNumbers)], items };
		const job: Job = { hash, printerName, printer, ...names, state: 'labeled', output };
		jobsOfTries(run.context)[hash] = job;
		jobs.push(job);
	}
	return { jobs, failed: [...failed.values()] };
}

/**
 * Sends each job once, and those of one printer one after another. Also after one that failed: providers may count all
 * labels that were created as printed.
 */
export async function sendJobs(run: NodeRun, jobs: readonly Job[]): Promise<PrintResult[]> {
	const queues = groupBy(jobs, ({ printerName }) => printerName);
	const results = await run.client.mapParallel([...queues.values()], async (queue) => {
		const ofQueue: PrintResult[] = [];
		for (const job of queue) ofQueue.push(await sendJob(run, job));
		return ofQueue;
	});
	return results.flat();
}

async function sendJob({ context, client }: NodeRun, job: Job): Promise<PrintResult> {
	const { hash, printerName, ids, items } = job;
	jobsOfTries(context)[hash] = job;
	const noting = {
		sending: () => void Object.assign(job, { state: 'sent', execution: executionOf(context) }),
		forget: () => void (job.state = 'labeled'),
	};
	const outcome = await sendOnce(client, noting, async (calls) =>
		calls.call('sendToPrinter', { body: { hash, printerName } }, { timeoutMs: TIMEOUT_MS }),
	);
	const result = { ids, items, job };
	if ('lost' in outcome) return { ...result, failure: lostError(job, outcome.lost) };
	if ('refused' in outcome) return { ...result, failure: refusedError(job, outcome.refused) };
	const { result: printed, correlationId } = outcome.response;
	job.state = printed ? 'printed' : 'labeled';
	job.output = { ...job.output, hash, printerName, printed, correlationId };
	return printed ? result : { ...result, failure: notAcceptedError(job, outcome.response) };
}

function showRepeated(
	run: NodeRun,
	labels: ReadonlyArray<ReadonlyArray<HashItem | LabelToPrint>>,
): void {
	const repeated = labels.flatMap(([first, ...more]) =>
		more.filter((each) => 'hash' in each || each.printerName !== first?.printerName),
	);
	const count = new Set(repeated.map(({ item }) => item)).size;
	if (count === 0) return;
	showHints(run, [
		`${countOf(count, 'item', 'has')} a hash or label that an earlier item has as well. Each is printed once, on the printer of the first item that has it. To print a label again, or on another printer as well, use another node.`,
	]);
}

/** One for each print job, and an error for each item, also if an earlier try has printed for other items. */
function toResults(
	results: readonly PrintResult[],
	wanted: ReadonlyArray<HashItem | LabelToPrint>,
): ItemResult[] {
	const withLinks = results.map((each) => {
		const keys = each.job ? keysOf(each.job) : each.ids.map(String);
		const linked = wanted.filter((label) => keys.includes(keyOf(label))).map(({ item }) => item);
		return { ...each, items: [...new Set([...each.items, ...linked])].sort((a, b) => a - b) };
	});
	const isPrinted = ({ failure }: PrintResult) => failure === undefined;
	const printed = withLinks
		.filter(isPrinted)
		.map(({ items, job }): ItemResult => ({ items, json: job?.output ?? {} }));
	const failed = groupBy(
		withLinks.filter((each) => !isPrinted(each)),
		({ failure }) => failure,
	);
	const failures = [...failed].flatMap(([failure, group]) =>
		[...new Set(group.flatMap((each) => each.items))].map((item) => ({ items: [item], failure })),
	);
	return [...printed, ...failures];
}
