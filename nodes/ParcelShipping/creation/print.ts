import type { IDataObject } from 'n8n-workflow';

import {
	openPrintDecisions,
	jobKeyOf,
	planShipmentJobs,
	PRINT_TIMEOUT_MS,
	printJobs,
	readPrintStates,
	type ShipmentsJob,
} from '../labels/print';
import { countOf, groupBy } from '../lists';
import type { CreationOptions } from '../orders/form';
import { type Order, referenceOf } from '../orders/order';
import { searchStart } from '../records';
import { type ItemResult, nameFailedItems, type NodeRun } from '../run';
import { describeError, ItemError } from '../transport/errors';
import { isLiving, ShipmentRecords } from '../transport/shipmentRecords';
import type { Outcome } from '../writes/journal';
import { wantedOf } from './lookUp';
import { shipmentOf } from './output';
import type { BatchInfo, OrderOutcome, Piece } from './types';

/** The label of a shipment, or of a piece of one. */
interface Label {
	id: number;
	/** Of the main shipment. Services may have no detail of an additional piece. */
	mainId: number;
	item: number;
	order: Order;
	carrierCode: string;
	printerName: string;
	/** The batch in which this execution has certainly created the shipment. Its hash prints all labels. */
	batch: BatchInfo | null;
	row: Piece['row'];
	via: Piece['via'];
	/** Why the records that were read after creating, if they were, keep it from being printed. */
	notToPrint: string | undefined;
	/** Not printed with the hash of its batch: its record is read first, as another run may have printed it. */
	mustAsk: boolean;
	/** The look for the shipment of another run has failed. */
	isUnchecked: boolean;
}

export type PrinterOf = (itemIndex: number) => string;

interface PrintSettings
	extends Pick<CreationOptions, 'ifExists' | 'ifPrintingFails' | 'lookbackDays' | 'timeout'> {
	printerOf: PrinterOf;
}

/** What the output says about the label of each shipment, by its ID. */
type PrintResults = Map<number, IDataObject>;

/**
 * Prints the labels of all shipments once: those of whole batches that this try has created with the
 * hash of the batch, the others only if the records do not say, right before, that they were printed.
 * Returns the output items with what came of their labels, an error for each label that should have been
 * printed and was not, and the printer of each printed label.
 */
export async function printCreated(
	run: NodeRun,
	outputs: readonly ItemResult[],
	outcomes: readonly OrderOutcome[],
	settings: PrintSettings,
): Promise<{ results: ItemResult[]; hints: string[]; printed: string[] }> {
	const labels = labelsOf(outcomes, settings.printerOf);
	const { hasRequested, hasSent } = openPrintDecisions(run);
	const isDecided = ({ printerName, id, batch }: Label) =>
		hasRequested(printerName, id) || hasSent(printerName, batch?.labelsHash ?? '');
	const results: PrintResults = new Map();
	for (const label of labels)
		if (!isDecided(label)) noteReason(results, label.id, label.notToPrint);
	const isUndecided = ({ id }: Label) => !results.has(id);
	const { jobs, single } = planBatches(labels.filter(isUndecided), hasSent);
	const advice = new Map<string, string>();
	await sendJobs(run, jobs, results, advice, settings);

	const toAsk = single.filter((label) => !isDecided(label));
	await askBeforePrinting(run, toAsk, results, settings);
	const groups = groupBy(single.filter(isUndecided), ({ printerName, carrierCode }) =>
		JSON.stringify([printerName, carrierCode]),
	);
	const planned = await run.client.mapParallel([...groups.values()], async (group) => {
		return await planShipmentJobs(run, group[0].printerName, group);
	});
	await sendJobs(run, planned.flat(), results, advice, settings);

	const failures =
		settings.ifPrintingFails === 'fail' ? failuresOf(run, labels, results, advice, settings) : [];
	return {
		results: [...outputs.map((output) => addResults(output, results)), ...failures],
		hints: hintsOf(results, failures.length > 0 ? nameFailedItems(run) : 'labelNotPrinted'),
		printed: [...results.values()].flatMap(({ printedOn }) => (printedOn ?? []) as string),
	};
}

