import type { Batch, FindBatchesRequest } from '../contract.generated';
import type { Database, StoredBatch } from './database';
import { dayRange, localTimestamp } from './clock';
import type { FileAddresses } from './printing';
import { ServiceError } from './validation';
import { type Page, pageOf } from './shipments';

export interface BatchContext {
	database: Database;
	addresses: FileAddresses;
}

/** Newest first unless sortOrder is asc. */
export function findBatches(request: FindBatchesRequest, context: BatchContext): Page<Batch> {
	const { fromMs, beforeMs } = dayRange(request.createdFrom, request.createdTo);
	const { archived, carrierCodes } = request;
	const matching = context.database.batches.filter(
		(batch) =>
			batch.createdMs >= fromMs &&
			batch.createdMs < beforeMs &&
			(!carrierCodes?.length || carrierCodes.includes(batch.carrierCode)) &&
			(archived == null || archived === (batch.archivedMs !== null)),
	);
	if (request.sortOrder !== 'asc') matching.reverse();
	return {
		data: pageOf(matching, request).map((batch) => ({
			...toBatch(batch, context),
			orders: null,
		})),
		total: matching.length,
	};
}

export function batchDetail(id: number, context: BatchContext): Batch {
	const batch = context.database.batches.find((candidate) => candidate.id === id);
	if (!batch) throw new ServiceError(404, `There is no batch ${id}`);
	return { ...toBatch(batch, context), orders: batch.orders };
}

function toBatch(batch: StoredBatch, { addresses }: BatchContext): Omit<Batch, 'orders'> {
	return {
		id: batch.id,
		carrierCode: batch.carrierCode,
		ordersCount: batch.ordersCount,
		packagesCount: batch.packagesCount,
		errorsCount: batch.errorsCount,
		labelsHash: batch.labelsHash,
		ordersHash: batch.ordersHash,
		labelsUrl: addresses.ofHash(batch.labelsHash),
		ordersUrl: addresses.ofHash(batch.ordersHash),
		created: localTimestamp(batch.createdMs),
		source: 'Api',
		note: null,
		isArchived: batch.archivedMs !== null,
		archived: batch.archivedMs === null ? null : localTimestamp(batch.archivedMs),
	};
}
