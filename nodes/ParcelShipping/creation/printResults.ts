import type { IDataObject } from 'n8n-workflow';

import type { EarlierPrint } from '../labels/print';
import { countOf, groupBy } from '../lists';
import type { CreationOptions } from '../orders/form';
import { isExchange, type Order, referenceOf } from '../orders/order';
import type { ItemResult, NodeRun } from '../run';
import { ItemError } from '../transport/errors';
import type { ShipmentRecords } from '../transport/shipmentRecords';
import { duplicateOf, mainPieceIdOf, shipmentOf } from './shipments';
import type { BatchInfo, IfExists, OrderOutcome, Piece } from './types';

export type PrinterOf = (itemIndex: number) => string;

export interface PrintOptions
	extends Pick<CreationOptions, 'ifExists' | 'ifPrintingFails' | 'lookbackDays' | 'timeout'> {
	printerOf: PrinterOf;
	/** They know already what the service leaves out. */
	records: ShipmentRecords;
}

/** The label of a shipment, or of a piece of one. */
export interface Label {
	id: number;
	/** Of the main shipment. Services may have no detail of an additional piece. */
	mainId: number;
	item: number;
	order: Order;
	carrierCode: string;
	printerName: string;
	/** The batch in which these tries have certainly created the shipment. Its hash prints all labels. */
	batch: BatchInfo | null;
	row: Piece['row'];
	via: Piece['via'];
	/** Why the records that were read after creating, if they were, keep it from being printed. */
	notToPrint: string | undefined;
	/** Not printed with the hash of its batch: its record is read first, as another process may have printed it. */
	mustReadRecord: boolean;
	/** A second shipment of its order is one too many, so its label is not printed. */
	wantsOne: boolean;
	earlierPrint?: EarlierPrint | undefined;
}

/** What the output says about the label of each shipment, by its ID. */
export type PrintResults = Map<number, IDataObject>;

export const PRINTED_BEFORE =
	'The service says that this label was printed before. To print it again, use Label: Send to Printer';
export const UNKNOWN =
	'The service does not say whether the label of this shipment was printed. To print it, use Label: Send to Printer';

export const CANCELED = 'The service says that this shipment is canceled';

const PRINTED_BY_OTHER =
	'Another run created this shipment at the same moment, and is to print its label. If it failed, use Label: Send to Printer';

export const SECOND =
	'Another run created a shipment of this order first. Cancel one of them, or use Label: Send to Printer to print this label';

export function noteNotPrinted(
	results: PrintResults,
	id: number,
	reason: string | undefined,
): void {
	if (reason !== undefined) results.set(id, { labelNotPrinted: reason });
}

/** The labels of all shipments that exist, and why the others are not to be printed. */
export function labelsOf(
	outcomes: readonly OrderOutcome[],
	{ printerOf, ifExists }: Pick<PrintOptions, 'printerOf' | 'ifExists'>,
): Label[] {
	return outcomes.flatMap((each): Label[] => {
		const { targets: orders } = each;
		const [first] = orders;
		const shipment = shipmentOf(each);
		if (!first || !shipment) return [];
		const isOwn = shipment.pieces.some(({ via }) => via === 'response');
		const mainId = mainPieceIdOf(shipment);
		const isSecond = duplicateOf(shipment) !== undefined;
		const wantsOne = orders.length === 1 && ifExists !== 'create' && !isExchange(first);
		const reasonOf = ({ via, printed }: Piece) => {
			if (via === 'otherProcess') return PRINTED_BY_OTHER;
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
			mustReadRecord: shipment.isRecalled === true || shipment.duplicates?.notRead !== undefined,
			wantsOne,
		}));
	});
}

/** Reasons that a hint names. Any other one is an error of its item. */
const ONLY_HINTS: ReadonlySet<string> = new Set([
	PRINTED_BEFORE,
	PRINTED_BY_OTHER,
	SECOND,
	UNKNOWN,
]);

/**
 * One error for each order whose labels should have been printed and were not, for each reason. If the
 * run ends with an error, one error names all of these orders.
 */
export function failuresOf(
	run: NodeRun,
	labels: readonly Label[],
	results: PrintResults,
	advice: ReadonlyMap<string, string>,
	ifExists: IfExists,
): ItemResult[] {
	const unprinted = labels.flatMap((label) => {
		const reason = results.get(label.id)?.labelNotPrinted;
		return typeof reason === 'string' && !ONLY_HINTS.has(reason) ? [{ ...label, reason }] : [];
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
				: 'Then print with Label: Send to Printer, or retry the failed execution: it creates nothing twice and prints what is missing.';
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

/** Hints about labels that were not printed. `details` names the output that says why. */
export function printHintsOf(results: PrintResults, details: string): string[] {
	const reasons = [...results.values()].flatMap(({ labelNotPrinted }) => labelNotPrinted ?? []);
	const hintOf = (isOne: (reason: unknown) => boolean, hint: string) => {
		const { length } = reasons.filter(isOne);
		return length > 0 ? [`${countOf(length, 'label', 'was')} ${hint}`] : [];
	};
	return [
		...hintOf((reason) => reason === PRINTED_BEFORE, 'printed before, and not printed again.'),
		...hintOf(
			(reason) => reason === PRINTED_BY_OTHER,
			'left to the runs that created their shipments at the same moment.',
		),
		...hintOf(
			(reason) => reason === UNKNOWN,
			'not printed, because the service does not say whether it was done before.',
		),
		...hintOf((reason) => !ONLY_HINTS.has(String(reason)), `not printed. See ${details}.`),
	];
}

export function addResults(output: ItemResult, results: PrintResults): ItemResult {
	if ('failure' in output) return output;
	const withResult = (json: IDataObject) => {
		const result = results.get(Number(json.id));
		if (!result) return json;
		const { packageNumberCustom, packageNumberCarrier, carrierCode, ...more } = json;
		const { labelsHash, ...label } = result;
		return {
			packageNumberCustom,
			packageNumberCarrier,
			carrierCode,
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