function noteReason(results: PrintResults, id: number, reason: string | undefined): void {
	if (reason !== undefined) results.set(id, { labelNotPrinted: reason });
}

/** One job for each batch whose labels are all to be printed on one printer, and the other labels. */
function planBatches(
	labels: readonly Label[],
	hasSent: (printerName: string, hash: string) => boolean,
): { jobs: ShipmentsJob[]; single: Label[] } {
	const jobs: ShipmentsJob[] = [];
	const single: Label[] = [];
	for (const [hash, group] of groupBy(labels, ({ batch }) => batch?.labelsHash ?? null)) {
		const [{ printerName, carrierCode, batch }] = group;
		const isWhole =
			group.length === (batch?.packagesCount ?? group.length) &&
			group.every((label) => label.printerName === printerName && !label.mustAsk);
		if (hash !== null && (isWhole || hasSent(printerName, hash))) {
			const ids = group.map(({ id }) => id);
			const shipments = { carrierCode, ids };
			jobs.push({ shipmentIds: ids, hash, printerName, shipments });
		} else single.push(...group);
	}
	return { jobs, single };
}

async function sendJobs(
	run: NodeRun,
	jobs: readonly ShipmentsJob[],
	results: PrintResults,
	advice: Map<string, string>,
	{ timeout }: PrintSettings,
): Promise<void> {
	const timeoutMs = Math.min(timeout, PRINT_TIMEOUT_MS);
	const sendable = jobs.filter((job) => 'hash' in job);
	const printed = await printJobs(run, sendable, { timeoutMs, stopsOnFailure: false });
	for (const job of jobs) {
		const outcome: Outcome<IDataObject> | undefined =
			'hash' in job
				? printed.get(jobKeyOf(job))?.outcome
				: { state: 'notDone', errors: [job.failure] };
		const failure = outcome?.state === 'done' ? undefined : describeError(outcome?.errors[0]);
		if (failure) advice.set(failure.message, failure.description);
		const result = {
			...('hash' in job ? { labelsHash: job.hash } : {}),
			...(outcome?.state === 'done' ? { printedOn: outcome.value.printer } : {}),
			...(failure ? { labelNotPrinted: failure.message } : {}),
		};
		for (const id of job.shipmentIds) {
			if (!results.get(id)?.labelNotPrinted) results.set(id, result);
		}
	}
}

/**
 * One error for each order whose labels should have been printed and were not, for each reason. If the
 * run ends with an error, one error names all of these orders.
 */
function failuresOf(
	run: NodeRun,
	labels: readonly Label[],
	results: PrintResults,
	advice: ReadonlyMap<string, string>,
	{ ifExists }: PrintSettings,
): ItemResult[] {
	const unprinted = labels.flatMap((label) => {
		const reason = results.get(label.id)?.labelNotPrinted;
		return typeof reason === 'string' && !NO_FAILURES.has(reason) ? [{ ...label, reason }] : [];
	});
	const isPerOrder = run.context.continueOnFail();
	const groups = groupBy(unprinted, ({ item, reason }) =>
		JSON.stringify([isPerOrder && item, reason]),
	);
	return [...groups.values()].map((group) => {
		const [{ reason, printerName, carrierCode }] = group;
		const main = group.find(({ id, mainId }) => id === mainId) ?? group[0];
		const inInputOrder = group.toSorted((a, b) => a.item - b.item);
		const orderNumbers = [...new Set(inInputOrder.map(({ order }) => referenceOf(order)))];
		const isOne = orderNumbers.length === 1;
		const existed = group.every(({ via }) => via === 'existing');
		const shipmentIds = group.map(({ id }) => id);
		const next =
			ifExists === 'create'
				? 'Then print with Label: Send to Printer.'
				: 'Then run the workflow again: it creates nothing twice and prints what is missing. Or use Label: Send to Printer.';
		const failure = new ItemError(
			`${isOne ? 'Shipment' : 'Shipments'} ${existed ? 'already existed' : 'created'}, label${isOne ? '' : 's'} not printed: ${reason}`,
			`Do not create ${isOne ? 'it' : 'them'} again by hand (ID ${shipmentIds.join(', ')}). ${[advice.get(reason), next].filter(Boolean).join(' ')} To continue without an error, set 'If Printing Fails' to 'Continue'.`,
			{
				...(isOne
					? {
							packageNumberCustom: orderNumbers[0],
							shipmentId: main.id,
							packageNumberCarrier: main.row.packageNumberCarrier ?? null,
							trackingUrl: main.row.trackingUrl ?? null,
							carrierCode,
						}
					: { orderNumbers }),
				labelNotPrinted: reason,
				shipmentIds,
				printerName,
			},
			true,
		);
		return {
			items: [...new Set(group.flatMap(({ item, order }) => [item, ...(order.sameItems ?? [])]))],
			failure,
		};
	});
}

