import type { IExecuteFunctions } from 'n8n-workflow';

import { groupBy } from '../lists';
import type { NodeRun } from '../run';
import { ItemError } from '../transport/errors';
import { memoryOfTries } from '../writes/journal';
import { createLabels, type Unlabeled, type WantedLabel } from './createLabels';
import type { PrintJob } from './printJob';

export type LabelToPrint = WantedLabel & { printerName: string };

/** The jobs of all tries whose shipments another job may have as well. `planJobs` sends them as they were planned. */
const unsureJobs = (context: IExecuteFunctions): PrintJob[] =>
	(memoryOfTries<PrintJob[]>(context, 'unsureJobs').all ??= []);

/**
 * Plans the jobs for each printer. In a retry, a label that an earlier try has `sent` is not planned again, whatever the
 * form says now: for the same item, or on the same printer. What was planned and not sent gets new labels, because a
 * shipment can have been canceled since. Only if nobody says which carrier a shipment has, it is in the job of each
 * carrier, and of new labels, those that were printed could not be told apart: such a job is sent as it was planned.
 */
export async function planJobs(
	run: NodeRun,
	labels: readonly LabelToPrint[],
	sent: readonly PrintJob[],
): Promise<Array<PrintJob | Unlabeled>> {
	const has = ({ shipments, items }: PrintJob, { id, item }: LabelToPrint) =>
		shipments?.ids.includes(id) && items?.includes(item);
	const sentHashes = new Set(sent.map(({ hash }) => hash));
	const again = unsureJobs(run.context).flatMap((job) => {
		const own = labels.filter((label) => has(job, label));
		const isWhole = job.shipments?.ids.every((id) => own.some((label) => label.id === id));
		const isRepeated = !sentHashes.has(job.hash) && isWhole;
		return isRepeated ? own.slice(0, 1).map(({ printerName }) => ({ ...job, printerName })) : [];
	});
	const joined: PrintJob[] = [];
	const newLabels = labels.filter((label) => {
		const { id, item, printerName } = label;
		const before = sent.find(
			(job) =>
				has(job, label) || (job.shipments?.ids.includes(id) && job.printerName === printerName),
		);
		if (before) joined.push({ ...before, items: [item] });
		return !before && !again.some((job) => has(job, label));
	});
	const byPrinter = groupBy(newLabels, ({ printerName }) => printerName);
	const planned = await run.client.mapParallel([...byPrinter], async ([printerName, own]) =>
		planNewJobs(run, printerName, own),
	);
	return [...joined, ...again, ...planned.flat()];
}

/** Creates the labels for one printer. The service returns a hash for each carrier, which is one job. */
export async function planNewJobs(
	run: NodeRun,
	printerName: string,
	labels: readonly WantedLabel[],
): Promise<Array<PrintJob | Unlabeled>> {
	const created = await createLabels(run, labels, { format: 'pdf' });
	return created.map((each): PrintJob | Unlabeled => {
		if ('failure' in each) return each;
		const { ids, items, group, missing, isUnsure } = each;
		const { hash, carrierCode, carrierName, labelsCount } = group;
		if (!hash) {
			const failure = new ItemError(
				`The service returned no print hash for the labels of ${carrierName}`,
				'Use Label: Create Label Files to download the labels, and print the file.',
				{ carrierCode, printerName },
				true,
			);
			return { ids, items, failure };
		}
		const job = {
			...{ printerName, hash, items },
			labels: { carrierCode, carrierName, labelsCount, ...missing },
			shipments: { carrierCode, ids },
		};
		if (isUnsure) unsureJobs(run.context).push(job);
		return job;
	});
}
