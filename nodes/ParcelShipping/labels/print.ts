import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { countOf, groupBy, listTexts } from '../lists';
import { endsWithError, failEach, type ItemResult, type NodeRun, showDone } from '../run';
import { HASH_VALIDITY_DAYS } from '../transport/endpoints';
import { describeError, type ErrorText, factsOf, ItemError } from '../transport/errors';
import { serviceMessageOf } from '../transport/response';
import { sendOnce } from '../writes/sendOnce';
import { executionOf, memoryOfTries } from '../writes/sent';
import { createLabels, describeLabels, requestedLabels, type WantedLabel } from './labels';
import { type ItemShipments, selectLabels } from './select';

export interface Printer {
	printerName: string;
	/** How the user knows it. */
	printer: string;
}

/** What one hash prints on one printer. Plain JSON, because n8n saves it. */
export interface Job extends Printer {
	/** '' without labels. */
	hash: string;
	/** Of the shipments and pieces whose labels these are. Empty if the user has entered the hash. */
	ids: number[];
	/** Of the same labels, as far as they are known. */
	orderNumbers: string[];
	/** The input items that want it. */
	items: number[];
	/** *Sent*: from before the request until the response. *NotPrinted*: the printer has certainly not printed it. */
	state: 'notPrinted' | 'sent' | 'printed';
	/** What the output says besides hash and printer. */
	output: IDataObject;
	/** The execution that sent it last. */
	execution?: string;
	/** Why it is not printed. */
	why?: ErrorText;
}

export type LabelToPrint = WantedLabel & Printer;
export type ShipmentsItem = ItemShipments & Printer;
export type HashItem = { item: number; hash: string } & Printer;

/** What the tries have sent and the printer may have printed, by hash. */
const sentJobs = (context: IExecuteFunctions) => memoryOfTries<Job>(context, 'jobs');

/** The jobs that earlier tries have sent, and whether the label of an ID, or a hash, was among them. */
export function sentBefore(context: IExecuteFunctions) {
	const over = Object.values(sentJobs(context)).filter((job) => job !== undefined);
	const sent = new Set<number | string>(over.flatMap(({ ids, hash }) => [...ids, hash]));
	return { over, isOver: (idOrHash: number | string) => sent.has(idOrHash) };
}

/**
 * Prints each label once, on the printer of the first item that wants it. What an earlier try has sent is not sent again.
 * Without a lock: two executions that ask for one label at the same moment both print it. See docs/guarantees.md.
 */
export async function printLabels(
	run: NodeRun,
	items: ReadonlyArray<HashItem | ShipmentsItem>,
	failedBefore: readonly ItemResult[],
	skipsPrinted: boolean,
): Promise<ItemResult[]> {
	const hashes = items.filter((each): each is HashItem => 'hash' in each);
	const ofShipments = items.filter((each): each is ShipmentsItem => !('hash' in each));
	const { wanted, results } = await selectLabels(run, ofShipments, skipsPrinted);
	const { over, isOver } = sentBefore(run.context);
	const byHash = groupBy(hashes, ({ hash }) => hash);
	const ofHashes = [...byHash].map(([hash, [{ printerName, printer, item }]]): Job => {
		const named = { hash, printerName, printer, ids: [], orderNumbers: [], items: [item] };
		return { ...named, state: 'notPrinted', output: {} };
	});
	const labels = [...groupBy(wanted, ({ id }) => id).values()].map(([first]) => first);
	const hasFailed = endsWithError(run, [...failedBefore, ...results]);
	const toSend = ofHashes.filter(({ hash }) => !isOver(hash));
	const toLabel = labels.filter(({ id }) => !isOver(id));
	const jobs = [...over, ...(hasFailed ? [] : await printJobs(run, toSend, toLabel))];

	// One for each job, linked to all items that want it, or an error for each of these items.
	const outputs = jobs.flatMap((job): ItemResult[] => {
		const own = [
			...hashes.filter(({ hash }) => hash === job.hash),
			...wanted.filter(({ id }) => job.ids.includes(id)),
		];
		const linked = [...new Set([...job.items, ...own.map(({ item }) => item)])];
		if (job.state === 'printed') return [{ items: linked.sort((a, b) => a - b), json: job.output }];
		const { message, description, details } = describeJob(job);
		return failEach(linked, new ItemError(message, description, details));
	});
	const all = [...failedBefore, ...results, ...outputs];
	showDone(run, all, countPrinted(jobs, executionOf(run.context)));
	return all;
}

