import type { IExecuteFunctions } from 'n8n-workflow';

import { groupBy } from '../lists';
import type { NodeRun } from '../run';
import { ItemError } from '../transport/errors';
import { memoryOfTries } from '../writes/journal';
import {
	type CarrierLabels,
	createLabels,
	requestedLabels,
	type Unlabeled,
	type WantedLabel,
} from './createLabels';
import type { PrintJob } from './printJob';

// Creating a label may mark it as printed at the service. The next try must know that this node has done it.

export type LabelToPrint = WantedLabel & { printerName: string };

/** The jobs whose labels a try has created, sent or not. A batch that is printed with its own hash is not one. */
function plannedJobs(context: IExecuteFunctions): PrintJob[] {
	return (memoryOfTries<PrintJob[]>(context, 'plannedJobs').all ??= []);
}

/** What a try has done to print a label. Services may count both as printed, also if nothing was printed. */
export type LabelProgress = 'created' | 'requested';

/** What all tries have done for the label of a shipment. */
export function labelProgressOf(context: IExecuteFunctions) {
	const created = new Set(plannedJobs(context).flatMap(({ shipments }) => shipments?.ids ?? []));
	const requested = requestedLabels(context);
	return (id: number): LabelProgress | undefined => {
		if (created.has(id)) return 'created';
		return requested[id] ? 'requested' : undefined;
	};
}

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
	const again = plannedJobs(run.context).flatMap((job) => {
		const own = labels.filter((label) => has(job, label));
		const isWhole = job.shipments?.ids.every((id) => own.some((label) => label.id === id));
		const isRepeated = job.isUnsure && !sentHashes.has(job.hash) && isWhole;
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
	const jobs = created.map((each) => ('group' in each ? toJob(each, printerName) : each));
	plannedJobs(run.context).push(...jobs.filter((each) => 'hash' in each));
	return jobs;
}

function toJob(
	{ ids, items, group, missingCount, isUnsure }: CarrierLabels,
	printerName: string,
): PrintJob | Unlabeled {
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
	const output = { carrierCode, carrierName, labelsCount };
	return {
		...{ printerName, hash, items },
		labels: missingCount > 0 ? { ...output, labelsMissing: missingCount } : output,
		shipments: { carrierCode, ids },
		...(isUnsure ? { isUnsure } : {}),
	};
}
