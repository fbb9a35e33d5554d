import { groupBy } from '../lists';
import { carrierNumberOf, isCashOnDelivery, isFurtherPiece } from '../records';
import type { Client } from '../transport/client';
import { withPauses } from '../transport/concurrency';
import { type ListedShipment, PAGE_LENGTH } from '../transport/contract';
import { isNotFound } from '../transport/errors';
import type { Allowance } from './allowance';
import { dayBefore } from './dates';
import { toMinute } from './pace';
import { selectDue } from './plan';
import { type FoundShipment, ShipmentIndex } from './shipmentIndex';
import type { ShipmentRecords } from './shipmentInfo';
import type { TriggerState, WatchedShipment } from './state';
import type { SelectionByFilters, Watch } from './watch';

/** In which time the whole list is read again, once it has been read completely. */
const WHOLE_LIST_MS = 30 * 60_000;

/** How many pages after the first one every poll reads with *Every Poll*. */
const PAGES_OF_EVERY_POLL = 10;

/** How many pages with nothing but new shipments a poll reads one after the other. */
const MAX_NEW_PAGES = 10;

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
	allowance: Allowance,
	records: ShipmentRecords,
): Promise<{ state: TriggerState; requests: RequestCounts }> {
	const { selection } = watch;
	const { deadline } = allowance;
	const requests: RequestCounts = { answered: 0, failures: [] };
	const index = await withPauses(ShipmentIndex.of(before, watch, deadline.now(), records));
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
			allowance.share(0.5, 0.7),
		);
		({ list } = read);
		requests.answered += read.requests.answered;
		requests.failures.push(...read.requests.failures);
		const unnumbered = selectDue(index.shipments, deadline.now(), watch).filter(isUnnumbered);
		requests.failures.push(...(await readNumbers(unnumbered, client, index, allowance)));
	}
	const state = { ...before, list, shipments: index.shipments };
	return { state, requests };
}

/**
 * Each poll reads the first page, which has the new shipments, and continues where the previous poll
 * stopped, so that a long list is spread over many polls. Its further pages say which shipments were
 * canceled or got their number later, which may take half an hour to be found. The first time, the list
 * is read completely: the earlier a shipment is found, the more certain it is which of its events are
 * new.
 */
export async function readList(
	{ list, savedAt }: TriggerState,
	{ selection, timezone, freshness }: Watch & { selection: SelectionByFilters },
	client: Pick<Client, 'findShipments' | 'mapParallel'>,
	index: ShipmentIndex,
	allowance: Allowance,
): Promise<{ list: TriggerState['list']; requests: RequestCounts }> {
	const nowMs = allowance.deadline.now();
	const createdFrom = dayBefore(nowMs, selection.createdWithinDays, timezone);
	const requests: RequestCounts = { answered: 0, failures: [] };
	const records: ListedShipment[] = [];
	let total = Infinity;
	/** How many records the page has; `undefined` if there was no request or no answer. */
	const readPage = async (
		start: number,
	): Promise<{ length: number; isNew: boolean } | undefined> => {
		if (requests.failures.length > 0 || allowance.isSpent) return undefined;
		try {
			// Some services list only main shipments unless told otherwise.
			const filter = { onlyMaster: false, ...selection.filters, createdFrom };
			const page = await client.findShipments(filter, start, PAGE_LENGTH, allowance.spend());
			requests.answered++;
			const rows = selectRecords(page.rows, selection.filters);
			const isNew = !rows.some(({ id }) => index.has(Number(id)));
			for (const found of toFoundShipments(rows)) index.upsert(found);
			records.push(...rows);
			for (const row of rows) index.records.add(row);
			({ total } = page);
			return { length: page.rows.length, isNew };
		} catch (failure) {
			requests.failures.push(failure);
			return undefined;
		}
	};

	// A service may return shorter pages than requested.
	let newest = await readPage(0);
	const pageLength = newest?.length ?? 0;
	let read = pageLength;
	// More shipments than a page has were created since the previous poll.
	const canBeMore = () => list.wasCompleted && newest?.isNew && read < total;
	for (let pages = 1; canBeMore() && pages < MAX_NEW_PAGES; pages++) {
		newest = await readPage(read);
		read += newest?.length ?? 0;
	}
	let next = Math.max(list.next, read);
	let pagesLeft = list.wasCompleted
		? pagesOfPoll(total / pageLength, nowMs - savedAt, freshness)
		: Infinity;
	while (pageLength > 0 && next < total && pagesLeft > 0) {
		const count = Math.min(Math.ceil((total - next) / pageLength), pagesLeft);
		const starts = Array.from({ length: count }, (_, page) => next + page * pageLength);
		const pages = await client.mapParallel(starts, readPage);
		const unread = starts.find((_, page) => pages[page] === undefined);
		next = unread ?? next + pageLength * count;
		if (unread !== undefined) break;
		pagesLeft -= count;
	}
	linkPieces(records, index);
	if (next < total) return { list: { ...list, next }, requests };
	index.finishList();
	return { list: { next: 0, wasCompleted: true }, requests };
}

/** How many pages after the first one a poll reads, some time after the previous poll. */
function pagesOfPoll(pages: number, elapsedMs: number, freshness: Watch['freshness']): number {
	const inTime = Math.ceil(pages * Math.min(1, Math.max(0, elapsedMs) / WHOLE_LIST_MS));
	return freshness === 'everyPoll' ? Math.max(PAGES_OF_EVERY_POLL, inTime) : Math.max(1, inTime);
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
	const pieces = records.filter(isFurtherPiece);
	if (pieces.length === 0) return;
	const keyOf = ({ carrierCode, packageNumberCustom }: ListedShipment) =>
		JSON.stringify([carrierCode, packageNumberCustom]);
	const mains = groupBy(
		records.filter((record) => !isFurtherPiece(record)),
		keyOf,
	);
	for (const piece of pieces) {
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
	allowance: Allowance,
): Promise<unknown[]> {
	const failures: unknown[] = [];
	const failedCarriers = new Set<string>();
	const numbered = new Set<number>();
	await client.mapParallel(unnumbered, async ({ id, carrier }) => {
		if (allowance.isSpent || failedCarriers.has(carrier) || numbered.has(id)) return;
		try {
			const { result } = await client.getShipment(carrier, id, allowance.spend());
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
		if (!numbered.has(id)) {
			index.postpone(id, toMinute(allowance.deadline.now() + NUMBER_RETRY_MS));
		}
	});
	return failures;
}
