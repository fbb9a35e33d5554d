import type { IDataObject } from 'n8n-workflow';

import {
	jobKeyOf,
	planShipmentJobs,
	PRINT_TIMEOUT_MS,
	printJobs,
	type ShipmentsJob,
} from '../labels/print';
import { readPrinted } from '../labels/printed';
import { groupBy } from '../lists';
import type { ItemResult, NodeRun } from '../run';
import { describeError } from '../transport/errors';
import { shipmentOf } from './output';
import type { OrderOutcome } from './types';

/** The label of a shipment, or of a piece of one. */
interface Label {
	id: number;
	item: number;
	carrierCode: string;
	printerName: string;
	/** Prints all labels of the batch in which the shipment was created. */
	batchHash: string | null;
	alreadyExisted: boolean;
	/** Whether the label may have been printed before this run. */
	isUncertain: boolean;
	printed: boolean | undefined;
}

export type PrinterOf = (itemIndex: number) => string;

/** What the output says about the label of each shipment, by its ID. */
export type PrintResults = Map<number, IDataObject>;

/**
 * Prints the labels of all shipments once: new ones with the hash of their batch, existing ones only
 * if their records say that they were not printed. Never throws, because the shipments exist anyway.
 */
export async function printCreated(
	run: NodeRun,
	outcomes: readonly OrderOutcome[],
	printerOf: PrinterOf,
	timeoutMs: number,
): Promise<PrintResults> {
	const labels = labelsOf(outcomes, printerOf);
	const results: PrintResults = new Map();
	const jobs: ShipmentsJob[] = [];
	const single: Label[] = [];
	for (const [hash, batch] of groupBy(labels, ({ batchHash }) => batchHash)) {
		const [{ printerName }] = batch;
		// A hash prints its whole batch. For several printers, labels are requested by ID.
		if (hash !== null && batch.every((label) => label.printerName === printerName)) {
			jobs.push({ shipmentIds: batch.map(({ id }) => id), hash, printerName });
		} else single.push(...batch);
	}
	const { toPrint, skipped } = await selectUnprinted(run, single);
	for (const [id, reason] of skipped) results.set(id, { labelNotPrinted: reason });
	const groups = groupBy(toPrint, ({ printerName, carrierCode }) =>
		JSON.stringify([printerName, carrierCode]),
	);
	const planned = await run.client.mapParallel([...groups.values()], async (group) =>
		planShipmentJobs(
			run,
			group[0].printerName,
			group.map(({ id }) => id),
		),
	);
	jobs.push(...planned.flat());

	const printed = await printJobs(
		run,
		jobs.filter((job) => 'hash' in job),
		{ timeoutMs: Math.min(timeoutMs, PRINT_TIMEOUT_MS), stopsOnFailure: false },
	);
	const byShipment = groupBy(
		jobs.flatMap((job) => job.shipmentIds.map((id) => ({ id, job }))),
		({ id }) => id,
	);
	for (const [id, ofShipment] of byShipment) {
		const result: IDataObject = {};
		for (const { job } of ofShipment) {
			const outcome = 'hash' in job ? printed.get(jobKeyOf(job)) : undefined;
			if ('hash' in job) result.labelsHash ??= job.hash;
			if (outcome?.kind === 'done') result.printedOn ??= outcome.value.printerName;
			else {
				const failure = 'failure' in job ? job.failure : outcome?.errors[0];
				result.labelNotPrinted ??= describeError(failure).message;
			}
		}
		if (result.labelNotPrinted) delete result.printedOn;
		results.set(id, result);
	}
	return results;
}

function labelsOf(outcomes: readonly OrderOutcome[], printerOf: PrinterOf): Label[] {
	return outcomes.flatMap((each): Label[] => {
		const { about: orders } = each;
		const [first] = orders;
		const shipment = shipmentOf(each);
		if (!first || !shipment) return [];
		return shipment.pieces.map(({ row, batch, via, printed }) => ({
			id: Number(row.id),
			item: Math.min(...orders.map(({ itemIndex }) => itemIndex)),
			carrierCode: row.carrierCode ?? first.carrierCode,
			printerName: printerOf(first.itemIndex),
			batchHash: (via !== 'existing' && batch?.labelsHash) || null,
			alreadyExisted: via === 'existing',
			isUncertain: via !== 'response',
			printed,
		}));
	});
}

