import type { Batch, FindBatchesRequest } from '../../contract/types.generated';
import type { StoredBatch } from './database';
import { dayRange, localTimestamp } from './clock';
import { ServiceError } from './validation';
import { isListed, numberOf, type Page, pageOf, type ShipmentContext } from './shipments';

export function findBatches(request: FindBatchesRequest, context: ShipmentContext): Page<Batch> {
	const { fromMs, beforeMs } = dayRange(request.createdFrom, request.createdTo);
	const { archived = false, carrierCodes } = request;
	const matching = context.database.batches.filter(
		(batch) =>
			batch.createdMs >= fromMs &&
			batch.createdMs < beforeMs &&
			isListed(batch, context) &&
			(!carrierCodes?.length || carrierCodes.includes(batch.carrierCode)) &&
			archived !== true,
	);
	return pageOf(matching.reverse(), request, (batch) => ({
		...toBatch(batch, context),
		orders: null,
	}));
}

export function batchDetail(id: number, context: ShipmentContext): Batch {
	const batch = context.database.batches.find((candidate) => candidate.id === id);
	if (!batch || !isListed(batch, context)) throw new ServiceError(404, `There is no batch ${id}`);
	const orders = batch.orders.map((order) => {
		const shipment = context.database.shipment(order.id);
		return shipment ? { ...order, packageNumberCarrier: numberOf(shipment, context) ?? '' } : order;
	});
	return { ...toBatch(batch, context), orders };
}

function toBatch(batch: StoredBatch, { addresses }: ShipmentContext): Batch {
	const { createdMs, orders, ...counts } = batch;
	return {
		...counts,
		labelsUrl: addresses.ofHash(batch.labelsHash),
		ordersHash: null,
		ordersUrl: null,
		created: localTimestamp(createdMs),
		source: 'Api',
		note: null,
		isArchived: false,
		archived: null,
		orders,
	};
}
