import type { IDataObject } from 'n8n-workflow';

import { mapWithPauses } from '../lists';
import type { CreationOptions } from '../orders/creationOptions';
import { type InvalidItem, itemsOf, type Order, referenceOf } from '../orders/order';
import type { CheckedOrders } from '../orders/check';
import { type ItemResult, type NodeRun, showHints } from '../run';
import { describeError, ItemError } from '../transport/errors';
import { ShipmentRecords } from '../transport/shipments';
import { lookUp, toUnknown } from './lookUp';
import { OrderNotes } from './notes';
import type { PrinterOf } from './print';
import type { OrderResult } from './types';

type Act = 'create' | 'reuse' | 'refuse';

/** *Dry Run*: what would happen to each item, and the request as it would be sent. */
export async function previewCreation(
	run: NodeRun,
	{ orders, invalid }: CheckedOrders,
	options: CreationOptions,
	printerOf: PrinterOf | undefined,
): Promise<ItemResult[]> {
	const { client, context } = run;
	const records = new ShipmentRecords(client);
	const notes = new OrderNotes(context, client.memory);
	const creation = { context, client, records, notes, options };
	const { found, open, toSend } = await lookUp(orders, creation);
	const counts = { create: 0, reuse: 0, refuse: 0 };
	const preview = (
		wouldDo: Act,
		{ itemIndex, order, failure }: Omit<InvalidItem, 'failure'> & { failure?: unknown },
		more: IDataObject = {},
	): ItemResult => {
		const items = order ? itemsOf([order]) : [itemIndex];
		counts[wouldDo]++;
		const { message, description, details } = describeError(failure ?? new ItemError('', ''));
		return {
			items,
			json: {
				// What people look for comes first.
				reason: message || null,
				wouldDo,
				packageNumberCustom: order ? referenceOf(order) : (details.packageNumberCustom ?? null),
				carrierCode: order?.carrierCode ?? null,
				...(order?.shopOrderId === undefined ? {} : { shopOrderId: order.shopOrderId }),
				...(message ? { problems: details.problems ?? [{ message, description }] } : {}),
				...more,
				request: (order?.body ?? null) as IDataObject | null,
				...(order?.rule ? { rule: order.rule } : {}),
				...(order?.cleaned ? { cleaned: order.cleaned as IDataObject } : {}),
			},
		};
	};
	const refuse = (item: InvalidItem): ItemResult =>
		// An error of the provider does not mean that the item is invalid.
		item.failure instanceof ItemError
			? preview('refuse', item)
			: { items: item.order ? itemsOf([item.order]) : [item.itemIndex], failure: item.failure };
	/** The printer, for labels that would be printed, as far as the records of the look-up say. */
	const printing = ({ itemIndex }: Order) =>
		printerOf ? { wouldPrintOn: printerOf(itemIndex) } : {};
	const toPreview = ({ order, shipment, error }: OrderResult): ItemResult => {
		const { itemIndex } = order;
		if (!shipment) return refuse({ itemIndex, failure: error, order });
		const { pieces, differences, duplicates } = shipment;
		return preview(
			'reuse',
			{ itemIndex, order },
			{
				...(pieces.some(({ printed }) => printed === false) ? printing(order) : {}),
				shipments: pieces.map(({ row }) => row as IDataObject),
				...(differences ? { differences } : {}),
				...(duplicates ? { duplicates: duplicates.named } : {}),
			},
		);
	};
	const results = [
		...(await mapWithPauses(invalid, refuse)),
		...(await mapWithPauses(toSend, (order) =>
			preview('create', { itemIndex: order.itemIndex, order }, printing(order)),
		)),
		...[...found, ...open.map((each) => toUnknown(each))].map(toPreview),
	];
	const { create, reuse, refuse: refused } = counts;
	const parts = [
		create > 0 && `${create} would be created`,
		reuse > 0 && `${reuse} exist`,
		refused > 0 && `${refused} refused`,
	].filter(Boolean);
	if (parts.length > 0) showHints(run, [`Nothing was sent: ${parts.join(', ')}.`]);
	return results;
}