/** The jobs of one printer go one after another, also after one that failed: created labels may count as printed. */
export async function printJobs(
	run: NodeRun,
	jobs: readonly Job[],
	labels: readonly LabelToPrint[] = [],
): Promise<Job[]> {
	const printers = [...new Set([...jobs, ...labels].map(({ printerName }) => printerName))];
	const results = await run.client.mapParallel(printers, async (printer) => {
		const isOwn = ({ printerName }: Printer) => printerName === printer;
		const queue = [...jobs.filter(isOwn), ...(await createJobs(run, labels.filter(isOwn)))];
		for (const job of queue) if (job.hash !== '') await sendJob(run, job);
		return queue;
	});
	return results.flat();
}

/** Creates the labels for one printer. Each hash that the provider returns is one job. */
async function createJobs(run: NodeRun, labels: readonly LabelToPrint[]): Promise<Job[]> {
	const [first] = labels;
	if (!first) return [];
	const created = await createLabels(run, labels, { type: 'pdf' });
	const jobs = await run.client.mapParallel(created, async (each): Promise<Job[]> => {
		const { ids, items, orderNumbers, groups, failure } = each;
		const { printerName, printer } = first;
		const named = { ids, items, orderNumbers, printerName, printer };
		const [group, ...others] = groups;
		if (others.length > 0 && ids.length > 1) {
			// Only one by one, it is certain whose labels each hash prints.
			const labelsOf = (id: number) => labels.filter((label) => label.id === id);
			const alone = run.client.mapParallel(ids, async (id) => createJobs(run, labelsOf(id)));
			return (await alone).flat();
		}
		const { carrierCode, carrierName, labelsCount, labelsMissing, hash } = group ?? {};
		if (!hash || others.length > 0) {
			const why = describeError(failure ?? NO_HASH);
			return [{ ...named, hash: '', state: 'notPrinted', output: {}, why }];
		}
		const output = { carrierCode, carrierName, labelsCount, labelsMissing };
		return [{ ...named, hash, state: 'notPrinted', output }];
	});
	return jobs.flat();
}

const NO_HASH = new ItemError(
	'the provider returned no print hash, or several',
	'Use Label: Create Label Files, and print the file.',
);

const REFUSED = `Check the printer or choose another one. Then retry the execution, or print by order number: 'All Not Printed' may leave out labels that a printer has refused. A print hash is valid for ${HASH_VALIDITY_DAYS} days.`;

async function sendJob({ context, client }: NodeRun, job: Job): Promise<void> {
	const { hash, printerName } = job;
	const requested = requestedLabels(context);
	const noting = {
		sending() {
			Object.assign(job, { state: 'sent', execution: executionOf(context) });
			// Also those of a batch, whose own hash needs no label request.
			for (const id of job.ids) requested[id] = true;
			sentJobs(context)[hash] = job;
		},
		forget() {
			job.state = 'notPrinted';
			delete sentJobs(context)[hash];
		},
	};
	const outcome = await sendOnce(client, noting, async (calls) =>
		calls.call('sendToPrinter', { body: { hash, printerName } }),
	);
	if ('lost' in outcome) {
		job.why = outcome.lost;
	} else if ('refused' in outcome) {
		const { refused } = outcome;
		const isOfAll = factsOf(refused).cause !== undefined;
		job.why = { ...describeError(refused), ...(isOfAll ? {} : { description: REFUSED }) };
	} else {
		const { result: printed, correlationId } = outcome.response;
		job.output = { ...job.output, hash, printerName, printed, correlationId };
		job.state = 'printed';
		if (printed) return;
		noting.forget();
		const message = serviceMessageOf(outcome.response) ?? 'the printer did not accept it';
		job.why = { message, description: REFUSED, details: { correlationId } };
	}
}

/** What users read about a job that was not printed: one sentence, and what to do. */
export function describeJob({
	why = { message: 'n8n was stopped before its response came', description: '', details: {} },
	...job
}: Omit<Job, 'items' | 'output'>): ErrorText {
	const { printer, printerName, hash, ids, state } = job;
	const isSent = state === 'sent';
	const done = isSent ? 'may or may not have been printed' : 'was not printed';
	const advice = 'Check the printer. To print anyway, run Label: Send to Printer.';
	return {
		message: describeLabels(job, why, `${done} on "${printer}"`),
		description: isSent ? advice : why.description,
		details: {
			...why.details,
			printerName,
			...(hash === '' ? {} : { hash }),
			...(ids.length > 0 ? { shipmentIds: ids } : {}),
		},
	};
}

/** For example "3 labels printed on Warehouse Zebra", or nothing. Labels of a retried execution do not count. */
export function countPrinted(jobs: readonly Job[], ownExecution: string): string[] {
	const own = jobs.filter((job) => job.state === 'printed' && job.execution === ownExecution);
	const labels = own.flatMap(({ ids, output }) => ids.slice(Number(output.labelsMissing ?? 0)));
	const printers = [...new Set(own.map(({ printer }) => printer))];
	const text = `${countOf(labels.length, 'label')} printed on ${listTexts(printers, 5)}`;
	return labels.length > 0 ? [text] : [];
}
