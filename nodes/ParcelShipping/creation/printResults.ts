import type { IDataObject } from 'n8n-workflow';

import { countOf, groupBy } from '../lists';
import { itemsOf, type Order, referenceOf } from '../orders/order';
import { idOf } from '../records';
import type { ItemResult, NodeRun } from '../run';
import { describeError, ItemError } from '../transport/errors';
import type { Piece, Shipment } from './types';

// What users read about the labels.

/** A label that is to be printed. */
export interface Label extends Piece {
	id: number;
	/** Of the main shipment. Services may have no detail of an additional piece. */
	mainId: number;
	item: number;
	order: Order;
	orderNumber: string;
	shipment: Shipment;
	carrierCode: string;
	printerName: string;
	printer: string;
	/** This execution has created it, according to a response. */
	isOwn: boolean;
}

/** Why a label is not printed. */
export interface NotPrinted {
	reason: string;
	/** What to do about the reason. */
	advice?: string;
	/** It is no error, and a hint says so of all such labels together. */
	isExpected?: true;
	isNotPrintedByRetry?: boolean;
}

export const PRINTED_BEFORE: NotPrinted = {
	reason:
		'The service says that this label was printed before. To print it again, use Label: Send to Printer',
	isExpected: true,
};
export const PRINTED_UNKNOWN: NotPrinted = {
	reason:
		'The service does not say whether the label of this shipment was printed. To print it, use Label: Send to Printer',
	isExpected: true,
};
export const PRINTED_BY_OTHER: NotPrinted = {
	reason:
		'Another run created this shipment at the same moment, and prints its label. If that run failed, use Label: Send to Printer',
	isExpected: true,
};
export const SECOND_SHIPMENT: NotPrinted = {
	reason:
		'Another run created a shipment of this order first. Cancel one of them, or use Label: Send to Printer to print this label',
	isExpected: true,
};
export const MAY_BE_PRINTED: NotPrinted = {
	reason:
		'The service counts this label as printed, perhaps only because this node has requested its file',
	advice: 'Check the printer first.',
	isNotPrintedByRetry: true,
};
export const CANCELED: NotPrinted = { reason: 'The service says that this shipment is canceled' };

/** `isSent`: a job with the label may have been printed. */
export function notPrintedBecause(failure: unknown, isSent = false): NotPrinted {
	const { message, description, details } = describeError(failure);
	const reason = String(details.labelNotPrinted ?? message);
	return { reason, advice: description, ...(isSent ? { isNotPrintedByRetry: true } : {}) };
}

/** The outcome of a label. The hash is that of its print job, if there was one. */
export type PrintResult = { labelsHash?: string } & (
	| {
			printedOn: string;
			/** How many labels of the same job the service has not created. */
			labelsMissing?: number;
			isOfEarlierExecution: boolean;
	  }
	| { notPrinted: NotPrinted }
);

/** By the ID of the shipment. */
export type PrintResults = Map<number, PrintResult>;

/** The printer of each label that this execution has printed. */
export function printersOf(results: readonly PrintResult[]): string[] {
	const printed = results
		.filter((each) => 'printedOn' in each)
		.filter((each) => !each.isOfEarlierExecution);
	return [...groupBy(printed, ({ labelsHash }) => labelsHash).values()].flatMap((job) =>
		job.slice(job[0].labelsMissing ?? 0).map(({ printedOn }) => printedOn),
	);
}

/** Why a label was not printed. Undefined if it was, or if there is no result yet. */
export const reasonIn = (result?: PrintResult): NotPrinted | undefined =>
	result && 'notPrinted' in result ? result.notPrinted : undefined;

const RETRY =
	', or retry the failed execution: it creates nothing twice and prints what is missing';

/** One error for each order whose labels should have been printed and were not, for each reason. */
export function failuresOf(
	run: NodeRun,
	labels: readonly Label[],
	results: PrintResults,
): ItemResult[] {
	const unprinted = labels.flatMap((label) => {
		const notPrinted = reasonIn(results.get(label.id));
		return notPrinted && !notPrinted.isExpected ? [{ ...label, notPrinted }] : [];
	});
	const groups = groupBy(unprinted, ({ order, notPrinted }) =>
		JSON.stringify([order.itemIndex, notPrinted.reason]),
	);
	return [...groups.values()].map((group) => {
		const [{ order, notPrinted, printerName, carrierCode }] = group;
		const { reason } = notPrinted;
		const main = group.find(({ id, mainId }) => id === mainId) ?? group[0];
		const existed = group.every(({ via }) => via === 'existing');
		const shipmentIds = group.map(({ id }) => id);
		// With *Continue*, the execution does not fail because of this.
		const again = run.context.continueOnFail() || notPrinted.isNotPrintedByRetry ? '' : RETRY;
		const next =
			notPrinted === CANCELED
				? 'To ship the order, run the workflow again.'
				: `Do not create it again by hand (ID ${shipmentIds.join(', ')}). ${[notPrinted.advice, `Then print with Label: Send to Printer${again}.`].filter(Boolean).join(' ')}`;
		const failure = new ItemError(
			`Shipment ${existed ? 'already existed' : 'created'}, label not printed: ${reason}`,
			next,
			{
				packageNumberCustom: referenceOf(order),
				shipmentId: main.id,
				packageNumberCarrier: main.row.packageNumberCarrier ?? null,
				trackingUrl: main.row.trackingUrl ?? null,
				carrierCode,
				labelNotPrinted: reason,
				shipmentIds,
				printerName,
			},
			true,
		);
		return { items: itemsOf([order]), failure };
	});
}

/** Hints about labels that were not printed. `details` names the output that says why. */
export function printHintsOf(
	labels: readonly Label[],
	results: PrintResults,
	details: string,
): string[] {
	const hints = labels.flatMap(({ id }) => {
		const each = results.get(id);
		if (!each) return [];
		if ('notPrinted' in each) {
			const { reason, isExpected } = each.notPrinted;
			return `not printed${isExpected ? `: ${reason}` : `. See ${details}`}.`;
		}
		return each.isOfEarlierExecution ? 'printed before the retry, and not printed again.' : [];
	});
	return [...groupBy(hints, (hint) => hint)].map(
		([hint, { length }]) => `${countOf(length, 'label', 'was')} ${hint}`,
	);
}

/** What an output item says of its label. */
function describeResult(result: PrintResult): IDataObject {
	if ('notPrinted' in result) return { labelNotPrinted: result.notPrinted.reason };
	const { printedOn, labelsMissing } = result;
	return { printedOn, ...(labelsMissing === undefined ? {} : { labelsMissing }) };
}

export function addResult(output: ItemResult, results: PrintResults): ItemResult {
	if ('failure' in output) return output;
	const withResult = (json: IDataObject) => {
		const result = results.get(idOf(json));
		if (!result) return json;
		return {
			...json,
			...describeResult(result),
			// The hash of its batch stays, because it prints the whole batch.
			labelsHash: json.labelsHash ?? result.labelsHash ?? null,
		};
	};
	return { ...output, json: withResult(output.json) };
}
