import { groupBy, isSameCode } from '../lists';
import { carrierNumberOf, DAY_MS, idOf, mainIdOf, searchStart } from '../records';
import { type ListedShipment, PAGE_LENGTH, type ShipmentDetail } from '../transport/endpoints';
import { isNotFound } from '../transport/errors';
import { detailIdOf, noteRecord, readPieces } from './items';
import type { State } from './state';
import type { Poll, Watch, Watched } from './watch';

/** Shipments are watched for so many days after their creation. */
const WATCHED_DAYS = 30;

/** After so many days, no list returns a shipment again. Until then, its events would look new. */
const KEPT_DAYS = WATCHED_DAYS + 2;

/** A list without an end must not fill n8n's memory. */
const MAX_SHIPMENTS = 100_000;

/** In which time the whole list is read again. */
const WHOLE_LIST_MS = 30 * 60_000;

/** So that the reading of the whole list is spread over polls. */
const PAGES_PER_MINUTE = 8;

/**
 * A shipment may be missing from one reading of the whole list, because it moves to another page meanwhile. The end of the
 * reading that has found it counts as well.
 */
const MISSES_ALLOWED = 3;

/** In minutes since 1970. For a second shipment with a number, which is requested with the first. */
const NEVER = 1e9;

/** Shares of the time of a poll, so that each part goes on in each poll, even if slowly. */
const LIST_SHARE = 1 / 2;
const NUMBERS_SHARE = 3 / 4;

export const keyOf = ({ carrier, number }: Pick<Watched, 'carrier' | 'number'>) =>
	`${carrier}\n${number}`;

/** A reading of the list, as far as it got in this poll. */
interface Reading {
	state: State;
	poll: Poll;
	shipments: Shipments;
	failures: unknown[];
	hasResponse: boolean;
}

/** Notes the shipments of the list that are watched now, adds new ones, and forgets those that no list returns again. */
export async function readList(state: State, poll: Poll): Promise<Reading> {
	const shipments = new Shipments(state, Math.floor(poll.nowMs / DAY_MS));
	const reading: Reading = { state, poll, shipments, failures: [], hasResponse: false };
	await readPages(reading).catch((failure) => void reading.failures.push(failure));
	await readNumbers(reading);
	const firstDay = Math.floor(poll.nowMs / DAY_MS) - KEPT_DAYS;
	const isKept = ({ missesLeft, addedOn }: Watched) => missesLeft > 0 || addedOn >= firstDay;
	state.shipments = state.shipments.filter(isKept);
	return reading;
}

type Found = Pick<Watched, 'id' | 'carrier' | 'number'>;

/** The watched shipments, by ID and by carrier and number. */
class Shipments {
	private readonly byId = new Map<number, Watched>();

	private readonly byNumber = new Map<string, Watched>();

	constructor(
		private readonly state: State,
		private readonly today: number,
	) {
		for (const each of state.shipments) this.index(each);
	}

	private index(shipment: Watched): void {
		if (shipment.id !== 0) this.byId.set(shipment.id, shipment);
		if (shipment.number !== '') this.byNumber.set(keyOf(shipment), shipment);
	}

	/** Returns whether it is new. One that cannot be tracked any more stays watched: its last events may be unread. */
	note(found: Found, canBeAdded = true): boolean {
		const { id, number } = found;
		const known = this.byId.get(id) ?? this.byNumber.get(keyOf(found));
		if (known) {
			known.missesLeft = MISSES_ALLOWED;
			if (known.id === id) this.giveNumber(known, number);
			else this.giveId(known, id);
			return false;
		}
		if (!canBeAdded || this.state.shipments.length >= MAX_SHIPMENTS) return false;
		const { newFrom } = this.state;
		const unread = { missesLeft: MISSES_ALLOWED, askAt: 0, marks: '', latest: '', newFrom };
		const added: Watched = { ...found, addedOn: this.today, ...unread };
		this.state.shipments.push(added);
		this.index(added);
		return true;
	}

	/** Notes the number that a detail has. */
	noteNumber(record: ShipmentDetail): void {
		const known = this.byId.get(idOf(record));
		if (known) this.giveNumber(known, carrierNumberOf(record));
	}

	private giveNumber(shipment: Watched, number: string): void {
		if (number === '' || number === shipment.number) return;
		const other = this.byNumber.get(keyOf({ ...shipment, number }));
		this.byNumber.delete(keyOf(shipment));
		if (other) {
			other.missesLeft = MISSES_ALLOWED;
			Object.assign(shipment, { number: '', askAt: NEVER });
			// It was known by its number only.
			if (other.id === 0)
				this.state.shipments = this.state.shipments.filter((each) => each !== shipment);
			return this.giveId(other, shipment.id);
		}
		if (shipment.number !== '') {
			// Its events come under the other number again: those until the latest one are known.
			if (shipment.latest !== '') shipment.newFrom ??= `${shipment.latest}~`;
			shipment.marks = '';
		}
		Object.assign(shipment, { number, askAt: 0 });
		this.index(shipment);
	}

	/** An order that is canceled and created again can have one number. It is requested once, with the newest ID. */
	private giveId(shipment: Watched, id: number): void {
		if (id < shipment.id) return;
		this.byId.set(id, shipment);
		// The one before was over, and was requested once an hour.
		if (shipment.id !== 0) shipment.askAt = 0;
		shipment.id = id;
	}
}

