import type { Batch, CreationEnvelope } from '../transport/contract';
import type { Found } from './found';
import type { BatchFacts } from './piece';
import type { ShippingService } from './service';

/** Batches that are opened at most in search of one shipment's batch. */
const MAX_BATCHES = 20;

export function factsOfAnswer(answer: Partial<CreationEnvelope>): BatchFacts {
	return {
		batchId: answer.batchId ?? null,
		labelsUrl: answer.labelsUrl ?? null,
		labelsHash: answer.labelsHash ?? null,
		ordersUrl: answer.ordersUrl ?? null,
		ordersHash: answer.ordersHash ?? null,
		packagesCount: answer.packagesCount ?? null,
		correlationId: answer.correlationId ?? null,
	};
}

/**
 * The batches of shipments that were found without an answer, by shipment id. A shipment counts as
 * found with or without its batch, so whatever goes wrong here is left out.
 */
export async function findBatches(
	service: ShippingService,
	carrierCode: string,
	since: string,
	shipments: readonly Found[],
): Promise<Map<number, BatchFacts>> {
	const facts = new Map<number, BatchFacts>();
	const missing = new Set(shipments.map(({ id }) => id));
	try {
		const batches = await service.newestBatches(carrierCode, since);
		for (const { id } of batches.slice(0, MAX_BATCHES)) {
			if (missing.size === 0) break;
			const batch = await service.batch(id);
			for (const order of batch.orders ?? []) {
				if (missing.delete(order.id)) facts.set(order.id, factsOfBatch(batch));
			}
		}
	} catch {
		// What is not known stays empty.
	}
	return facts;
}

function factsOfBatch(batch: Batch): BatchFacts {
	const { id, labelsUrl, labelsHash, ordersUrl, ordersHash, packagesCount } = batch;
	return {
		batchId: id,
		labelsUrl: labelsUrl ?? null,
		labelsHash: labelsHash ?? null,
		ordersUrl: ordersUrl ?? null,
		ordersHash: ordersHash ?? null,
		packagesCount: packagesCount ?? null,
		correlationId: null,
	};
}
