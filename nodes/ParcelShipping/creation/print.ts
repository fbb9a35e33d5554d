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
import type { CreationOptions } from '../orders/form';
import { type Order, referenceOf } from '../orders/order';
import { type ItemResult, nameFailedItems, type NodeRun, showHints } from '../run';
import { describeError, ItemError } from '../transport/errors';
import type { Outcome } from '../writes/journal';
import { shipmentOf } from './output';
import type { OrderOutcome, Piece } from './types';

/** The label of a shipment, or of a piece of one. */
interface Label {
	id: number;
	item: number;
	order: Order;
	carrierCode: string;
	printerName: string;
	/** Prints all labels of the batch in which the shipment was created. */
	batchHash: string | null;
	/** Only if it is the response, the label cannot have been printed before this run. */
	via: Piece['via'];
	printed: boolean | undefined;
}

export type PrinterOf = (itemIndex: number) => string;

interface PrintSettings extends Pick<CreationOptions, 'ifPrintingFails' | 'timeout'> {
	printerOf: PrinterOf;
}

/** What the output says about the label of each shipment, by its ID. */
type PrintResults = Map<number, IDataObject>;

/**
 * Prints the labels of all shipments once: new ones with the hash of their batch, existing ones only
 * if their records say that they were not printed. Returns the output items with what came of their
 * labels, and an error for each label that should have been printed and was not.
 */
export async function printCreated(
	run: NodeRun,
	outputs: readonly ItemResult[],
	outcomes: readonly OrderOutcome[],
	{ printerOf, timeout, ifPrintingFails }: PrintSettings,
): Promise<ItemResult[]> {
	const labels = labelsOf(outcomes, printerOf);
	const jobs: ShipmentsJob[] = [];
	const single: Label[] = [];
	for (const [hash, batch] of groupBy(labels, (each) => each.batchHash)) {
		const [{ printerName }] = batch;
		// A hash prints its whole batch. For several printers, labels are requested by ID.
		if (hash !== null && batch.every((label) => label.printerName === printerName)) {
			jobs.push({ shipmentIds: batch.map(({ id }) => id), hash, printerName });
		} else single.push(...batch);
	}
	const results = await explainUnprinted(run, single);
	const toPrint = single.filter(({ id }) => !results.has(id));
	const groups = groupBy(toPrint, ({ printerName, carrierCode }) =>
		JSON.stringify([printerName, carrierCode]),
	);
	const planned = await run.client.mapParallel([...groups.values()], async (group) => {
		const ids = group.map(({ id }) => id);
		return await planShipmentJobs(run, group[0].printerName, ids);
	});
	jobs.push(...planned.flat());

	const timeoutMs = Math.min(timeout, PRINT_TIMEOUT_MS);
	const sendable = jobs.filter((job) => 'hash' in job);
	const printed = await printJobs(run, sendable, { timeoutMs, stopsOnFailure: false });
	for (const job of jobs) {
		const outcome: Outcome<IDataObject> | undefined =
			'hash' in job ? printed.get(jobKeyOf(job)) : { kind: 'notDone', errors: [job.failure] };
		const result = {
			...('hash' in job ? { labelsHash: job.hash } : {}),
			...(outcome?.kind === 'done'
				? { printedOn: outcome.value.printerName }
				: { labelNotPrinted: describeError(outcome?.errors[0]).message }),
		};
		for (const id of job.shipmentIds) {
			if (!results.get(id)?.labelNotPrinted) results.set(id, result);
		}
	}
	const failures = ifPrintingFails === 'fail' ? failuresOf(labels, results) : [];
	showHints(run, hintsOf(results, failures.length > 0 ? nameFailedItems(run) : 'labelNotPrinted'));
	return [...outputs.map((output) => addResults(output, results)), ...failures];
}

/** One error for each order whose labels should have been printed and were not, for each reason. */
function failuresOf(labels: readonly Label[], results: PrintResults): ItemResult[] {
	const unprinted = labels.flatMap((label) => {
		const reason = results.get(label.id)?.labelNotPrinted;
		return typeof reason === 'string' && !NO_FAILURES.has(reason) ? [{ ...label, reason }] : [];
	});
	const groups = groupBy(unprinted, ({ item, reason }) => JSON.stringify([item, reason]));
	return [...groups.values()].map((group) => {
		const [{ order, item, carrierCode, printerName, reason }] = group;
		const orderNumber = referenceOf(order);
		const ids = group.map(({ id }) => id);
		const failure = new ItemError(
			`The label of ${orderNumber} was not printed: ${reason}`,
			`The shipment exists (ID ${ids.join(', ')}). Run the workflow again: it creates nothing twice and prints what is missing. Or use Label: Send to Printer. To continue without an error, set 'If Printing Fails' to 'Continue'.`,
			{ packageNumberCustom: orderNumber, carrierCode, shipmentIds: ids, printerName },
			true,
		);
		return { items: [item, ...(order.sameItems ?? [])], failure };
	});
}

