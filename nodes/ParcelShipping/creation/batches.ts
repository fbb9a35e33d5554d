import { PAGE_LENGTH } from '../transport/contract';
import { toBatchInfo } from './match';
import type { BatchInfo, CreationClient, FoundRecord } from './types';

/** The number of batches that are opened at most to find those of recovered shipments. */
const MAX_BATCHES = 20;

/** Finds the batches of shipments whose creation got no response: they have the links to the labels. */
export class BatchReader {
	private readonly batches = new Map<number, BatchInfo>();

	/** Shipments whose batch was read or is missing. */
	private readonly searched = new Set<number>();

	constructor(private readonly client: CreationClient) {}

	/** A shipment counts as recovered with or without its batch, so an error here is ignored. */
	async addTo(
		records: readonly FoundRecord[],
		carrierCode: string,
		createdFrom: string,
	): Promise<FoundRecord[]> {
		const missing = new Set(records.map(({ id }) => id).filter((id) => !this.searched.has(id)));
		if (missing.size > 0) {
			for (const id of missing) this.searched.add(id);
			await this.read(missing, carrierCode, createdFrom).catch(() => undefined);
		}
		return records.map((found) => {
			const batch = this.batches.get(found.id);
			return batch ? { ...found, batch } : found;
		});
	}

	private async read(missing: Set<number>, carrierCode: string, createdFrom: string) {
		const filter = { carrierCodes: [carrierCode], createdFrom, sortOrder: 'desc' };
		const { rows } = await this.client.findBatches(filter, 0, PAGE_LENGTH);
		for (const { id } of rows.slice(0, MAX_BATCHES)) {
			if (missing.size === 0) return;
			const { result: batch } = await this.client.call('getBatch', { path: { id } });
			for (const order of batch.orders ?? []) {
				if (missing.delete(order.id)) this.batches.set(order.id, toBatchInfo(batch));
			}
		}
	}
}
