import { isSameCode } from '../lists';
import { carrierNumberOf, isCashOnDelivery, mainIdOf } from '../records';
import type { Client } from '../transport/client';
import { type ListedShipment, PAGE_LENGTH } from '../transport/contract';
import { isNotFound } from '../transport/errors';
import { dayBefore } from './dates';
import type { Poll } from './host';
import type { ShipmentRecords } from './output';
import { ACTIVE_MS, selectDue } from './select';
import {
	dayOf,
	keyOf,
	MINUTE_MS,
	type SelectionByFilters,
	toMinute,
	type TriggerState,
	type Watch,
	type WatchedShipment,
	without,
} from './state';

/** In which time the whole list is read again, once it has been read completely. */
const WHOLE_LIST_MS = 30 * MINUTE_MS;

/** How many pages after the first one every poll reads with *Every Poll*. */
const PAGES_OF_EVERY_POLL = 10;

/** How many pages with nothing but new shipments a poll reads one after the other. */
const MAX_NEW_PAGES = 10;

/** After this time, the number of a shipment is requested again. */
const NUMBER_RETRY_MS = 10 * MINUTE_MS;

/** Shares of the time and the requests of a poll. So each part goes on in each poll, even if slowly. */
const KEPT_AFTER_LIST = 1 / 2;
const KEPT_FOR_TRACKING = 1 / 4;

/** What the requests of a poll have found so far. */
interface Discovery extends Pick<Poll, 'watch' | 'budget'> {
	client: Pick<Client, 'findShipments' | 'getShipment' | 'mapParallel'>;
	index: ShipmentIndex;
	records: ShipmentRecords;
	requests: { responses: number; failures: unknown[] };
	/** How many shipments the list has, by the latest response. */
	total: number;
}

/** Decides which shipments are watched now: those of the list or of the user's form. */
export async function discoverShipments(
	before: TriggerState,
	{ watch, client, budget }: Poll,
	records: ShipmentRecords,
): Promise<Pick<TriggerState, 'list' | 'shipments'> & Pick<Discovery, 'requests'>> {
	const { selection } = watch;
	const index = new ShipmentIndex(before, watch, budget.now());
	const requests = { responses: 0, failures: [] };
	const { shipments } = index;
	if (selection.by === 'numbers') {
		for (const { carrier, number } of selection.shipments) index.upsert({ id: 0, carrier, number });
		index.finishList();
		return { list: before.list, shipments, requests };
	}
	const discovery = { watch, client, budget, index, records, requests, total: Infinity };
	const list = await readList(before, selection, discovery);
	const due = selectDue(shipments, budget.now(), watch);
	await readNumbers(due.filter(isUnnumbered), discovery);
	return { list, shipments, requests };
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
	discovery: Discovery,
): Promise<TriggerState['list']> {
	const { watch, client, budget } = discovery;
	const nowMs = budget.now();
	const createdFrom = dayBefore(nowMs, selection.createdWithinDays, watch.timezone);
	// Some services list only main shipments unless told otherwise.
	const filters = { onlyMaster: false, ...selection.filters, createdFrom };
	const read = async (start: number) => readPage(filters, start, discovery);

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
	if (pageLength > 0 && next < discovery.total) {
		const share = Math.min(1, Math.max(0, nowMs - savedAt) / WHOLE_LIST_MS);
		const least = watch.freshness === 'everyPoll' ? PAGES_OF_EVERY_POLL : 1;
		const most = list.wasCompleted
			? Math.max(least, Math.ceil((discovery.total / pageLength) * share))
			: Infinity;
		const count = Math.min(Math.ceil((discovery.total - next) / pageLength), most);
		const starts = Array.from({ length: count }, (_, page) => next + page * pageLength);
		const pages = await client.mapParallel(starts, read);
		next = starts.find((_, page) => pages[page] === undefined) ?? next + pageLength * count;
	}
	// If the list has grown while it was read, the next poll reads its end.
	if (next < discovery.total) return { ...list, next };
	discovery.index.finishList();
	return { next: 0, wasCompleted: true };
}