/**
 * Reads the newest pages, until one has no new shipment. Every half hour, it reads all pages, over several polls if they are
 * many. The end is an empty page, or one that was seen in this poll: a provider may return the same page again and again.
 */
async function readPages(reading: Reading): Promise<void> {
	const { state, poll, shipments } = reading;
	const { list } = state;
	const { carrierCodes, isOncePerOrder: onlyMaster } = poll.watch;
	const createdFrom = searchStart(poll.nowMs, WATCHED_DAYS);
	const filter = { onlyMaster, createdFrom, ...(carrierCodes.length > 0 ? { carrierCodes } : {}) };
	// The clock may have been ahead.
	const isDue = list.next > 0 || Math.abs(poll.nowMs - list.readAt) >= WHOLE_LIST_MS;
	const minutes = Math.max(1, (poll.nowMs - state.savedAt) / 60_000);
	let pagesLeft = isDue ? minutes * PAGES_PER_MINUTE : 0;
	const readPage = async (start: number) =>
		poll.ask(async (limits) => poll.client.findUncheckedShipments(filter, start, limits));
	/** Pages that were requested at once. If one fails, those before it count. */
	let pages = new Map<number, PromiseSettledResult<ListedShipment[]>>();
	const seen = new Set<unknown>();
	let isNewest = true;
	for (let start = 0; isNewest || pagesLeft-- > 0; ) {
		if (!pages.has(start)) {
			if (!poll.mayAsk(LIST_SHARE)) return;
			// A later reading has time, and where the others begin is known only if pages are full.
			const canReadAhead = list.readAt === 0 && start > 0 && start % PAGE_LENGTH === 0;
			const length = canReadAhead ? poll.client.http.maxParallelRequests : 1;
			const starts = Array.from({ length }, (_, at) => start + at * PAGE_LENGTH);
			const responses = await Promise.allSettled(starts.map(readPage));
			pages = new Map(responses.map((response, at) => [starts[at] ?? 0, response]));
		}
		const response = pages.get(start);
		if (response?.status !== 'fulfilled') throw response?.reason;
		const { value: page } = response;
		reading.hasResponse = true;
		if (page.every(({ id }) => seen.has(id))) {
			if (!isDue) return;
			for (const each of state.shipments) each.missesLeft = Math.max(0, each.missesLeft - 1);
			state.list = { readAt: poll.nowMs, next: 0 };
			return;
		}
		for (const record of page) {
			seen.add(record.id);
			noteRecord(poll, record);
		}
		isNewest = notePage(page, poll.watch, shipments) && isNewest;
		start += page.length;
		if (isDue) list.next = Math.max(start, list.next);
		if (!isNewest) start = list.next;
	}
}

/** Notes the selected shipments of a page, and returns whether there are new ones. */
function notePage(page: readonly ListedShipment[], watch: Watch, shipments: Shipments) {
	const { carrierCodes, isOncePerOrder } = watch;
	// If the list has numbers, a shipment without one gets it later. If not, its detail has the number.
	const hasNumbers = page.some((record) => carrierNumberOf(record) !== '');
	const added = page.filter((record) => {
		const [id, number, mainId] = [idOf(record), carrierNumberOf(record), mainIdOf(record)];
		const carrier = String(record.carrierCode ?? '');
		// A provider may ignore a filter that it does not know.
		const isOfCarrier =
			carrierCodes.length === 0 || carrierCodes.some((code) => isSameCode(code, carrier));
		const isSelected = isOfCarrier && (mainId === undefined || !isOncePerOrder);
		if (id === 0 || carrier === '' || !isSelected) return false;
		// No detail has the number of a piece whose main shipment is unknown.
		const mayGetNumber = !hasNumbers && mainId !== 0;
		const canBeAdded = record.trackable !== false && (number !== '' || mayGetNumber);
		return shipments.note({ id, carrier, number }, canBeAdded);
	});
	return added.length > 0;
}

/** Reads numbers that the list does not have from the details. */
async function readNumbers({ state, poll, shipments, failures }: Reading): Promise<void> {
	const minute = Math.floor(poll.nowMs / 60_000);
	const due = state.shipments
		.filter(({ number, missesLeft, askAt }) => number === '' && missesLeft > 0 && askAt <= minute)
		.sort((a, b) => a.askAt - b.askAt);
	const failedCarriers = new Set<string>();
	// The detail of a main shipment has the numbers of its pieces.
	const groups = groupBy(due, (each) => `${each.carrier} ${detailIdOf(each, poll)}`);
	await poll.client.mapParallel([...groups.values()], async (group) => {
		const [{ carrier, id }] = group;
		if (failedCarriers.has(carrier) || !poll.mayAsk(NUMBERS_SHARE)) return;
		for (const each of group) {
			// After the first day, a number may never come, for example that of a canceled shipment.
			const isNew = each.addedOn * DAY_MS > poll.nowMs - DAY_MS;
			each.askAt = minute + (isNew ? 10 : 60);
		}
		try {
			for (const piece of await readPieces({ carrier, id }, poll)) shipments.noteNumber(piece);
		} catch (failure) {
			if (isNotFound(failure)) return;
			failures.push(failure);
			failedCarriers.add(carrier);
		}
	});
}
