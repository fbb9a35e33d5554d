import type { IDataObject } from 'n8n-workflow';

import { mapWithPauses } from '../lists';
import { type CreationOptions, type InvalidItem, itemsOf, type Order } from '../orders/order';
import type { CheckedOrders } from '../orders/check';
import type { ItemResult, NodeRun } from '../run';
import { describeError, isServiceError, ItemError } from '../transport/errors';
import { ShipmentRecords } from '../transport/shipments';
import { lookUp, toUnknown } from './lookUp';
import { OrderNotes } from './notes';
import type { PrinterOf } from './print';
import type { OrderResult } from './types';

/** *Dry Run*: what would happen to each item, and the request as it would be sent. */
export async function previewCreation(
	{ client, context }: NodeRun,
	{ orders, invalid }: CheckedOrders,
	options: CreationOptions,
	printerOf: PrinterOf | undefined,
): Promise<ItemResult[]> {
	const records = new ShipmentRecords(client);
	const notes = new OrderNotes(context, client.http.memory);
	const { found, before, open, toSend } = await lookUp(orders, {
		context,
		client,
		records,
		notes,
		options,
	});
	const notSeen = open.map(({ order, mayBe }) => toUnknown(order, mayBe));
	const preview = (itemIndex: number, order: Order | undefined, rest: IDataObject) => ({
		items: order ? itemsOf([order]) : [itemIndex],
		json: {
			...rest,
			carrierCode: order?.carrierCode ?? null,
			...(order?.shopOrderId === undefined ? {} : { shopOrderId: order.shopOrderId }),
			request: (order?.body ?? null) as IDataObject | null,
			...(order?.rule ? { rule: order.rule } : {}),
			...(order?.cleaned ? { cleaned: order.cleaned } : {}),
		},
	});
	const refuse = ({ itemIndex, failure, order }: InvalidItem): ItemResult =>
		// An error of the service does not mean that the item is invalid.
		failure instanceof ItemError && !isServiceError(failure)
			? preview(itemIndex, order, { wouldDo: 'refuse', problems: problemsOf(failure) })
			: { items: order ? itemsOf([order]) : [itemIndex], failure };
	/** The printer, for labels that would be printed, as far as the records of the look-up say. */
	const printing = ({ itemIndex }: Order) =>
		printerOf ? { wouldPrintOn: printerOf(itemIndex) } : {};
	const refused = await mapWithPauses(invalid, refuse);
	const created = await mapWithPauses(toSend, (order) =>
		preview(order.itemIndex, order, { wouldDo: 'create', ...printing(order) }),
	);
	const existing = [...found, ...before, ...notSeen].map(
		({ order, shipment, error }: OrderResult) => {
			const { itemIndex } = order;
			if (!shipment) return refuse({ itemIndex, failure: error, order });
			const { pieces, differences, duplicates } = shipment;
			return preview(itemIndex, order, {
				wouldDo: 'reuse',
				...(pieces.some(({ printed }) => printed === false) ? printing(order) : {}),
				shipments: pieces.map(({ row }) => row as IDataObject),
				...(differences ? { differences } : {}),
				...(duplicates ? { duplicates: duplicates.named } : {}),
			});
		},
	);
	return [...refused, ...created, ...existing];
}

function problemsOf(error: ItemError): IDataObject[] {
	const { message, description, details } = describeError(error);
	const { problems } = details;
	return Array.isArray(problems) ? (problems as IDataObject[]) : [{ message, description }];
}