/** Leaves out labels that were printed before. Without certainty, an existing one is not printed. */
async function selectUnprinted(
	run: NodeRun,
	labels: readonly Label[],
): Promise<{ toPrint: Label[]; skipped: Map<number, string> }> {
	const skipped = new Map<number, string>();
	const unclear = labels.filter(({ isUncertain, printed }) => isUncertain && printed === undefined);
	const read = await readPrinted(run, unclear).catch((thrown: unknown) => {
		for (const { id } of unclear) skipped.set(id, describeError(thrown).message);
		return new Map<number, boolean>();
	});
	for (const { id, isUncertain, alreadyExisted, printed = read.get(id) } of labels) {
		if (!isUncertain || skipped.has(id)) continue;
		if (printed) skipped.set(id, PRINTED_BEFORE);
		else if (printed === undefined && alreadyExisted) skipped.set(id, UNKNOWN);
	}
	return { toPrint: labels.filter(({ id }) => !skipped.has(id)), skipped };
}

const PRINTED_BEFORE =
	'The service says that this label was printed before. To print it again, use Label: Send to Printer';
const UNKNOWN =
	'The service does not say whether the label of this existing shipment was printed. To print it, use Label: Send to Printer';

/** The output items with what they say about their labels, and a hint about labels not printed. */
export function addPrintResults(
	outputs: readonly ItemResult[],
	results: PrintResults,
): ItemResult[] {
	const withResult = (json: IDataObject) => {
		const result = results.get(Number(json.id));
		if (!result) return json;
		// The hash of its batch stays, because it prints the whole batch.
		return { ...json, ...result, labelsHash: json.labelsHash ?? result.labelsHash ?? null };
	};
	return outputs.map((output) => {
		if ('failure' in output) return output;
		const shipments = output.json.shipments as IDataObject[] | undefined;
		if (!shipments) return { ...output, json: withResult(output.json) };
		const added = shipments.map(withResult);
		const distinct = (field: string) => [
			...new Set(added.map((json) => json[field]).filter(Boolean)),
		];
		const printers = distinct('printedOn');
		const reasons = distinct('labelNotPrinted');
		return {
			...output,
			json: {
				...output.json,
				...(printers.length > 0 ? { printedOn: printers.join(', ') } : {}),
				...(reasons.length > 0 ? { labelNotPrinted: reasons.join('; ') } : {}),
				shipments: added,
			},
		};
	});
}

export function printHints(results: PrintResults): string[] {
	const { length } = [...results.values()].filter(({ labelNotPrinted }) => labelNotPrinted);
	const labels = length === 1 ? '1 label was' : `${length} labels were`;
	return length > 0 ? [`${labels} not printed. See labelNotPrinted in the output.`] : [];
}

/** *Dry Run*: the items with the printer that would print their labels. */
export async function addPrintPreview(
	run: NodeRun,
	outputs: readonly ItemResult[],
	outcomes: readonly OrderOutcome[],
	printerOf: PrinterOf,
): Promise<ItemResult[]> {
	const labels = labelsOf(outcomes, printerOf);
	const { skipped } = await selectUnprinted(run, labels);
	const reasons = new Map(labels.map(({ id, item }) => [item, skipped.get(id)]));
	return outputs.map((output) => {
		const [item = 0] = output.items;
		if ('failure' in output || output.json.wouldDo === 'refuse') return output;
		const labelNotPrinted = reasons.get(item);
		const preview = labelNotPrinted
			? { wouldPrintOn: null, labelNotPrinted }
			: { wouldPrintOn: printerOf(item) };
		return { ...output, json: { ...output.json, ...preview } };
	});
}