/** Reads a page of the list; `undefined` if there was no request or no response. */
async function readPage(
	filters: SelectionByFilters['filters'],
	start: number,
	discovery: Discovery,
): Promise<{ length: number; isNew: boolean } | undefined> {
	const { client, budget, index, records, requests } = discovery;
	if (requests.failures.length > 0 || budget.isSpent(KEPT_AFTER_LIST)) return undefined;
	try {
		const timeoutMs = budget.spend(KEPT_AFTER_LIST);
		const page = await client.findShipments(filters, start, PAGE_LENGTH, timeoutMs);
		requests.responses++;
		const found = toFoundShipments(page.rows, filters);
		const isNew = !found.some(({ id }) => index.has(id));
		for (const shipment of found) index.upsert(shipment);
		for (const row of page.rows) records.add(row);
		discovery.total = page.total;
		return { length: page.rows.length, isNew };
	} catch (failure) {
		requests.failures.push(failure);
		return undefined;
	}
}

/** The shipments of a page, without records that do not say which shipment they are. */
export function toFoundShipments(
	records: readonly ListedShipment[],
	{ cod, carrierCodes = [] }: SelectionByFilters['filters'],
): FoundShipment[] {
	// If the list has numbers, a shipment without one gets it later. If not, its detail has the number.
	const hasNumbers = records.some((record) => carrierNumberOf(record) !== '');
	return (
		records
			// A service may ignore a filter that it does not know.
			.filter((record) => cod !== false || !isCashOnDelivery(record))
			.filter(
				({ carrierCode }) =>
					carrierCodes.length === 0 ||
					carrierCodes.some((code) => isSameCode(code, String(carrierCode))),
			)
			.map((record) => ({
				id: Number(record.id),
				carrier: String(record.carrierCode ?? ''),
				number: carrierNumberOf(record),
				mainId: mainIdOf(record),
				hasEnded: record.canceled === true || record.delivered === true,
				isUntrackable: record.trackable === false,
				awaitsNumber: hasNumbers && carrierNumberOf(record) === '',
			}))
			.filter(({ carrier, id }) => carrier !== '' && Number.isSafeInteger(id))
	);
}

export function isUnnumbered({ number }: { number: string }): boolean {
	return number === '';
}

/** Reads numbers that the list does not contain from the details. */
export async function readNumbers(
	unnumbered: readonly WatchedShipment[],
	{ client, budget, index, records, requests }: Discovery,
): Promise<void> {
	const failedCarriers = new Set<string>();
	const numbered = new Set<number>();
	const readDetail = async (carrier: string, id: number) =>
		(await client.getShipment(carrier, id, budget.spend(KEPT_FOR_TRACKING))).result;
	await client.mapParallel(unnumbered, async ({ id, carrier, mainId }) => {
		if (budget.isSpent(KEPT_FOR_TRACKING) || failedCarriers.has(carrier) || numbered.has(id))
			return;
		try {
			// Additional pieces may have no detail of their own. Then the shipment before one is often its
			// main shipment, and the detail of that confirms it.
			const pieces = await readDetail(carrier, mainId || id).catch(async (failure: unknown) => {
				const before = isNotFound(failure) && !mainId ? index.idBefore(carrier, id) : undefined;
				if (before === undefined || budget.isSpent(KEPT_FOR_TRACKING)) throw failure;
				const found = await readDetail(carrier, before);
				if (!found.some((piece) => piece.id === id)) throw failure;
				return found;
			});
			for (const piece of pieces) {
				records.add(piece);
				const number = carrierNumberOf(piece);
				if (number !== '') numbered.add(piece.id);
				index.setNumber(piece.id, number);
				// The detail of a main shipment has all of its pieces, the main one first.
				const mainId = Number(pieces[0]?.id);
				if (piece.id !== mainId) {
					index.change(piece.id, (known) => (known.mainId ? known : { ...known, mainId }));
				}
			}
		} catch (failure) {
			requests.failures.push(failure);
			if (!isNotFound(failure)) failedCarriers.add(carrier);
		}
		// Also after a failure, so that the next poll starts with another shipment.
		const nextRequestAt = toMinute(budget.now() + NUMBER_RETRY_MS);
		if (!numbered.has(id)) index.change(id, (known) => ({ ...known, nextRequestAt }));
	});
}

/** A shipment as the list or the user's form describes it. */
interface FoundShipment extends Pick<WatchedShipment, 'id' | 'carrier' | 'number'> {
	mainId?: number | undefined;
	/** Delivered or canceled. */
	hasEnded?: boolean;
	/** The service cannot track it (now). */
	isUntrackable?: boolean;
	/** The carrier has not assigned the number yet. */
	awaitsNumber?: boolean;
}

