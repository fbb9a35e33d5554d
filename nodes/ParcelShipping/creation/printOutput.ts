import type { IDataObject } from 'n8n-workflow';

import { countOf, groupBy } from '../lists';
import { itemsOf } from '../orders/order';
import { idOf } from '../records';
import { type ItemResult, nameFailedItems, type NodeRun } from '../run';
import { ItemError } from '../transport/errors';
import type { Label, LabelResult } from './print';

/** The items with the outcome of their labels, and an error for each order whose label should have been printed. */
export function addPrinting(
	run: NodeRun,
	outputs: readonly ItemResult[],
	labels: readonly Label[],
	results: ReadonlyMap<number, LabelResult>,
): { results: ItemResult[]; hints: string[] } {
	const failures = failuresOf(labels, results);
	const where = failures.length > 0 ? nameFailedItems(run) : 'labelNotPrinted';
	const hints = labels.flatMap(({ id }) => {
		const { notPrinted, isOfEarlierExecution } = results.get(id) ?? {};
		if (notPrinted)
			return `not printed${notPrinted.advice === undefined ? `: ${notPrinted.reason}` : `. See ${where}`}.`;
		return isOfEarlierExecution ? 'printed before the retry, and not printed again.' : [];
	});
	return {
		results: [...outputs.map((output) => addResult(output, results)), ...failures],
		hints: [...groupBy(hints, (hint) => hint)].map(
			([hint, { length }]) => `${countOf(length, 'label', 'was')} ${hint}`,
		),
	};
}

/** One error for each order and reason. */
function failuresOf(
	labels: readonly Label[],
	results: ReadonlyMap<number, LabelResult>,
): ItemResult[] {
	const unprinted = labels.flatMap((label) => {
		const { reason = '', advice } = results.get(label.id)?.notPrinted ?? {};
		return advice === undefined ? [] : [{ ...label, reason, advice }];
	});
	const groups = groupBy(unprinted, ({ item, reason }) => JSON.stringify([item, reason]));
	return [...groups.values()].map((group) => {
		const [{ order, orderNumber, reason, advice, printerName, carrierCode }] = group;
		const main = group.find(({ id, mainId }) => id === mainId) ?? group[0];
		const { packageNumberCarrier = null, trackingUrl = null } = main.piece.row;
		const shipmentIds = group.map(({ id }) => id);
		const failure = new ItemError(
			reason,
			`The shipment exists (ID ${shipmentIds.join(', ')}), so do not create it again. ${advice}`,
			{
				packageNumberCustom: orderNumber,
				shipmentId: main.id,
				packageNumberCarrier,
				trackingUrl,
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

function addResult(output: ItemResult, results: ReadonlyMap<number, LabelResult>): ItemResult {
	const result = 'json' in output ? results.get(idOf(output.json)) : undefined;
	if (!('json' in output) || !result) return output;
	const { job, notPrinted } = result;
	const { labelsMissing } = job?.output ?? {};
	const json: IDataObject = {
		...output.json,
		...(notPrinted ? { labelNotPrinted: notPrinted.reason } : { printedOn: job?.printer }),
		...(notPrinted || labelsMissing === undefined ? {} : { labelsMissing }),
		// The hash of its batch stays, because it prints the whole batch.
		labelsHash: output.json.labelsHash ?? (job?.hash || null),
	};
	return { ...output, json };
}
