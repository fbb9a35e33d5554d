import type { IDataObject } from 'n8n-workflow';

import { itemsOf } from '../orders/order';
import type { ItemResult } from '../run';
import { toOrderError, missingPiecesError, refusedError } from './messages';
import { countMissing, duplicateOf, shipmentOf } from './shipments';
import type { OrderOutcome } from './types';

/** An item for each piece, and the errors. */
export const toItems = (outcomes: readonly OrderOutcome[]): ItemResult[] => [
	...outcomes.flatMap(toPieceItems),
	...outcomes.flatMap((outcome) =>
		errorsOf(outcome).map((failure) => ({ items: itemsOf(outcome.targets), failure })),
	),
];

/** What people look for comes first in an output item. */
const FIRST_COLUMNS = {
	packageNumberCustom: null,
	packageNumberCarrier: null,
	carrierCode: null,
	trackingUrl: null,
};

function toPieceItems(orderOutcome: OrderOutcome): ItemResult[] {
	const { targets: orders, outcome } = orderOutcome;
	const [order, ...others] = orders;
	const shipment = shipmentOf(orderOutcome);
	if (!shipment) return [];
	const { differences } = shipment;
	const { canceled, notCanceled } = shipment.duplicates ?? {};
	const first = duplicateOf(shipment);
	const duplicates = shipment.duplicates?.named.filter((each) => each !== first) ?? [];
	const body = others.length === 0 ? order.body : undefined;
	// The amount is that of all pieces. The carrier collects it with the first one.
	const collected = body?.cod ? body : undefined;
	return shipment.pieces.map(({ row: { orderId, orderNumber, ...row }, batch, via }, index) => ({
		items: itemsOf(orders),
		json: {
			...FIRST_COLUMNS,
			...(order.shopOrderId !== undefined && body ? { shopOrderId: order.shopOrderId } : {}),
			recName: body?.recName ?? body?.recCompany ?? null,
			codPrice: collected && index === 0 ? (collected.codPrice ?? null) : null,
			codCurrency: collected && index === 0 ? (collected.codCurrency ?? null) : null,
			...(order.rule && body ? { rule: order.rule } : {}),
			...row,
			carrierCode: row.carrierCode ?? order.carrierCode,
			serviceType: row.serviceType ?? body?.serviceType ?? null,
			batchId: batch?.batchId ?? null,
			labelsUrl: batch?.labelsUrl ?? null,
			labelsHash: batch?.labelsHash ?? null,
			correlationId: batch?.correlationId ?? null,
			alreadyExisted: via === 'existing' || via === 'otherProcess',
			recovered: via === 'records',
			...(differences ? { differences } : {}),
			...(duplicates.length > 0 ? { duplicates } : {}),
			...(canceled ? { canceledDuplicate: canceled } : {}),
			...(first ? { duplicateOf: { ...first, reason: notCanceled } } : {}),
			...(outcome.state === 'unmatched' ? { unmatched: true } : {}),
			// Those of the service's own administration. Most shops have none there.
			...((orderId ?? null) !== null ? { orderId } : {}),
			...((orderNumber ?? null) !== null ? { orderNumber } : {}),
		} as IDataObject,
	}));
}

/** Every error of an outcome, also if it is done, in the words of the form. */
function errorsOf({ targets: [order], outcome }: OrderOutcome): unknown[] {
	if ('errors' in outcome) {
		return outcome.errors.map((error) => toOrderError(order, error));
	}
	const { pieces, refused = [] } = outcome.value;
	const batch = pieces[0]?.batch ?? null;
	return [
		...(outcome.state === 'done' && countMissing(order, outcome.value) > 0
			? [missingPiecesError(order, outcome.value)]
			: []),
		...refused.map((row) => refusedError(order.carrierCode, row, { batch, created: pieces })),
	];
}
