import type { IExecuteFunctions } from 'n8n-workflow';

import { groupBy } from '../lists';
import type { NodeRun } from '../run';
import { ItemError } from '../transport/errors';
import { memoryOfTries } from '../writes/journal';
import { createLabels, type Unlabeled, type WantedLabel } from './createLabels';
import type { PrintJob } from './printJob';

export type LabelToPrint = WantedLabel & { printerName: string };

interface PlannedJobs {
	jobs: PrintJob[];
	unlabeled: Unlabeled[];
}

/** The jobs of all tries whose shipments another job may have as well, by their hash. */
const sharedJobs = (context: IExecuteFunctions) => memoryOfTries<PrintJob>(context, 'sharedJobs');

/**
 * Plans the jobs for each printer. In a retry, a label that an earlier try has `sent` is not planned again, whatever the
 * form says now: for the same item, or on the same printer. What was planned and not sent gets new labels: a shipment can
 * have been canceled since. An exception are the jobs of `sharedJobs`. Nobody says which carrier their shipments have, so
 * each job names them all. New labels would print again those of the job that was printed, so the same job is sent.
 */
export async function planJobs(
	run: NodeRun,
	labels: readonly LabelToPrint[],
	sent: readonly PrintJob[],
): Promise<PlannedJobs> {
	const prints = ({ shipments, items }: PrintJob, { id, item }: LabelToPrint) =>
		shipments?.ids.includes(id) && items?.includes(item);
	const shared = sharedJobs(run.context);
	const plannedBefore = Object.values(shared).filter((job) => job !== undefined);
	const sentHashes = new Set(sent.map(({ hash }) => hash));
	const toRepeat = plannedBefore.flatMap((job) => {
		const own = labels.filter((label) => prints(job, label));
		const isWhole = job.shipments?.ids.every((id) => own.some((label) => label.id === id));
		const isRepeated = !sentHashes.has(job.hash) && isWhole;
		return isRepeated ? own.slice(0, 1).map(({ printerName }) => ({ ...job, printerName })) : [];
	});
	const ofSentJobs: PrintJob[] = [];
	const newLabels = labels.filter((label) => {
		const { id, item, printerName } = label;
		const sentJob = sent.find(
			(job) =>
				prints(job, label) || (job.shipments?.ids.includes(id) && job.printerName === printerName),
		);
		if (sentJob) ofSentJobs.push({ ...sentJob, items: [item] });
		return !sentJob && !toRepeat.some((job) => prints(job, label));
	});
	// New labels take the place of a job that was not sent.
	for (const job of plannedBefore)
		if (newLabels.some((label) => prints(job, label))) delete shared[job.hash];
	const byPrinter = groupBy(newLabels, ({ printerName }) => printerName);
	const planned = await run.client.mapParallel([...byPrinter], async ([printerName, own]) =>
		planNewJobs(run, printerName, own),
	);
	return {
		jobs: [...ofSentJobs, ...toRepeat, ...planned.flatMap(({ jobs }) => jobs)],
		unlabeled: planned.flatMap(({ unlabeled }) => unlabeled),
	};
}

/** Creates the labels for one printer. The service returns a hash for each carrier, which is one job. */
export async function planNewJobs(
	run: NodeRun,
	printerName: string,
	labels: readonly WantedLabel[],
): Promise<PlannedJobs> {
	const jobs: PrintJob[] = [];
	const unlabeled: Unlabeled[] = [];
	for (const each of await createLabels(run, labels, { format: 'pdf' })) {
		if ('failure' in each) {
			unlabeled.push(each);
			continue;
		}
		const { ids, items, group, missing, sharesShipments } = each;
		const { hash, carrierCode, carrierName, labelsCount } = group;
		if (!hash) {
			const failure = new ItemError(
				`The service returned no print hash for the labels of ${carrierName}`,
				'Use Label: Create Label Files to download the labels, and print the file.',
				{ carrierCode, printerName },
				true,
			);
			unlabeled.push({ ids, items, failure });
			continue;
		}
		const job: PrintJob = {
			printerName,
			hash,
			items,
			labels: { carrierCode, carrierName, labelsCount, ...missing },
			shipments: { carrierCode, ids },
		};
		jobs.push(job);
		if (sharesShipments) sharedJobs(run.context)[hash] = job;
	}
	return { jobs, unlabeled };
}
