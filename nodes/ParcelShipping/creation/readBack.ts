import { type Order, referenceOf } from '../orders/order';
import { idOf } from '../records';
import { isLiving } from '../transport/pieces';
import { mayHaveMorePieces } from './existing';
import { toBatchInfo, wantedOf } from './shipments';
import type { CreateAct, CreationRun, ShipmentWithBatch } from './types';

// After a lost or incomplete response, the records say what was created.

/** At most this many batches are read to find those of recovered shipments. */
const MAX_BATCHES = 20;

/**
 * All shipments with the references of these orders since the day before their request, complete and with their
 * batches. `match` decides which of them the request has created.
 */
export async function findSinceRequest(
	orders: readonly Order[],
	{ carrierCode, since }: CreateAct['details'],
	{ client, records }: Pick<CreationRun, 'client' | 'records'>,
): Promise<ShipmentWithBatch[]> {
	const found = await records.find(wantedOf(orders), since, carrierCode);
	const byReference = new Map(orders.map((order) => [referenceOf(order), order]));
	const shipments = await client.mapParallel(
		found,
		async (shipment): Promise<ShipmentWithBatch> => {
			const order = byReference.get(shipment.reference);
			if (!order || !isLiving(shipment)) return shipment;
			const mayBeIncomplete = mayHaveMorePieces(order, shipment);
			// Some lists have no numbers, and the output has them.
			const lacksNumber = shipment.pieces.some(({ number }) => number === '');
			if (!mayBeIncomplete && !lacksNumber) return shipment;
			// A detail that cannot be read must not keep the other orders unknown.
			return await records
				.withDetail(shipment)
				.catch(() => (mayBeIncomplete ? { ...shipment, lacksDetail: true } : shipment));
		},
	);
	// A shipment counts as recovered with or without its batch.
	await addBatches(shipments, { carrierCode, since }, client).catch(() => undefined);
	return shipments;
}

async function addBatches(
	shipments: readonly ShipmentWithBatch[],
	{ carrierCode, since }: Pick<CreateAct['details'], 'carrierCode' | 'since'>,
	client: CreationRun['client'],
): Promise<void> {
	const missing = new Map(shipments.filter(isLiving).map((each) => [each.id, each]));
	if (missing.size === 0) return;
	const filter = { carrierCodes: [carrierCode], createdFrom: since, sortOrder: 'desc' };
	const body = { ...filter, start: 0, length: MAX_BATCHES };
	const { result: newest } = await client.call('findBatches', { body });
	for (const { id: batchId } of newest.data) {
		if (missing.size === 0) return;
		const { result: batch } = await client.call('getBatch', { path: { id: batchId } });
		for (const order of batch.orders ?? []) {
			const id = idOf(order);
			const shipment = missing.get(id);
			if (shipment) shipment.batch = toBatchInfo(batch);
			missing.delete(id);
		}
	}
}
