import { isSameCode } from '../lists';
import type { Client } from '../transport/client';

/** The first `limit` records of a list. Some services ignore the carriers in the filter, so that more must be read. */
export async function listOfCarriers<
	Name extends 'findShipments' | 'findBatches' | 'findHandOvers',
>(
	client: Client,
	name: Name,
	filter: Parameters<typeof client.list<Name>>[1],
	limit: number,
	codes: readonly string[] | null | undefined,
) {
	for (let count = limit; ; count *= 2) {
		const records = await client.list(name, filter, count);
		const own = records.filter((record) => isOfCarriers(record, codes));
		if (own.length >= limit || records.length < count) return own.slice(0, limit);
	}
}

/** Also a record that does not say its carrier. */
export const isOfCarriers = (
	{ carrierCode }: { carrierCode?: string | null },
	codes: readonly string[] | null | undefined,
) => codes?.some((code) => isSameCode(code, carrierCode ?? code)) ?? true;