function hintsOf(results: PrintResults, details: string): string[] {
	const reasons = [...results.values()].flatMap(({ labelNotPrinted }) => labelNotPrinted ?? []);
	const hintOf = (isOne: (reason: unknown) => boolean, hint: string) => {
		const { length } = reasons.filter(isOne);
		return length > 0
			? [`${countOf(length, 'label')} ${length === 1 ? 'was' : 'were'} ${hint}`]
			: [];
	};
	return [
		...hintOf((reason) => reason === PRINTED_BEFORE, 'printed before, and not printed again.'),
		...hintOf(
			(reason) => reason === UNKNOWN,
			'not printed, because the service does not say whether it was done before.',
		),
		...hintOf((reason) => !NO_FAILURES.has(String(reason)), `not printed. See ${details}.`),
	];
}

function labelsOf(outcomes: readonly OrderOutcome[], printerOf: PrinterOf): Label[] {
	return outcomes.flatMap((each): Label[] => {
		const { targets: orders } = each;
		const [first] = orders;
		const shipment = shipmentOf(each);
		if (!first || !shipment) return [];
		const isOwn = shipment.pieces.some(({ via }) => via === 'response');
		const mainId = Math.min(...shipment.pieces.map(({ row }) => Number(row.id)));
		const isSecond = (shipment.duplicateOf?.id ?? Infinity) < mainId;
		const isUnchecked = shipment.uncheckedDuplicate !== undefined;
		const reasonOf = ({ via, printed }: Piece) => {
			if (via === 'other') return PRINTED_BY_OTHER;
			if (isSecond) return SECOND;
			return printed ? PRINTED_BEFORE : undefined;
		};
		return shipment.pieces.map((piece) => ({
			id: Number(piece.row.id),
			mainId,
			item: Math.min(...orders.map(({ itemIndex }) => itemIndex)),
			order: first,
			carrierCode: piece.row.carrierCode ?? first.carrierCode,
			printerName: printerOf(first.itemIndex),
			batch: isOwn ? piece.batch : null,
			row: piece.row,
			via: piece.via,
			notToPrint: reasonOf(piece),
			mustAsk: shipment.isRecalled === true || isUnchecked,
			isUnchecked,
		}));
	});
}

/**
 * Reads the records again, because another execution may have printed these labels meanwhile. If the
 * service does not say whether a label was printed, only who created the shipment prints it.
 */
