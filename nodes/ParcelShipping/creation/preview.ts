import type { IDataObject } from 'n8n-workflow';

import { mapWithPauses } from '../lists';
import type { CheckedOrders } from '../orders/check';
import { type CreationOptions, type InvalidItem, itemsOf, referenceOf } from '../orders/order';
import { type ItemResult, type NodeRun, showHints } from '../run';
import { isServiceError, ItemError } from '../transport/errors';
import { ShipmentRecords } from '../transport/shipments';
import { secondAmounts } from './hints';
import { lookUp } from './lookUp';
import { unknownError } from './messages';
import { OrderNotes } from './notes';
import type { OrderResult, Shipment } from './types';

/** *Dry Run*: what would happen to each item, and the request as it would be sent. */
export async function previewCreation(
	run: NodeRun,
	{ orders, invalid }: CheckedOrders,
	options: CreationOptions,
): Promise<ItemResult[]> {
	const { client, context } = run;
	const records = new ShipmentRecords(client);
	const notes = new OrderNotes(context, client.http.memory);
	const creation = { ...run, records, notes, options };
	const { found, open, toSend } = await lookUp(orders, creation);
	const ofFound = found.map((each) => ({ ...each, failure: each.error }));
	const ofOpen = open.map((each) => ({ order: each.order, failure: unknownError(each) }));
	const unsent = toSend.map((order) => ({ order }));
	const results = await mapWithPauses([...invalid, ...unsent, ...ofFound, ...ofOpen], toResult);
	const count = (act: string) =>
		results.filter((each) => 'json' in each && each.json.wouldDo === act).length;
	const parts = [
		`${count('create')} would be created`,
		`${count('reuse')} exist`,
		`${count('refuse')} refused`,
	].filter((part) => !part.startsWith('0 '));
	const hints = parts.length > 0 ? [`Nothing was sent: ${parts.join(', ')}.`] : [];
	showHints(run, [...hints, ...(await secondAmounts(toSend, creation))]);
	return results;
}

interface Preview extends Partial<InvalidItem> {
	order?: OrderResult['order'];
	shipment?: Shipment | undefined;
}

function toResult({ itemIndex = 0, order, shipment, failure }: Preview): ItemResult {
	const items = order ? itemsOf([order]) : [itemIndex];
	// An error of the provider does not mean that the item is invalid.
	if (failure !== undefined && !(failure instanceof ItemError && !isServiceError(failure)))
		return { items, failure };
	const { message, description, details } = failure ?? new ItemError('', '');
	const { differences, duplicates } = shipment ?? {};
	return {
		items,
		json: {
			// What people look for comes first.
			reason: message || null,
			wouldDo: failure ? 'refuse' : shipment ? 'reuse' : 'create',
			packageNumberCustom: order ? referenceOf(order) : (details.packageNumberCustom ?? null),
			carrierCode: order?.carrierCode ?? null,
			codPrice: order?.body.codPrice ?? null,
			codCurrency: order?.body.codCurrency ?? null,
			...(order?.shopOrderId === undefined ? {} : { shopOrderId: order.shopOrderId }),
			...(failure ? { problems: details.problems ?? [{ message, description }] } : {}),
			...(shipment ? { shipments: shipment.pieces.map(({ row }) => row as IDataObject) } : {}),
			...(differences ? { differences } : {}),
			...(duplicates && duplicates.named.length > 0 ? { duplicates: duplicates.named } : {}),
			request: (order?.body ?? null) as IDataObject | null,
			...(order?.rule ? { rule: order.rule } : {}),
		},
	};
}
