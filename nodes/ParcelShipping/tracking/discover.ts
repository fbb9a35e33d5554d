import { carrierNumberOf, isCashOnDelivery, mainIdOf } from '../records';
import type { Client } from '../transport/client';
import { type ListedShipment, PAGE_LENGTH } from '../transport/contract';
import { isNotFound } from '../transport/errors';
import { readShipment } from '../transport/shipment';
import type { RequestCounts } from './compare';
import { dayBefore } from './dates';
import type { Budget } from './host';
import type { ShipmentRecords } from './include';
import { selectDue } from './select';
import { type FoundShipment, ShipmentIndex } from './shipmentIndex';
import {
	type SelectionByFilters,
	toMinute,
	type TriggerState,
	type Watch,
	type WatchedShipment,
} from './state';

/** In which time the whole list is read again, once it has been read completely. */
const WHOLE_LIST_MS = 30 * 60_000;

/** How many pages after the first one every poll reads with *Every Poll*. */
const PAGES_OF_EVERY_POLL = 10;

/** How many pages with nothing but new shipments a poll reads one after the other. */
const MAX_NEW_PAGES = 10;

/** After this time, the number of a shipment is requested again. */
const NUMBER_RETRY_MS = 10 * 60_000;

/** Shares of the time and the requests of a poll. So each part goes on in each poll, even if slowly. */
const KEPT_AFTER_LIST = 1 / 2;
const KEPT_FOR_TRACKING = 1 / 4;

interface Run {
	watch: Watch;
	client: Pick<Client, 'findShipments' | 'getShipment' | 'mapParallel'>;
	budget: Budget;
}

/** What has been found so far. */
export interface Discovery {
	index: ShipmentIndex;
	records: ShipmentRecords;
	requests: RequestCounts;
	/** How many shipments the list has, by the latest response. */
	total: number;
}

/** Decides which shipments are watched now: those of the list or of the user's form. */
export async function discoverShipments(
	before: TriggerState,
	run: Run,
	records: ShipmentRecords,
): Promise<{ state: TriggerState; requests: RequestCounts }> {
	const { watch, budget } = run;
	const { selection } = watch;
	const index = new ShipmentIndex(before, watch, budget.now());
	const discovery = { index, records, requests: { responses: 0, failures: [] }, total: Infinity };
	let { list } = before;
	if (selection.by === 'numbers') {
		for (const { carrier, number } of selection.shipments) index.upsert({ id: 0, carrier, number });
		index.finishList();
	} else {
		list = await readList(before, selection, run, discovery);
		const due = selectDue(index.shipments, budget.now(), watch);
		await readNumbers(due.filter(isUnnumbered), run, discovery);
	}
	return {
		state: { ...before, list, shipments: index.shipments },
		requests: discovery.requests,
	};
}

/**
 * Each poll reads the first page, which has the new shipments, and continues where the previous poll
 * stopped, so that a long list is spread over many polls. Its other pages say which shipments were
 * canceled or got their number later, which may take half an hour to be found. The first time, the list
 * is read completely: the earlier a shipment is found, the more certain it is which of its events are
 * new. Returns where the next poll continues.
 */