async function askBeforePrinting(
	run: NodeRun,
	labels: readonly Label[],
	results: PrintResults,
	{ lookbackDays }: Pick<PrintSettings, 'lookbackDays'>,
): Promise<void> {
	if (labels.length === 0) return;
	const wanted = wantedOf(labels.map(({ order }) => order));
	const records = new ShipmentRecords(run.client);
	try {
		const found = await records.find(undefined, wanted, searchStart(Date.now(), lookbackDays));
		const states = new Map(
			found.flatMap(({ pieces }) => pieces).map(({ id, printed }) => [id, printed]),
		);
		const living = groupBy(found.filter(isLiving), ({ reference }) => reference);
		const unclear = labels.filter(({ id }) => states.get(id) === undefined);
		for (const [carrierCode, group] of groupBy(unclear, (label) => label.carrierCode)) {
			const ids = new Set(group.map(({ mainId }) => mainId));
			const ofDetails = await readPrintStates(run.client, carrierCode, [...ids]);
			for (const [id, printed] of ofDetails) states.set(id, printed);
		}
		for (const { id, mainId, via, order, isUnchecked } of labels) {
			const printed = states.get(id);
			const others = isUnchecked ? (living.get(referenceOf(order)) ?? []) : [];
			if (others.some((other) => other.id < mainId)) noteReason(results, id, SECOND);
			else if (printed) noteReason(results, id, PRINTED_BEFORE);
			else if (printed === undefined && via !== 'response') noteReason(results, id, UNKNOWN);
		}
	} catch (thrown) {
		for (const { id } of labels) noteReason(results, id, describeError(thrown).message);
	}
}

const PRINTED_BEFORE =
	'The service says that this label was printed before. To print it again, use Label: Send to Printer';
const UNKNOWN =
	'The service does not say whether the label of this shipment was printed. To print it, use Label: Send to Printer';

const PRINTED_BY_OTHER =
	'Another run created this shipment at the same moment, and prints its label';

const SECOND =
	'Another run created a shipment of this order first. Cancel one of them, or use Label: Send to Printer to print this label';

/** Reasons for which a label does not have to be printed. */
const NO_FAILURES: ReadonlySet<string> = new Set([
	...[PRINTED_BEFORE, PRINTED_BY_OTHER, SECOND, UNKNOWN],
]);

function addResults(output: ItemResult, results: PrintResults): ItemResult {
	if ('failure' in output) return output;
	const withResult = (json: IDataObject) => {
		const result = results.get(Number(json.id));
		if (!result) return json;
		const { packageNumberCustom, packageNumberCarrier, carrierCode, ...more } = json;
		const { labelsHash, ...label } = result;
		return {
			...{ packageNumberCustom, packageNumberCarrier, carrierCode },
			...label,
			...more,
			// The hash of its batch stays, because it prints the whole batch.
			labelsHash: json.labelsHash ?? labelsHash ?? null,
		};
	};
	const shipments = (output.json.shipments as IDataObject[] | undefined)?.map(withResult);
	if (!shipments) return { ...output, json: withResult(output.json) };
	const distinct = (field: string, separator: string) => {
		const values = new Set(shipments.map((json) => json[field]).filter(Boolean));
		return values.size > 0 ? { [field]: [...values].join(separator) } : {};
	};
	const ofAll = { ...distinct('printedOn', ', '), ...distinct('labelNotPrinted', '; ') };
	return { ...output, json: { ...output.json, ...ofAll, shipments } };
}

/** *Dry Run*: the items with the printer that would print their labels. */
export async function addPrintPreview(
	run: NodeRun,
	outputs: readonly ItemResult[],
	outcomes: readonly OrderOutcome[],
	{ printerOf, lookbackDays }: Pick<PrintSettings, 'printerOf' | 'lookbackDays'>,
): Promise<ItemResult[]> {
	const labels = labelsOf(outcomes, printerOf);
	const results: PrintResults = new Map();
	for (const { id, notToPrint } of labels) noteReason(results, id, notToPrint);
	const isUndecided = ({ id }: Label) => !results.has(id);
	await askBeforePrinting(run, labels.filter(isUndecided), results, { lookbackDays });
	const ofItems = new Map(labels.map(({ id, item }) => [item, results.get(id)]));
	return outputs.map((output) => {
		const [item = 0] = output.items;
		if ('failure' in output || output.json.wouldDo === 'refuse') return output;
		const reason = ofItems.get(item);
		const preview = reason ? { wouldPrintOn: null, ...reason } : { wouldPrintOn: printerOf(item) };
		return { ...output, json: { ...output.json, ...preview } };
	});
}
