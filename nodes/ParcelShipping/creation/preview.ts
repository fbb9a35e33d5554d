import type { IDataObject } from 'n8n-workflow';

import { mapWithPauses } from '../lists';
import type { CreationOptions } from '../orders/form';
import { type InvalidItem, itemsOf, type Order } from '../orders/order';
import type { ReadOrders } from '../orders/readOrders';
import type { ItemResult, NodeRun } from '../run';
import { describeError, ItemError } from '../transport/errors';
import { ShipmentRecords } from '../transport/shipmentRecords';
import { findExisting } from './lookUp';
import { askBeforePrinting } from './printCreated';
import { labelsOf, type PrinterOf, type PrintOptions } from './labelsToPrint';
import { describeResult, type PrintResults } from './printResults';
import type { OrderOutcome } from './types';

/** *Dry Run*: what would happen to each item, and the request as it would be sent. */
export async function previewCreation(
	run: NodeRun,
	{ orders, invalid }: ReadOrders,
	options: CreationOptions,
	printerOf: PrinterOf | undefined,
): Promise<ItemResult[]> {
	const { client } = run;
	const records = new ShipmentRecords(client);
	const { toSend, outcomes } = await findExisting(orders, { client, records, options });
	const preview = (itemIndex: number, order: Order | undefined, rest: IDataObject) => ({
		items: order ? itemsOf([order]) : [itemIndex],
		json: {
			...rest,
			carrierCode: order?.carrierCode ?? null,
			endpoint: order ? client.creationEndpoint(order.carrierCode) : null,
			...(order?.shopOrderId === undefined ? {} : { shopOrderId: order.shopOrderId }),
			request: (order?.body ?? null) as IDataObject | null,
			...(order?.rule ? { rule: order.rule } : {}),
			...(order?.cleaned ? { cleaned: order.cleaned as IDataObject } : {}),
		},
	});
	const refuse = ({ itemIndex, failure, order }: InvalidItem): ItemResult =>
		// An error of the service does not mean that the item is invalid.
		failure instanceof ItemError
			? preview(itemIndex, order, { wouldDo: 'refuse', problems: problemsOf(failure) })
			: { items: [itemIndex], failure };
	const refused = await mapWithPauses(invalid, refuse);
	const created = await mapWithPauses(toSend, (order) =>
		preview(order.itemIndex, order, { wouldDo: 'create' }),
	);
	const existing = outcomes.flatMap(({ targets: [order], outcome }) => {
		const { itemIndex } = order;
		if ('errors' in outcome) {
			return outcome.errors.map((failure) => refuse({ itemIndex, failure, order }));
		}
		const { pieces, differences, duplicates } = outcome.value;
		return preview(itemIndex, order, {
			wouldDo: 'reuse',
			shipments: pieces.map(({ row }) => row as IDataObject),
			...(differences ? { differences } : {}),
			...(duplicates ? { duplicates: duplicates.others } : {}),
		});
	});
	const outputs = [...refused, ...created, ...existing];
	return printerOf
		? await addPrintPreview(run, outputs, outcomes, { ...options, records, printerOf })
		: outputs;
}

function problemsOf(error: ItemError): IDataObject[] {
	const { message, description, details } = describeError(error);
	const { problems } = details;
	return Array.isArray(problems) ? (problems as IDataObject[]) : [{ message, description }];
}

/** *Dry Run*: the items with the printer that would print their labels, or why it would not. */
export async function addPrintPreview(
	run: NodeRun,
	outputs: readonly ItemResult[],
	outcomes: readonly OrderOutcome[],
	options: Pick<PrintOptions, 'printerOf' | 'records' | 'ifExists' | 'lookbackDays'>,
): Promise<ItemResult[]> {
	const { printerOf } = options;
	const labels = labelsOf(outcomes, { ...options, isSentInThisTry: () => false });
	const results: PrintResults = new Map();
	const hasNoResult = ({ id }: { id: number }) => !results.has(id);
	await askBeforePrinting(run, labels, results, options);
	const printed = new Set(labels.filter(hasNoResult).map(({ item }) => item));
	const reasons = new Map(labels.map(({ id, item }) => [item, results.get(id)]));
	return outputs.map((output) => {
		const [item = 0] = output.items;
		if ('failure' in output || output.json.wouldDo === 'refuse') return output;
		// Of several pieces, some may have been printed before.
		const reason = printed.has(item) ? undefined : reasons.get(item);
		const preview = reason
			? { wouldPrintOn: null, ...describeResult(reason) }
			: { wouldPrintOn: printerOf(item) };
		return { ...output, json: { ...output.json, ...preview } };
	});
}