export async function readList(
	{ list, savedAt }: TriggerState,
	selection: SelectionByFilters,
	run: Run,
	discovery: Discovery,
): Promise<TriggerState['list']> {
	const { watch, client, budget } = run;
	const nowMs = budget.now();
	const createdFrom = dayBefore(nowMs, selection.createdWithinDays, watch.timezone);
	// Some services list only main shipments unless told otherwise.
	const filters = { onlyMaster: false, ...selection.filters, createdFrom };
	const read = async (start: number) => readPage(filters, start, run, discovery);

	// A service may return shorter pages than requested.
	let newest = await read(0);
	const pageLength = newest?.length ?? 0;
	let end = pageLength;
	// More shipments than a page has were created since the previous poll.
	const canBeMore = () => list.wasCompleted && newest?.isNew && end < discovery.total;
	for (let pages = 1; canBeMore() && pages < MAX_NEW_PAGES; pages++) {
		newest = await read(end);
		end += newest?.length ?? 0;
	}
	let next = Math.max(list.next, end);
	let pagesLeft = list.wasCompleted
		? pagesOfPoll(discovery.total / pageLength, nowMs - savedAt, watch.freshness)
		: Infinity;
	// The list may grow while it is read.
	while (pageLength > 0 && next < discovery.total && pagesLeft > 0) {
		const count = Math.min(Math.ceil((discovery.total - next) / pageLength), pagesLeft);
		const starts = Array.from({ length: count }, (_, page) => next + page * pageLength);
		const pages = await client.mapParallel(starts, read);
		const unread = starts.find((_, page) => pages[page] === undefined);
		next = unread ?? next + pageLength * count;
		pagesLeft = unread === undefined ? pagesLeft - count : 0;
	}
	if (next < discovery.total) return { ...list, next };
	discovery.index.finishList();
	return { next: 0, wasCompleted: true };
}

/** Reads a page of the list; `undefined` if there was no request or no response. */
async function readPage(
	filters: SelectionByFilters['filters'],
	start: number,
	{ client, budget }: Run,
	discovery: Discovery,
): Promise<{ length: number; isNew: boolean } | undefined> {
	const { index, records, requests } = discovery;
	if (requests.failures.length > 0 || budget.isSpent(KEPT_AFTER_LIST)) return undefined;
	try {
		const timeoutMs = budget.spend(KEPT_AFTER_LIST);
		const page = await client.findShipments(filters, start, PAGE_LENGTH, timeoutMs);
		requests.responses++;
		const rows = selectRecords(page.rows, filters);
		const isNew = !rows.some(({ id }) => index.has(Number(id)));
		for (const found of toFoundShipments(rows)) index.upsert(found);
		for (const row of rows) records.add(row);
		discovery.total = page.total;
		return { length: page.rows.length, isNew };
	} catch (failure) {
		requests.failures.push(failure);
		return undefined;
	}
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
			mainId: mainIdOf(record),
			hasEnded: record.canceled === true || record.delivered === true,
			isUntrackable: record.trackable === false,
			awaitsNumber: hasNumbers && carrierNumberOf(record) === '',
		}))
		.filter(({ carrier, id }) => carrier !== '' && Number.isSafeInteger(id));
}

export function isUnnumbered({ number }: { number: string }): boolean {
	return number === '';
}

/** Reads numbers that the list does not contain from the details. */
export async function readNumbers(
	unnumbered: readonly WatchedShipment[],
	{ client, budget }: Pick<Run, 'client' | 'budget'>,
	{ index, records, requests }: Discovery,
): Promise<void> {
	const failedCarriers = new Set<string>();
	const numbered = new Set<number>();
	await client.mapParallel(unnumbered, async ({ id, carrier }) => {
		if (budget.isSpent(KEPT_FOR_TRACKING) || failedCarriers.has(carrier) || numbered.has(id))
			return;
		try {
			const timeoutMs = budget.spend(KEPT_FOR_TRACKING);
			const { result: pieces } = await readShipment(client, carrier, id, timeoutMs);
			for (const piece of pieces) {
				records.add(piece);
				const number = carrierNumberOf(piece);
				index.setNumber(piece.id, number);
				if (number !== '') numbered.add(piece.id);
				// The detail of a main shipment has all of its pieces, the main one first.
				const mainId = Number(pieces[0]?.id);
				if (piece.id !== mainId) index.setMain(piece.id, mainId);
			}
		} catch (failure) {
			requests.failures.push(failure);
			// Additional pieces may have no detail of their own. Their main shipment gives their numbers.
			if (!isNotFound(failure)) failedCarriers.add(carrier);
		}
		// Also after a failure, so that the next poll starts with another shipment.
		if (!numbered.has(id)) index.postpone(id, toMinute(budget.now() + NUMBER_RETRY_MS));
	});
}
