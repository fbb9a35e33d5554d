import { groupBy } from '../lists';
import { carrierNumberOf, isCashOnDelivery, isFurtherPiece } from '../records';
import type { Client } from '../transport/client';
import { type ListedShipment, PAGE_LENGTH } from '../transport/contract';
import { isNotFound } from '../transport/errors';
import { dayBefore } from './dates';
import type { Deadline } from './host';
import { type FoundShipment, ShipmentIndex } from './shipmentIndex';
import type { ShipmentRecords } from './shipmentInfo';
import { selectDue, type TriggerState, type WatchedShipment } from './state';
import type { SelectionByFilters, Watch } from './watch';

/** How many pages a poll reads after the first one, once the list has been read completely. */
const PAGES_PER_POLL = 10;

/** After this time, the number of a shipment is requested again. */
const NUMBER_RETRY_MS = 10 * 60_000;

export interface RequestCounts {
	answered: number;
	failures: unknown[];
}

/** Decides which shipments are watched now: those of the list or of the user's form. */
export async function discoverShipments(
	before: TriggerState,
	watch: Watch,
	client: Client,
	deadline: Deadline,
): Promise<{ state: TriggerState; requests: RequestCounts; records: ShipmentRecords }> {
	const { selection } = watch;
	const requests: RequestCounts = { answered: 0, failures: [] };
	const index = new ShipmentIndex(before, watch, deadline.now());
	let { list } = before;
	if (selection.by === 'numbers') {
		for (const { carrier, number } of selection.shipments) index.upsert({ id: 0, carrier, number });
		index.finishList();
	} else {
		const read = await readList(
			before,
			{ ...watch, selection },
			client,
			index,
			deadline.share(0.5),
		);
		({ list } = read);
		requests.answered += read.requests.answered;
		requests.failures.push(...read.requests.failures);
		const unnumbered = selectDue(index.shipments, deadline.now()).filter(isUnnumbered);
		requests.failures.push(...(await readNumbers(unnumbered, client, index, deadline)));
	}
	const state = { ...before, list, shipments: index.shipments };
	return { state, requests, records: index.records };
}

/**
 * Each poll reads the first page, which has the new shipments, and continues where the previous poll
 * stopped, so that a long list is spread over several polls and leaves time for tracking. The first
 * time, the list is read completely: the earlier a shipment is found, the more certain it is which of
 * its events are new.
 */
export async function readList(
	{ list }: TriggerState,
	{ selection, timezone }: Watch & { selection: SelectionByFilters },
	client: Pick<Client, 'findShipments' | 'mapParallel'>,
	index: ShipmentIndex,
	deadline: Deadline,
): Promise<{ list: TriggerState['list']; requests: RequestCounts }> {
	const createdFrom = dayBefore(deadline.now(), selection.createdWithinDays, timezone);
	const requests: RequestCounts = { answered: 0, failures: [] };
	const records: ListedShipment[] = [];
	let total = Infinity;
	/** How many records the page has; `undefined` once a request has failed. */
	const readPage = async (start: number): Promise<number | undefined> => {
		if (requests.failures.length > 0) return undefined;
		try {
			// Some services list only main shipments unless told otherwise.
			const filter = { onlyMaster: false, ...selection.filters, createdFrom };
			const timeoutMs = deadline.requestTimeoutMs;
			const page = await client.findShipments(filter, start, PAGE_LENGTH, timeoutMs);
			requests.answered++;
			const rows = selectRecords(page.rows, selection.filters);
			for (const found of toFoundShipments(rows)) index.upsert(found);
			records.push(...rows);
			for (const row of rows) index.records.add(row);
			({ total } = page);
			return page.rows.length;
		} catch (failure) {
			requests.failures.push(failure);
			return undefined;
		}
	};

	// A service may return shorter pages than requested.
	const pageLength = (await readPage(0)) ?? 0;
	let next = Math.max(list.next, pageLength);
	let pagesLeft = list.wasCompleted ? PAGES_PER_POLL : Infinity;
	while (pageLength > 0 && next < total && pagesLeft > 0) {
		const count = Math.min(Math.ceil((total - next) / pageLength), pagesLeft);
		const starts = Array.from({ length: count }, (_, page) => next + page * pageLength);
		const lengths = await client.mapParallel(starts, async (start) =>
			deadline.hasPassed ? undefined : readPage(start),
		);
		const unread = starts.find((_, page) => lengths[page] === undefined);
		next = unread ?? next + pageLength * count;
		if (unread !== undefined) break;
		pagesLeft -= count;
	}
	linkPieces(records, index);
	if (next < total) return { list: { ...list, next }, requests };
	index.finishList();
	return { list: { next: 0, wasCompleted: true }, requests };
}