function hintsOf(results: PrintResults, details: string): string[] {
	const reasons = [...results.values()].flatMap(({ labelNotPrinted }) => labelNotPrinted ?? []);
	const countOf = (isMeant: (reason: unknown) => boolean) => {
		const { length } = reasons.filter(isMeant);
		return length > 0 ? (length === 1 ? '1 label was' : `${length} labels were`) : undefined;
	};
	const before = countOf((reason) => reason === PRINTED_BEFORE);
	const unknown = countOf((reason) => reason === UNKNOWN);
	const failed = countOf((reason) => !NO_FAILURES.has(String(reason)));
	return [
		before && `${before} printed before, and not printed again.`,
		unknown &&
			`${unknown} not printed, because the service does not say whether it was done before.`,
		failed && `${failed} not printed. See ${details}.`,
	].filter((hint) => hint !== undefined);
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
			order: first,
			carrierCode: row.carrierCode ?? first.carrierCode,
			printerName: printerOf(first.itemIndex),
			batchHash: (via !== 'existing' && batch?.labelsHash) || null,
			via,
			printed,
		}));
	});
}

/**
 * Why labels are not printed: they were printed before, or, for an existing shipment, that is not
 * certain.
 */
async function explainUnprinted(run: NodeRun, labels: readonly Label[]): Promise<PrintResults> {
	const results: PrintResults = new Map();
	const uncertain = labels.filter(({ via }) => via !== 'response');
	const unclear = uncertain.filter(({ printed }) => printed === undefined);
	const read = await readPrinted(run, unclear).catch((thrown: unknown) => {
		const labelNotPrinted = describeError(thrown).message;
		for (const { id } of unclear) results.set(id, { labelNotPrinted });
		return new Map<number, boolean>();
	});
	for (const { id, via, printed = read.get(id) } of uncertain) {
		if (results.has(id)) continue;
		if (printed) results.set(id, { labelNotPrinted: PRINTED_BEFORE });
		else if (printed === undefined && via === 'existing') {
			results.set(id, { labelNotPrinted: UNKNOWN });
		}
	}
	return results;
}

const PRINTED_BEFORE =
	'The service says that this label was printed before. To print it again, use Label: Send to Printer';
const UNKNOWN =
	'The service does not say whether the label of this existing shipment was printed. To print it, use Label: Send to Printer';

/** Reasons for which a label does not have to be printed. */
const NO_FAILURES: ReadonlySet<string> = new Set([PRINTED_BEFORE, UNKNOWN]);

function addResults(output: ItemResult, results: PrintResults): ItemResult {
	if ('failure' in output) return output;
	const withResult = (json: IDataObject) => {
		const result = results.get(Number(json.id));
		if (!result) return json;
		// The hash of its batch stays, because it prints the whole batch.
		return { ...json, ...result, labelsHash: json.labelsHash ?? result.labelsHash ?? null };
	};
	const shipments = (output.json.shipments as IDataObject[] | undefined)?.map(withResult);
	if (!shipments) return { ...output, json: withResult(output.json) };
	const distinct = (field: string) => [
		...new Set(shipments.map((json) => json[field]).filter(Boolean)),
	];
	const printers = distinct('printedOn');
	const reasons = distinct('labelNotPrinted');
	return {
		...output,
		json: {
			...output.json,
			...(printers.length > 0 ? { printedOn: printers.join(', ') } : {}),
			...(reasons.length > 0 ? { labelNotPrinted: reasons.join('; ') } : {}),
			shipments,
		},
	};
}

/** *Dry Run*: the items with the printer that would print their labels. */
export async function addPrintPreview(
	run: NodeRun,
	outputs: readonly ItemResult[],
	outcomes: readonly OrderOutcome[],
	printerOf: PrinterOf,
): Promise<ItemResult[]> {
	const labels = labelsOf(outcomes, printerOf);
	const results = await explainUnprinted(run, labels);
	const ofItems = new Map(labels.map(({ id, item }) => [item, results.get(id)]));
	return outputs.map((output) => {
		const [item = 0] = output.items;
		if ('failure' in output || output.json.wouldDo === 'refuse') return output;
		const reason = ofItems.get(item);
		const preview = reason ? { wouldPrintOn: null, ...reason } : { wouldPrintOn: printerOf(item) };
		return { ...output, json: { ...output.json, ...preview } };
	});
}
