import { isSameCode } from '../lists';
import type { Client } from '../transport/client';

/** The first `limit` records of a list. Some services ignore the carriers in the filter, so that all must be read. */
export async function listOfCarriers<
	Name extends 'findShipments' | 'findBatches' | 'findHandOvers',
>(
	client: Client,
	name: Name,
	filter: Parameters<typeof client.list<Name>>[1],
	limit: number,
	codes: readonly string[] | null | undefined,
) {
	const isOwn = (record: { carrierCode?: string | null }) => isOfCarriers(record, codes);
	const first = await client.list(name, filter, limit);
	const isWhole = first.every(isOwn) || first.length < limit;
	const records = isWhole ? first : await client.list(name, filter);
	return records.filter(isOwn).slice(0, limit);
}

/** Also a record that does not say its carrier. */
export const isOfCarriers = (
	{ carrierCode }: { carrierCode?: string | null },
	codes: readonly string[] | null | undefined,
) => codes?.some((code) => isSameCode(code, carrierCode ?? code)) ?? true;
