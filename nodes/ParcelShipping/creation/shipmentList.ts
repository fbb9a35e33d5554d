import { type ListedShipment, PAGE_LENGTH } from '../transport/contract';
import type { ShipmentFilter } from '../transport/client';
import type { CreationClient } from './types';
import { isSameCode } from '../records';

/** Some services list only main shipments unless told otherwise. */
export function filterOf(carrierCode: string | undefined, createdFrom: string): ShipmentFilter {
	const carrier = carrierCode === undefined ? {} : { carrierCodes: [carrierCode] };
	return { ...carrier, createdFrom, onlyMaster: false };
}

/** Some services ignore the carrier filter. */
export function isOfCarrier(record: ListedShipment, carrierCode: string | undefined): boolean {
	return carrierCode === undefined || isSameCode(record.carrierCode, carrierCode);
}

/** Whether the record does not say what its reference is; null means that it has none. */
export function lacksReference({ packageNumberCustom }: ListedShipment): boolean {
	return packageNumberCustom === undefined;
}

/**
 * Whether reading the whole list, of which the first page is at hand, takes fewer requests than a
 * search for each reference. Records without a reference cost one more request each.
 */
export function isListCheaper(
	referenceCount: number,
	total: number,
	hasReferences: boolean,
): boolean {
	const furtherPages = Math.ceil(total / PAGE_LENGTH) - 1;
	return furtherPages + (hasReferences ? 0 : total) <= referenceCount;
}

/**
 * How many shipments that are older than the look-up are read again after creating. While several
 * processes create, a shipment may appear in the list later than one with a higher ID.
 */
const OLDER_SHIPMENTS = 50;

/** The ID down to which `readNewest` reads, from the first page of a look-up. 0 if it was empty. */
export function olderIdOf(firstPage: readonly ListedShipment[]): number {
	const newest = firstPage.slice(0, OLDER_SHIPMENTS);
	return newest.length === 0 ? 0 : Math.min(...newest.map(({ id }) => Number(id)));
}

/**
 * The shipments created since a look-up, and some older ones, read from the newest pages of the list.
 * Undefined if these pages do not prove that no new shipment is missing: the list is not newest first,
 * does not contain what was created, has other shipments in between, or changed while it was read.
 */
export async function readNewest(
	client: Pick<CreationClient, 'findShipments' | 'mapParallel'>,
	filter: ShipmentFilter,
	{ createdIds, olderId }: { createdIds: readonly number[]; olderId: number },
): Promise<ListedShipment[] | undefined> {
	const pageCount = Math.ceil((createdIds.length + OLDER_SHIPMENTS) / PAGE_LENGTH);
	const starts = Array.from({ length: pageCount }, (_, page) => page * PAGE_LENGTH);
	const pages = await client.mapParallel(starts, async (start) =>
		client.findShipments(filter, start, PAGE_LENGTH),
	);
	const rows = pages.flatMap((page) => page.rows);
	const total = pages[0]?.total ?? 0;
	const ids = rows.map(({ id }) => Number(id));
	const distinct = new Set(ids);
	const isStable = pages.every((page) => page.total === total) && distinct.size === rows.length;
	if (!isStable || !createdIds.every((id) => distinct.has(id))) return undefined;
	if (rows.length === total) return rows;
	const isNewestFirst = ids.every((id, index) => index === 0 || id < Number(ids[index - 1]));
	// A service may return shorter pages than requested, so that there are gaps between them.
	const isWithoutGaps = rows.length === pageCount * PAGE_LENGTH;
	return isNewestFirst && isWithoutGaps && Number(ids.at(-1)) <= olderId ? rows : undefined;
}
