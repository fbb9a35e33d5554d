import type { IDataObject } from 'n8n-workflow';

import { groupBy } from '../lists';
import type { CreationOptions } from '../orders/creationOptions';
import { itemsOf } from '../orders/order';
import type { ItemResult } from '../run';
import { toOrderError, missingPiecesError, refusedError } from './messages';
import { countMissing, duplicateOf, shipmentOf } from './shipments';
import type { BatchInfo, IfExists, OrderOutcome } from './types';

export function toItems(
	outcomes: readonly OrderOutcome[],
	{ output, ifExists }: Pick<CreationOptions, 'output' | 'ifExists'>,
): ItemResult[] {
	const pieces = outcomes.flatMap(toPieceItems);
	const failures = outcomes.flatMap((outcome) =>
		errorsOf(outcome, ifExists).map((failure) => ({ items: itemsOf(outcome.targets), failure })),
	);
	const created =
		output === 'batches'
			? toBatchItems(pieces)
			: pieces.map(({ items, json }) => ({ items, json }));
	return [...created, ...failures];
}

interface PieceItem {
	items: number[];
	json: IDataObject;
	batch: BatchInfo | null;
}

/** What people look for comes first in an output item. */
const FIRST_COLUMNS = {
	packageNumberCustom: null,
	packageNumberCarrier: null,
	carrierCode: null,
	trackingUrl: null,
};

function toPieceItems(orderOutcome: OrderOutcome): PieceItem[] {
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
		batch,
	}));
}

/** Every error of an outcome, also if it is done, in the words of the form. */
function errorsOf({ targets: [order], outcome }: OrderOutcome, ifExists: IfExists): unknown[] {
	if ('errors' in outcome) {
		return outcome.errors.map((error) => toOrderError(order, error, ifExists));
	}
	const { pieces, refused = [] } = outcome.value;
	const batch = pieces[0]?.batch ?? null;
	return [
		...(outcome.state === 'done' && countMissing(order, outcome.value) > 0
			? [missingPiecesError(order, outcome.value)]
			: []),
		...refused.map((row) =>
			refusedError(order.carrierCode, row, { batch, ifExists, created: pieces }),
		),
	];
}

/** One item per batch. Shipments of an unknown batch form one item by carrier and origin. */
function toBatchItems(pieces: readonly PieceItem[]): ItemResult[] {
	const groups = groupBy(pieces, ({ json }) => {
		const { carrierCode, batchId, labelsHash, alreadyExisted, recovered } = json;
		return JSON.stringify([carrierCode, batchId ?? labelsHash ?? [alreadyExisted, recovered]]);
	});
	return [...groups.values()].map((group) => {
		const { json, batch } = group[0];
		// One of its shipments was canceled, or could not be confirmed: its file and its hash are not those of the others.
		const isWhole = (batch?.packagesCount ?? group.length) === group.length;
		return {
			items: [...new Set(group.flatMap(({ items }) => items))].sort((a, b) => a - b),
			json: {
				batchId: json.batchId,
				carrierCode: json.carrierCode,
				packagesCount: group.length,
				labelsUrl: isWhole ? json.labelsUrl : null,
				labelsHash: isWhole ? json.labelsHash : null,
				ordersUrl: batch?.ordersUrl ?? null,
				ordersHash: batch?.ordersHash ?? null,
				correlationId: json.correlationId,
				alreadyExisted: json.alreadyExisted,
				recovered: group.some((piece) => piece.json.recovered),
				shipments: group.map((piece) => piece.json),
			} as IDataObject,
		};
	});
}