/** A service may ignore a filter that it does not know. */
export function selectRecords(
	records: readonly ListedShipment[],
	{ cod }: SelectionByFilters['filters'],
): ListedShipment[] {
	return records.filter((record) => cod !== false || !isCashOnDelivery(record));
}

/** The shipments of a page, without records that do not say which shipment they are. */
export function toFoundShipments(records: readonly ListedShipment[]): FoundShipment[] {
	// If the list has numbers, a shipment without one gets it later. If not, its detail has the number.
	const hasNumbers = records.some((record) => carrierNumberOf(record) !== '');
	return records
		.map((record) => ({
			id: Number(record.id),
			carrier: String(record.carrierCode ?? ''),
			number: carrierNumberOf(record),
			hasEnded: record.canceled === true || record.delivered === true,
			isUntrackable: record.trackable === false,
			awaitsNumber: hasNumbers && carrierNumberOf(record) === '',
		}))
		.filter(({ carrier, id }) => carrier !== '' && Number.isSafeInteger(id));
}

/**
 * Finds the main pieces of further pieces among the records read by this poll: they have the same
 * carrier and reference, and come right before them.
 */
function linkPieces(records: readonly ListedShipment[], index: ShipmentIndex): void {
	const keyOf = ({ carrierCode, packageNumberCustom }: ListedShipment) =>
		JSON.stringify([carrierCode, packageNumberCustom]);
	const mains = groupBy(
		records.filter((record) => !isFurtherPiece(record)),
		keyOf,
	);
	for (const piece of records.filter(isFurtherPiece)) {
		const candidates = (mains.get(keyOf(piece)) ?? []).map(({ id }) => Number(id));
		index.setMain(Number(piece.id), Math.max(0, ...candidates.filter((id) => id < piece.id)));
	}
}

export function isUnnumbered({ number }: { number: string }): boolean {
	return number === '';
}

/** Reads numbers that the list does not contain from the details, and returns the failed requests. */
export async function readNumbers(
	unnumbered: readonly WatchedShipment[],
	client: Pick<Client, 'getShipment' | 'mapParallel'>,
	index: ShipmentIndex,
	deadline: Deadline,
): Promise<unknown[]> {
	const failures: unknown[] = [];
	const failedCarriers = new Set<string>();
	const numbered = new Set<number>();
	await client.mapParallel(unnumbered, async ({ id, carrier }) => {
		if (deadline.hasPassed || failedCarriers.has(carrier) || numbered.has(id)) return;
		try {
			const { result } = await client.getShipment(carrier, id, deadline.requestTimeoutMs);
			// The detail of a main shipment has all of its pieces, the main one first.
			const [main, ...further] = [result].flat();
			for (const piece of further) index.setMain(piece.id, main?.id ?? 0);
			for (const piece of [main, ...further]) {
				if (!piece) continue;
				index.records.add(piece);
				const number = carrierNumberOf(piece);
				index.setNumber(piece.id, number);
				if (number !== '') numbered.add(piece.id);
			}
		} catch (failure) {
			failures.push(failure);
			// Further pieces have no detail of their own. Their main shipment gives their numbers.
			if (!isNotFound(failure)) failedCarriers.add(carrier);
		}
		// Also after a failure, so that the next poll starts with another shipment.
		if (!numbered.has(id)) index.postpone(id, deadline.now() + NUMBER_RETRY_MS);
	});
	return failures;
}
