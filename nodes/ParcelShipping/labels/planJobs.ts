import type { IExecuteFunctions } from 'n8n-workflow';

import { chunk, groupBy, isSameCode } from '../lists';
import type { NodeRun } from '../run';
import type { LabelGroup } from '../transport/contract';
import { ItemError } from '../transport/errors';
import { memoryOfTries } from '../writes/journal';
import { MAX_SHIPMENTS_PER_REQUEST, noLabelError, requestLabels } from './files';
import type { PrintJob } from './printJob';

// Creates the labels that are to be printed. It may mark them as printed at the service, so the next try must know
// that it was done for a print job.

/** The label of a shipment, or of a piece of one. */
export interface LabelToPrint {
	id: number;
	/** Undefined if the input does not say it. */
	carrierCode?: string | undefined;
	item: number;
	printerName: string;
}

/** Labels that have no print job, and why. */
export interface Unplanned {
	ids: number[];
	items: number[];
	failure: unknown;
}

/** What all tries have planned, sent or not. */
function plannedJobs(context: IExecuteFunctions): PrintJob[] {
	return (memoryOfTries<PrintJob[]>(context, 'plannedJobs').all ??= []);
}

/** The shipments whose labels a try has requested, also if the response was lost. */
function requestedLabels(context: IExecuteFunctions) {
	return memoryOfTries<true>(context, 'requestedLabels');
}

/** What a try has done to print a label. Services may count both as printed, also if nothing was printed. */
export type LabelProgress = 'created' | 'requested';

export function labelProgressOf(context: IExecuteFunctions) {
	const created = new Set(plannedJobs(context).flatMap(({ shipments }) => shipments?.ids ?? []));
	const requested = requestedLabels(context);
	return (id: number): LabelProgress | undefined => {
		if (created.has(id)) return 'created';
		return requested[id] ? 'requested' : undefined;
	};
}

/**
 * Plans the jobs for each printer. What an earlier try has planned and not sent keeps its labels, perhaps on another
 * printer: if nobody says which carrier a shipment has, it is in the job of each carrier, and of new labels, those
 * that were printed could not be told apart.
 */
export async function planJobs(
	run: NodeRun,
	labels: readonly LabelToPrint[],
	sentHashes: ReadonlySet<string>,
): Promise<Array<PrintJob | Unplanned>> {
	const planned = [...plannedJobs(run.context)];
	const isOf = ({ shipments, items }: PrintJob, { id, item }: LabelToPrint) =>
		shipments?.ids.includes(id) && items?.includes(item);
	const again = planned.flatMap((job) => {
		const label = labels.find((each) => isOf(job, each));
		return label && !sentHashes.has(job.hash) ? { ...job, printerName: label.printerName } : [];
	});
	const newLabels = labels.filter((label) => !planned.some((job) => isOf(job, label)));
	const byPrinter = groupBy(newLabels, ({ printerName }) => printerName);
	const created = await run.client.mapParallel([...byPrinter], async ([printerName, group]) =>
		createLabels(run, printerName, group),
	);
	return [...again, ...created.flat()];
}

/** Creates the labels for one printer. The service returns a hash for each carrier, which is one job. */
export async function createLabels(
	run: NodeRun,
	printerName: string,
	labels: ReadonlyArray<Omit<LabelToPrint, 'printerName'>>,
): Promise<Array<PrintJob | Unplanned>> {
	const carrierOf = new Map(labels.map(({ id, carrierCode }) => [id, carrierCode]));
	const itemsOf = (ids: readonly number[]) => {
		const wanted = new Set(ids);
		return [...new Set(labels.filter(({ id }) => wanted.has(id)).map(({ item }) => item))];
	};
	const unplanned = (ids: number[], failure: unknown): Unplanned => {
		return { ids, items: itemsOf(ids), failure };
	};
	const toJob = (ids: number[], group: LabelGroup): PrintJob | Unplanned => {
		const { hash, carrierCode, carrierName, labelsCount } = group;
		if (!hash) return unplanned(ids, noHashError(group, printerName));
		// Which of them have none is not known. `requestLabels` shows a hint.
		const labelsMissing = Math.max(0, ids.length - Number(labelsCount ?? Infinity));
		const output = { carrierCode, carrierName, labelsCount };
		return {
			printerName,
			hash,
			labels: labelsMissing > 0 ? { ...output, labelsMissing } : output,
			shipments: { carrierCode, ids },
			items: itemsOf(ids),
		};
	};
	const created = await run.client.mapParallel(
		chunk([...carrierOf.keys()], MAX_SHIPMENTS_PER_REQUEST),
		async (ids): Promise<Array<PrintJob | Unplanned>> => {
			try {
				const requested = requestedLabels(run.context);
				for (const id of ids) requested[id] = true;
				const missing = new Set(ids);
				const jobs = (await requestLabels(run, ids, { format: 'pdf' })).map((group) => {
					const ofCarrier = ids.filter((id) =>
						isSameCode(carrierOf.get(id) ?? group.carrierCode, group.carrierCode),
					);
					const labeled = ofCarrier.length > 0 ? ofCarrier : ids;
					for (const id of labeled) missing.delete(id);
					return toJob(labeled, group);
				});
				if (missing.size > 0) jobs.push(unplanned([...missing], noLabelError([...missing])));
				return jobs;
			} catch (failure) {
				return [unplanned(ids, failure)];
			}
		},
	);
	const jobs = created.flat();
	plannedJobs(run.context).push(...jobs.filter((each) => 'hash' in each));
	return jobs;
}

function noHashError({ carrierCode, carrierName }: LabelGroup, printerName: string): ItemError {
	return new ItemError(
		`The service returned no print hash for the labels of ${carrierName}`,
		'Use Label: Create Label Files to download the labels, and print the file.',
		{ carrierCode, printerName },
		true,
	);
}
