import type { IExecuteFunctions } from 'n8n-workflow';

import { groupBy } from '../lists';
import type { NodeRun } from '../run';
import { describeError } from '../transport/errors';
import { serviceMessageOf } from '../transport/response';
import { sendOnce } from '../writes/sendOnce';
import { executionOf, memoryOfTries } from '../writes/sent';
import { createLabels } from './createLabels';
import { type Job, type JobResult, keyOf, keysOf, type LabelToPrint, type Printer } from './job';
import { adviceFor, noHashError, orderNumbersOf } from './messages';

const jobsOfTries = (context: IExecuteFunctions) => memoryOfTries<Job>(context, 'jobs');

/**
 * What earlier tries have sent, the labeled jobs to send again, and what else is wanted. A job is sent again if all of its
 * labels are wanted on one printer, which may be another one. Of several with the same label, it is the latest.
 */
export function earlierJobs<Wanted extends Printer & ({ hash: string } | { id: number })>(
	context: IExecuteFunctions,
	wanted: readonly Wanted[],
): { over: JobResult[]; again: Job[]; left: Wanted[] } {
	const jobs = Object.values(jobsOfTries(context)).filter((job) => job !== undefined);
	const over = jobs.filter(({ state }) => state !== 'labeled');
	const left = new Map(wanted.map((each) => [keyOf(each), each]));
	for (const key of over.flatMap(keysOf)) left.delete(key);
	const labeled = jobs.filter(({ state }) => state === 'labeled').reverse();
	const again = labeled.flatMap((job): Job[] => {
		const keys = keysOf(job);
		const own = keys.flatMap((key) => left.get(key) ?? []);
		const [{ printerName, printer } = job] = own;
		const isTogether = own.every((each) => each.printerName === printerName);
		if (own.length < keys.length || !isTogether) return [];
		for (const key of keys) left.delete(key);
		return [{ ...job, printerName, printer }];
	});
	return { over: over.map((job) => ({ job })), again, left: [...left.values()] };
}

/**
 * Sends the jobs and, in new jobs, the labels. Those of one printer are sent one after another, also after one that failed,
 * because providers may count all labels that were created as printed.
 */
export async function printJobs(
	run: NodeRun,
	jobs: readonly Job[],
	labels: readonly LabelToPrint[],
): Promise<JobResult[]> {
	const byPrinter = groupBy([...jobs, ...labels], ({ printerName }) => printerName);
	const results = await run.client.mapParallel([...byPrinter.values()], async (group) => {
		const known = group.filter((each): each is Job => 'state' in each).map((job) => ({ job }));
		const toLabel = group.filter((each): each is LabelToPrint => 'id' in each);
		const queue: JobResult[] = [...known, ...(await createJobs(run, toLabel))];
		for (const [index, { job }] of queue.entries()) {
			if (job.state === 'labeled') queue[index] = await sendJob(run, job);
		}
		return queue;
	});
	return results.flat();
}

/** Creates the labels for one printer. Each hash that the provider returns is one job. */
async function createJobs(run: NodeRun, labels: readonly LabelToPrint[]): Promise<JobResult[]> {
	const [first] = labels;
	if (!first) return [];
	const { printerName, printer } = first;
	const created = await createLabels(run, labels, { type: 'pdf' });
	const jobs = await run.client.mapParallel(created, async (each): Promise<JobResult[]> => {
		const { ids, items } = each;
		const orderNumbers = orderNumbersOf(labels, ids);
		const requested = { ids, items, orderNumbers, printerName, printer, hash: '', output: {} };
		const fail = (failure: unknown): JobResult[] => [
			{ job: { ...requested, state: 'requested' }, why: describeError(failure) },
		];
		if ('failure' in each) return fail(each.failure);
		const [group, ...others] = each.groups;
		if (others.length > 0 && ids.length > 1) {
			// Only one by one, it is certain whose labels each hash prints.
			const alone = run.client.mapParallel(ids, async (id) =>
				createJobs(
					run,
					labels.filter((label) => label.id === id),
				),
			);
			return (await alone).flat();
		}
		const { carrierCode, carrierName = '', labelsCount, hash } = group ?? {};
		if (!hash || others.length > 0) return fail(noHashError(carrierName, others.length > 0));
		const missing = each.labelsMissing > 0 ? { labelsMissing: each.labelsMissing } : {};
		const output = { carrierCode, carrierName, labelsCount, ...missing };
		const job: Job = { ...requested, hash, state: 'labeled', output };
		jobsOfTries(run.context)[hash] = job;
		return [{ job }];
	});
	return jobs.flat();
}

/** How long a printer may take to accept a job. */
const TIMEOUT_MS = 60_000;

async function sendJob({ context, client }: NodeRun, job: Job): Promise<JobResult> {
	const { hash, printerName } = job;
	jobsOfTries(context)[hash] = job;
	const noting = {
		sending: () => void Object.assign(job, { state: 'sent', execution: executionOf(context) }),
		forget: () => void (job.state = 'labeled'),
	};
	const outcome = await sendOnce(client, noting, async (calls) =>
		calls.call('sendToPrinter', { body: { hash, printerName } }, { timeoutMs: TIMEOUT_MS }),
	);
	if ('lost' in outcome) return { job, why: outcome.lost };
	if ('refused' in outcome) {
		const why = describeError(outcome.refused);
		return { job, why: { ...why, description: adviceFor(job, why, outcome.refused) } };
	}
	const { result: printed, correlationId } = outcome.response;
	job.state = printed ? 'printed' : 'labeled';
	job.output = { ...job.output, hash, printerName, printed, correlationId };
	if (printed) return { job };
	const message = serviceMessageOf(outcome.response) ?? 'the printer did not accept it';
	const why = { message, description: '', details: { correlationId } };
	return { job, why: { ...why, description: adviceFor(job, why) } };
}
