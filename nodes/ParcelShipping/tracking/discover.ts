import { carrierNumberOf, searchStart } from '../records';
import { type ListedShipment, PAGE_LENGTH } from '../transport/contract';
import { isNotFound } from '../transport/errors';
import { MINUTE_MS, toMinute } from './dates';
import type { KnownRecords } from './knownRecords';
import { hasEndedLongAgo, selectDue } from './schedule';
import { likelyMainOf, ShipmentIndex, toListEntries } from './shipmentIndex';
import { detailIdOf, type TriggerState, type WatchedShipment } from './state';
import type { Poll, SelectionByFilters } from './watch';

/** In which time the whole list is read again, once it has been read completely. */
const WHOLE_LIST_MS = 30 * MINUTE_MS;

/** After this time, the number of a shipment is requested again. */
const NUMBER_RETRY_MS = 10 * MINUTE_MS;

/** Shares of the time and the requests of a poll. So each part goes on in each poll, even if slowly. */
const KEPT_AFTER_LIST = 1 / 2;
const KEPT_FOR_TRACKING = 1 / 4;

/** Decides which shipments are watched now: those of the list or of the user's form. Returns how far it has read. */
export async function discoverShipments(before: TriggerState, poll: Poll, records: KnownRecords) {
	const { watch, budget } = poll;
	const { selection } = watch;
	const index = new ShipmentIndex(before, budget.now());
	const { shipments } = index;
	if (selection.by === 'numbers') {
		for (const { carrier, number } of selection.shipments) index.upsert({ id: 0, carrier, number });
		index.finishList();
		return { list: before.list, shipments, hasResponse: false, failures: [] as unknown[] };
	}
	const reading = await readListPart(before, selection, poll, (listed) => {
		for (const entry of toListEntries(listed, selection.filters)) index.upsert(entry);
		for (const record of listed) records.add(record);
	});
	if (reading.isAtEnd) index.finishList();
	const due = selectDue(shipments, budget.now(), watch);
	const unnumbered = due.filter(({ number }) => number === '');
	const failures = await readNumbers(unnumbered, poll, index, records);
	const { list, hasResponse } = reading;
	return { list, shipments, hasResponse, failures: [...reading.failures, ...failures] };
}

/** How the list is requested. Some services list only main shipments unless told otherwise. */
function listFilters({ filters, createdWithinDays }: SelectionByFilters, nowMs: number) {
	const createdFrom = searchStart(nowMs, createdWithinDays);
	return { onlyMaster: false, ...filters, createdFrom };
}

/**
 * Each poll reads the first page, which has the new shipments, and continues where the previous poll stopped, so that a
 * long list is spread over many polls. The first time, the list is read completely: the earlier a shipment is known, the
 * more certain it is which of its events are new.
 */
export async function readListPart(
	{ list, savedAt }: TriggerState,
	selection: SelectionByFilters,
	{ client, budget }: Poll,
	addPage: (records: ListedShipment[]) => void,
) {
	const nowMs = budget.now();
	const filters = listFilters(selection, nowMs);
	const failures: unknown[] = [];
	let total = Infinity;
	/** Returns how many records a page has, and nothing if there was no request or no response. */
	const read = async (start: number) => {
		if (failures.length > 0 || budget.isSpent(KEPT_AFTER_LIST)) return undefined;
		try {
			const timeoutMs = budget.spend(KEPT_AFTER_LIST);
			const page = await client.findUncheckedShipments(filters, start, PAGE_LENGTH, timeoutMs);
			total = page.total;
			addPage(page.data);
			return page.data.length;
		} catch (failure) {
			failures.push(failure);
			return undefined;
		}
	};

	const first = await read(0);
	// A service may return shorter pages than requested.
	const pageLength = first ?? 0;
	let next = Math.max(list.next, pageLength);
	if (pageLength > 0 && next < total) {
		const share = Math.min(1, Math.max(0, nowMs - savedAt) / WHOLE_LIST_MS);
		const most = Math.max(1, Math.ceil((total / pageLength) * share));
		const left = Math.ceil((total - next) / pageLength);
		const count = list.wasCompleted ? Math.min(left, most) : left;
		const starts = Array.from({ length: count }, (_, page) => next + page * pageLength);
		const pages = await client.mapParallel(starts, read);
		next = starts.find((_, page) => pages[page] === undefined) ?? next + pageLength * count;
	}
	// If the list has grown while it was read, the next poll reads its end.
	const isAtEnd = next >= total;
	const nextList = isAtEnd ? { next: 0, wasCompleted: true } : { ...list, next };
	return { list: nextList, isAtEnd, hasResponse: first !== undefined, failures };
}

/** Reads numbers that the list does not contain from the details. Returns why some were not read. */
export async function readNumbers(
	unnumbered: readonly WatchedShipment[],
	{ client, budget }: Poll,
	index: ShipmentIndex,
	records: KnownRecords,
): Promise<unknown[]> {
	const failures: unknown[] = [];
	const failedCarriers = new Set<string>();
	const numbered = new Set<number>();
	/** By the IDs of all pieces in them. */
	const details = new Map<number, ReturnType<KnownRecords['readDetail']>>();
	const readDetail = async (carrier: string, id: number) => {
		const detail =
			details.get(id) ?? records.readDetail(client, carrier, id, budget.spend(KEPT_FOR_TRACKING));
		details.set(id, detail);
		for (const piece of await detail) details.set(piece.id, detail);
		return await detail;
	};
	await client.mapParallel(unnumbered, async (shipment) => {
		const { id, carrier, mainId } = shipment;
		if (budget.isSpent(KEPT_FOR_TRACKING) || failedCarriers.has(carrier)) return;
		try {
			// Additional pieces may have no detail of their own. Then the shipment before one is often its
			// main shipment, and the detail of that confirms it.
			const ofId = detailIdOf(shipment);
			const pieces = await readDetail(carrier, ofId).catch(async (failure: unknown) => {
				const likelyMain = likelyMainOf(index.shipments, shipment);
				const mayRead = isNotFound(failure) && !mainId && !budget.isSpent(KEPT_FOR_TRACKING);
				if (!mayRead || !likelyMain) throw failure;
				const ofLikelyMain = await readDetail(carrier, likelyMain.id);
				if (!ofLikelyMain.some((piece) => piece.id === id)) throw failure;
				return ofLikelyMain;
			});
			// The detail of a main shipment has all of its pieces, the main one first.
			const ofMain = pieces[0]?.id;
			for (const piece of pieces) {
				const number = carrierNumberOf(piece);
				if (number !== '') numbered.add(piece.id);
				index.complete(piece.id, number, piece.id === ofMain ? undefined : ofMain);
			}
		} catch (failure) {
			failures.push(failure);
			if (!isNotFound(failure)) failedCarriers.add(carrier);
		}
		// Also after a failure, so that the next poll starts with another shipment.
		const nextRequestAt = toMinute(budget.now() + NUMBER_RETRY_MS);
		if (numbered.has(id)) return;
		index.change(id, (watched) => ({
			...watched,
			nextRequestAt,
			status: hasEndedLongAgo(watched, budget.now()) ? 'finished' : watched.status,
		}));
	});
	return failures;
}