/** The watched shipments of one poll, found by ID or by carrier and number. */
export class ShipmentIndex {
	readonly shipments: WatchedShipment[];

	/** The positions of the shipments. */
	private readonly byId = new Map<number, number>();

	private readonly byNumber = new Map<string, number>();

	constructor(
		private readonly state: TriggerState,
		private readonly watch: Watch,
		private readonly nowMs: number,
	) {
		this.shipments = [...state.shipments];
		for (const [at, row] of this.shipments.entries()) this.set(at, row);
	}

	has(id: number): boolean {
		return this.byId.has(id);
	}

	/** Marks a found shipment as listed; adds it if it is new and can be tracked. */
	upsert(found: FoundShipment): void {
		const { id, number, mainId, isUntrackable } = found;
		const at = this.byId.get(id) ?? this.byNumber.get(keyOf(found)) ?? this.shipments.length;
		const known = this.shipments[at];
		if (!known) {
			if (!isUntrackable && !found.awaitsNumber) this.set(at, this.create(found));
			return;
		}
		if (isUntrackable) return this.set(at, { ...known, listed: 'no' });
		const isRenumbered = number !== '' && number !== known.number;
		const endsNow = found.hasEnded && known.endedAt === undefined;
		let changed = isRenumbered || endsNow ? without(known, 'nextRequestAt') : known;
		if (isRenumbered && known.number !== '') {
			// The carrier has changed the number: the events start over under the new one.
			const rest = without(changed, 'endedAt', 'refusedSince', 'periods');
			changed = { ...rest, known: '', newSince: this.nowMs, isFinished: false };
		}
		this.set(at, {
			...changed,
			number: number || known.number,
			id: known.id || id,
			listed: 'now',
			...(mainId === undefined || known.mainId ? {} : { mainId }),
			...(endsNow ? { endedAt: this.nowMs } : {}),
		});
	}

	private create({ id, carrier, number, mainId, hasEnded }: FoundShipment): WatchedShipment {
		const { since, list } = this.state;
		return {
			id,
			carrier,
			number,
			firstSeenDay: dayOf(this.nowMs),
			listed: 'now',
			newSince: this.watch.startFrom === 'existing' ? 0 : since,
			// Shipments that the complete list did not contain have just been created.
			...(list.wasCompleted ? { activeUntil: toMinute(this.nowMs + ACTIVE_MS) } : {}),
			...(mainId === undefined ? {} : { mainId }),
			...(hasEnded ? { endedAt: this.nowMs } : {}),
			known: '',
			isFinished: false,
		};
	}

	/** The ID of the shipment of the carrier that was created last before the one with this ID. */
	idBefore(carrier: string, id: number): number | undefined {
		const before = this.shipments.filter(
			(each) => each.carrier === carrier && each.id < id && each.mainId === undefined,
		);
		return before.length === 0 ? undefined : Math.max(...before.map((each) => each.id));
	}

	/** Sets the number of a shipment whose list record had none. */
	setNumber(id: number, number: string): void {
		this.change(id, (known) => {
			if (number === '' || known.number !== '') return known;
			const rest = without(known, 'nextRequestAt');
			// Two IDs with one number: requesting both would emit each event twice.
			const isDuplicate = this.byNumber.has(keyOf({ carrier: known.carrier, number }));
			return isDuplicate ? { ...rest, isFinished: true } : { ...rest, number };
		});
	}

	/** Call this at the end of the list: shipments that were missing are no longer watched. */
	finishList(): void {
		for (const [at, row] of this.shipments.entries()) {
			this.shipments[at] = { ...row, listed: row.listed === 'now' ? 'before' : 'no' };
		}
	}

	/** Changes the shipment with this ID, if it is watched. */
	change(id: number, change: (known: WatchedShipment) => WatchedShipment): void {
		const at = this.byId.get(id);
		const known = at === undefined ? undefined : this.shipments[at];
		if (at !== undefined && known) this.set(at, change(known));
	}

	private set(at: number, row: WatchedShipment): void {
		this.shipments[at] = row;
		if (row.id !== 0) this.byId.set(row.id, at);
		const key = keyOf(row);
		if (row.number !== '' && !this.byNumber.has(key)) this.byNumber.set(key, at);
	}
}
